#include "host/thread_samples.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Of the stack: 20 to 40 frames of C++. */
#define STACK_BYTES 8192

/* Memory for one sample. */
#define PAGE_BYTES 4096u
#define DATA_BYTES (4 * PAGE_BYTES)

/* Threads that are sampled at once: as many descriptors. */
#define SAMPLED_MOST 32

/* Processor time from asking to the sample: twice the kernel's least. */
#define DELAY_NS 20000

/* Samples' registers, in the kernel's order (asm/perf_regs.h: ax bx cx dx si di bp sp ip, r8 to r15),
 * by DWARF's numbers. */
#define REGISTERS_MASK 0xff01ffu
static const uint8_t register_order[UNWIND_REGISTERS] = {
	0, UNWIND_RBX, 2,  1,  4,  5,  UNWIND_RBP, UNWIND_RSP, UNWIND_RIP,
	8, 9,	       10, 11, 12, 13, 14,	   15};

/* A record of PERF_SAMPLE_TIME, PERF_SAMPLE_REGS_USER and PERF_SAMPLE_STACK_USER. */
struct record {
	struct perf_event_header header;
	uint64_t time_ns, abi;
	uint64_t registers[UNWIND_REGISTERS];
	uint64_t stack_bytes;
	uint8_t stack[STACK_BYTES];
	uint64_t copied_bytes; /* of stack */
};

static struct record last;
static const char *_Atomic refusal; /* NULL: none */
static int sampled;		    /* threads */

const char *thread_samples_refusal(void)
{
	return atomic_load(&refusal);
}

static void refuse_samples(const char *format, const char *detail)
{
	static char text[80];

	snprintf(text, sizeof(text), format, detail);
	atomic_store(&refusal, text);
}

static void refuse_forbidden(void)
{
	const long file = syscall(SYS_openat, AT_FDCWD, "/proc/sys/kernel/perf_event_paranoid",
				  O_RDONLY | O_CLOEXEC);
	char text[8] = "";
	long length = 0;

	if (file >= 0) {
		length = syscall(SYS_read, file, text, sizeof(text) - 1);
		syscall(SYS_close, file);
	}
	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (atoi(text) > 2)
		refuse_samples("kernel.perf_event_paranoid is %s", text);
	else
		refuse_samples("%s", "perf_event_open is forbidden here");
}

/* Refuses, unless it could succeed for another thread, or later. */
static void note_failure(int error)
{
	if (error == EACCES || error == EPERM)
		refuse_forbidden();
	else if (error != ESRCH && error != EMFILE && error != ENFILE && error != ENOMEM)
		refuse_samples("perf_event_open: %s", strerrordesc_np(error));
}

static const struct perf_event_attr attributes = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(attributes),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = DELAY_NS,
	.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	.sample_regs_user = REGISTERS_MASK,
	.sample_stack_user = STACK_BYTES,
	.disabled = 1,
	.exclude_kernel = 1,
	.exclude_hv = 1,
	.use_clockid = 1,
	.clockid = CLOCK_REALTIME,
};

/* A filter may end the program for perf_event_open(). */
static bool is_filtered(void)
{
	static const char field[] = "\nSeccomp:\t";
	const long file =
		syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/status", O_RDONLY | O_CLOEXEC);
	static char text[4096];
	const char *found;
	long length;

	if (file < 0)
		return true;
	length = syscall(SYS_read, file, text, sizeof(text) - 1);
	syscall(SYS_close, file);
	text[length > 0 ? length : 0] = '\0';
	found = strstr(text, field);
	return !found || found[sizeof(field) - 1] != '0';
}

static bool open_event(struct thread_samples *samples, uint32_t thread_id)
{
	void *memory;
	int file;

	if (is_filtered()) {
		refuse_samples("%s", "system calls are filtered here (seccomp)");
		return false;
	}
	file = (int)syscall(SYS_perf_event_open, &attributes, thread_id, -1, -1,
			    PERF_FLAG_FD_CLOEXEC);
	if (file < 0) {
		note_failure(errno);
		return false;
	}
	/* Not libc's functions: in a program under ThreadSanitizer they take the number for one of the
	 * program's files. */
	memory = (void *)syscall(SYS_mmap, NULL, DATA_BYTES + PAGE_BYTES, PROT_READ | PROT_WRITE,
				 MAP_SHARED, file, 0);
	if (memory == MAP_FAILED) {
		refuse_samples("%s", "no memory may be locked (ulimit -l)");
		syscall(SYS_close, file);
		return false;
	}
	samples->memory = memory;
	samples->file = file;
	sampled++;
	return true;
}

bool thread_samples_ask(struct thread_samples *samples, uint32_t thread_id)
{
	if (samples->is_asked)
		return true;
	if (!samples->memory && (thread_samples_refusal() || sampled == SAMPLED_MOST ||
				 !open_event(samples, thread_id)))
		return false;
	samples->is_asked = !syscall(SYS_ioctl, samples->file, PERF_EVENT_IOC_REFRESH, 1);
	return samples->is_asked;
}

void thread_samples_end(struct thread_samples *samples)
{
	if (samples->memory) {
		munmap(samples->memory, DATA_BYTES + PAGE_BYTES);
		syscall(SYS_close, samples->file);
		sampled--;
	}
	*samples = (struct thread_samples){0};
}

void thread_samples_after_fork(void)
{
	sampled = 0;
}

/* Copies from the memory, which begins again behind its end. */
static void copy_out(const struct thread_samples *samples, uint64_t position, void *to, size_t size)
{
	const char *data = (const char *)samples->memory + PAGE_BYTES;
	const size_t start = position % DATA_BYTES;
	const size_t first = size < DATA_BYTES - start ? size : DATA_BYTES - start;

	memcpy(to, data + start, first);
	memcpy((char *)to + first, data, size - first);
}

/* Copies the first sample from tail on into `last`; other records are skipped. */
static bool find_sample(const struct thread_samples *samples, uint64_t tail, uint64_t head)
{
	while (head - tail >= sizeof(last.header) && head - tail <= DATA_BYTES) {
		copy_out(samples, tail, &last.header, sizeof(last.header));
		if (last.header.size < sizeof(last.header))
			return false;
		if (last.header.type == PERF_RECORD_SAMPLE && last.header.size == sizeof(last)) {
			copy_out(samples, tail, &last, sizeof(last));
			return last.abi == PERF_SAMPLE_REGS_ABI_64 &&
			       last.stack_bytes == STACK_BYTES;
		}
		tail += last.header.size;
	}
	return false;
}

bool thread_samples_take(struct thread_samples *samples, struct thread_sample *sample)
{
	struct perf_event_mmap_page *page = samples->memory;
	uint64_t head;
	bool is_found;

	if (!page)
		return false;
	head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	if (head == page->data_tail)
		return false;
	samples->is_asked = false;
	is_found = find_sample(samples, page->data_tail, head);
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	if (!is_found)
		return false;
	*sample = (struct thread_sample){
		.time_ns = (int64_t)last.time_ns,
		.start = {.known = (1u << UNWIND_REGISTERS) - 1,
			  .memory = last.stack,
			  .bytes = last.copied_bytes < STACK_BYTES ? last.copied_bytes
								   : STACK_BYTES},
	};
	for (int i = 0; i < UNWIND_REGISTERS; i++)
		sample->start.registers[register_order[i]] = last.registers[i];
	return true;
}
