#include "host/task.h"

#include "base/own_memory.h"
#include "facts/rows.h"
#include "stack/python_threads.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PATH_BYTES 64
#define TEXT_BYTES 512
#define ARGUMENTS  6 /* of a system call */

/* Indexes of task_files.kept. */
enum task_file { FILE_SYSCALL, FILE_SCHEDSTAT, FILE_STAT };

/* The process may open too few files for all threads: no more are kept open. */
static bool has_few_files;

static int open_task(uint32_t thread_id, enum task_file which)
{
	static const char *const names[] = {"syscall", "schedstat", "stat"};
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "/proc/self/task/%u/%s", thread_id, names[which]);
	return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/* Returns the bytes read; 0 or less: none can be. */
static long read_file(int file, char text[TEXT_BYTES])
{
	const long length = syscall(SYS_pread64, file, text, TEXT_BYTES - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	return length;
}

static long read_task(uint32_t thread_id, struct task_files *files, enum task_file which,
		      char text[TEXT_BYTES])
{
	int *kept = &files->kept[which], file;
	long length;

	if (*kept) {
		length = read_file(*kept - 1, text);
		if (length > 0)
			return length;
		/* The thread has ended. Another one may have its id by now. */
		syscall(SYS_close, *kept - 1);
		*kept = 0;
	}
	file = open_task(thread_id, which);
	if (file < 0) {
		has_few_files |= errno == EMFILE;
		return -1;
	}
	length = read_file(file, text);
	if (length > 0 && !has_few_files)
		*kept = file + 1;
	else
		syscall(SYS_close, file);
	return length;
}

void task_files_close(struct task_files *files)
{
	for (size_t i = 0; i < sizeof(files->kept) / sizeof(files->kept[0]); i++)
		if (files->kept[i])
			syscall(SYS_close, files->kept[i] - 1);
	*files = (struct task_files){0};
}

/* What a thread that sleeps in a system call waits for. */
static const struct wait {
	long call;
	enum host_state state;
	const char *name; /* NULL: that of the descriptor, which is the first argument */
} waits[] = {
#define WAIT(call, state, name) {SYS_##call, HOST_STATE_##state, name},
#include "host/waits.def"
#undef WAIT
};

static const struct wait *find_wait(long call)
{
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		if (waits[i].call == call)
			return &waits[i];
	return NULL;
}

/* Stores "" where it is no link. */
static void read_link(const char *path, char target[TEXT_BYTES])
{
	const long length = syscall(SYS_readlinkat, AT_FDCWD, path, target, TEXT_BYTES - 1);

	target[length > 0 ? length : 0] = '\0';
}

/* Names what a thread's descriptor is: "pipe", "socket", or its file's path, of which the end counts. */
static void name_descriptor(uint32_t thread_id, int64_t descriptor, char name[TASK_NAME_BYTES])
{
	char path[PATH_BYTES], target[TEXT_BYTES];
	const char *end;
	size_t length;

	snprintf(path, sizeof(path), "/proc/self/task/%u/fd/%lld", thread_id,
		 (long long)descriptor);
	read_link(path, target);
	if (!strncmp(target, "pipe:", 5) || !strncmp(target, "socket:", 7))
		target[strcspn(target, ":")] = '\0';
	length = strlen(target);
	end = length < TASK_NAME_BYTES ? target : target + length - TASK_NAME_BYTES + 1;
	memcpy(name, end, strlen(end) + 1);
}

/* The descriptor that poll() and ppoll() wait for; -1: several. */
static int64_t polled_descriptor(long call, uint64_t first, uint64_t count)
{
	struct pollfd entry;

	if ((call != SYS_poll && call != SYS_ppoll) || count != 1 ||
	    !own_memory_read(&entry, first, sizeof(entry)))
		return -1;
	return entry.fd;
}

static bool is_device_file(const char *name)
{
	return !strncmp(name, "/dev/nvidia", 11);
}

/* glibc sleeps so in pthread_mutex_lock() and its own locks: nptl/lowlevellock.c, where 2 stands for a
 * lock that has waiters. Conditions and semaphores wait by bits. */
static bool is_mutex(const uint64_t arguments[ARGUMENTS])
{
	return (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT && (uint32_t)arguments[2] == 2;
}

/* The thread sleeps in a system call with these arguments. */
static void look_at_call(uint32_t thread_id, long call, const uint64_t arguments[ARGUMENTS],
			 struct task_look *look)
{
	const uint64_t first = arguments[0];
	const struct wait *wait = find_wait(call);

	look->state = wait ? wait->state : HOST_STATE_KERNEL;
	look->object = (int64_t)first;
	if (wait && wait->name)
		snprintf(look->name, sizeof(look->name), "%s", wait->name);
	switch (look->state) {
	case HOST_STATE_THREAD:
		if (python_threads_owns(first))
			look->state = HOST_STATE_INTERPRETER;
		else if (is_mutex(arguments))
			snprintf(look->name, sizeof(look->name), "mutex");
		break;
	case HOST_STATE_INPUT:
		if (wait->name)
			look->object = polled_descriptor(call, first, arguments[1]);
		if (look->object >= 0)
			name_descriptor(thread_id, look->object, look->name);
		break;
	case HOST_STATE_DRIVER:
		name_descriptor(thread_id, look->object, look->name);
		if (!is_device_file(look->name))
			look->state = HOST_STATE_INPUT;
		break;
	case HOST_STATE_KERNEL:
		look->object = call;
		break;
	case HOST_STATE_ASLEEP:
		look->object = ROW_NULL;
		break;
	default:
		break;
	}
}

bool task_is_told(uint32_t own_id)
{
	char target[TEXT_BYTES], own[PATH_BYTES];
	struct task_files files = {0};
	bool is_told;

	read_link("/proc/thread-self", target);
	snprintf(own, sizeof(own), "%ld/task/%u", syscall(SYS_getpid), own_id);
	is_told = !strcmp(target, own) && read_task(own_id, &files, FILE_SYSCALL, target) > 0;
	task_files_close(&files);
	return is_told;
}

bool task_look(uint32_t thread_id, struct task_files *files, struct task_look *look)
{
	char text[TEXT_BYTES], *end;
	uint64_t arguments[ARGUMENTS];
	long call;

	*look = (struct task_look){.state = HOST_STATE_RUNNING, .object = ROW_NULL};
	if (read_task(thread_id, files, FILE_SYSCALL, text) <= 0)
		return false;
	call = strtol(text, &end, 10);
	if (end == text) /* "running" */
		return true;
	/* Blocked outside of a system call, in a page fault, it has no arguments. */
	for (int i = 0; i < ARGUMENTS && call >= 0; i++)
		arguments[i] = strtoull(end, &end, 16);
	look->sp = strtoull(end, &end, 16);
	look->pc = strtoull(end, NULL, 16);
	if (call >= 0)
		look_at_call(thread_id, call, arguments, look);
	/* The first thread has ended, and others have not: it has no stack any more. */
	return look->sp != 0;
}

/* The number of field `index`, counted from 0 behind the name in parentheses. */
static int64_t field_of(const char *text, int index)
{
	const char *next = strrchr(text, ')');

	for (next = next ? next + 1 : text; index > 0 && next; index--)
		next = strchr(next + 1, ' ');
	return next ? strtoll(next, NULL, 10) : -1;
}

struct task_counts task_counts(uint32_t thread_id, struct task_files *files)
{
	enum {
		STAT_MINOR_FAULTS = 7,
		STAT_SYSTEM = 12
	}; /* proc(5): minflt, stime; the state is 0 */
	struct task_counts counts = {-1, -1, -1};
	char text[TEXT_BYTES], *end;

	if (read_task(thread_id, files, FILE_SCHEDSTAT, text) > 0) {
		strtoll(text, &end, 10);
		counts.ready_ns = strtoll(end, NULL, 10);
	}
	if (read_task(thread_id, files, FILE_STAT, text) > 0) {
		counts.faults = field_of(text, STAT_MINOR_FAULTS);
		counts.system_ns =
			field_of(text, STAT_SYSTEM) * (1000000000 / sysconf(_SC_CLK_TCK));
	}
	return counts;
}

int64_t task_cpu_ns(uint32_t thread_id)
{
	/* linux/posix-timers.h: a thread's own clock, CPUCLOCK_SCHED | CPUCLOCK_PERTHREAD_MASK */
	const clockid_t clock = (clockid_t)(~thread_id << 3 | 6);
	struct timespec time;

	/* No libc reads such a clock without a system call. */
	return syscall(SYS_clock_gettime, clock, &time)
		       ? 0
		       : (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* linux/dirent.h, which libc does not have */
struct entry {
	uint64_t inode;
	int64_t offset;
	unsigned short bytes;
	unsigned char type;
	char name[];
};

int task_numbers(const char *folder, uint32_t *numbers, int limit)
{
	static _Alignas(8) char memory[8192];
	const long file = syscall(SYS_openat, AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long bytes;
	int count = 0;

	if (file < 0)
		return 0;
	while ((bytes = syscall(SYS_getdents64, file, memory, sizeof(memory))) > 0)
		for (long at = 0; at < bytes;) {
			const struct entry *entry = (const void *)(memory + at);

			at += entry->bytes;
			if (entry->name[0] == '.')
				continue;
			if (count < limit)
				numbers[count] = (uint32_t)strtoul(entry->name, NULL, 10);
			count++;
		}
	syscall(SYS_close, file);
	return count;
}
