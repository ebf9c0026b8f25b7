/* What a program could notice of the looks at its threads (preload/host), and what could harm these. */
#include "harm_app.h"

#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

enum {
	WATCHED_US = 200000, /* some hundred looks */
	EOF_MS = 20000,
	SLEEPS = 200,
	SLEEP_US = 1000,
	LOOKED_AT_US = 100000, /* some hundred looks, and some ten samples */
	PAGES = 100,
	PAGE_BYTES = 4096,
	RING_PAGES = 17,
	BARE_THREADS = 4,
	STACK_BYTES = 65536,
	STACKS = 400,
	STACK_US = 300,
	WAVES = 100,
	WAVE_THREADS = 100,
};

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void spin_us(int64_t us)
{
	const int64_t end_us = now_us() + us;

	while (now_us() < end_us)
		;
}

/* The pipe was open when the looks began: nobody of ours may have its end, too. */
void watch_descriptors(void)
{
	int ends[2], first, moved = 0;
	struct pollfd reader;
	int64_t end_us;

	MUST(!pipe(ends));
	make_calls(CALLS);
	wait_for_trace();
	close(ends[1]);
	reader = (struct pollfd){.fd = ends[0], .events = POLLIN};
	printf("end of the pipe %d\n", poll(&reader, 1, EOF_MS));
	first = open("/dev/null", O_RDONLY);
	close(first);
	end_us = now_us() + WATCHED_US;
	while (now_us() < end_us) {
		const int file = open("/dev/null", O_RDONLY);

		moved += file != first;
		close(file);
	}
	printf("lowest descriptor %d, another one %d times\n", first, moved);
}

static volatile sig_atomic_t signals_seen;

static void count_signal(int number)
{
	signals_seen++;
}

/* No signal comes, and no call of the system ends early. */
static void quiet(void)
{
	const struct sigaction action = {.sa_handler = count_signal};
	const struct timespec time = {.tv_nsec = SLEEP_US * 1000};
	int ends[2], interrupted = 0;
	struct pollfd reader;

	for (int number = 1; number < NSIG; number++)
		sigaction(number, &action, NULL);
	MUST(!pipe(ends));
	reader = (struct pollfd){.fd = ends[0], .events = POLLIN};
	make_calls(CALLS);
	wait_for_trace();
	for (int i = 0; i < SLEEPS; i++) {
		interrupted += nanosleep(&time, NULL) != 0;
		interrupted += poll(&reader, 1, 1) != 0;
	}
	spin_us(LOOKED_AT_US);
	printf("signals %d, interrupted %d\n", (int)signals_seen, interrupted);
}

/* How many samples of the ring lie in the pages. */
static int count_samples(const struct perf_event_mmap_page *ring, uint64_t pages)
{
	const char *data = (const char *)ring + PAGE_BYTES;
	int count = 0;

	for (uint64_t at = 0; at < ring->data_head;) {
		struct {
			struct perf_event_header header;
			uint64_t address;
		} sample;

		memcpy(&sample, data + at, sizeof(sample));
		count += sample.header.type == PERF_RECORD_SAMPLE && sample.address >= pages &&
			 sample.address < pages + PAGES * PAGE_BYTES;
		at += sample.header.size;
	}
	return count;
}

static void touch_pages(char *pages, int first, int end)
{
	for (int i = first; i < end; i++)
		*(volatile char *)(pages + (size_t)i * PAGE_BYTES) = 1;
}

/* The program samples its own thread, as the looks do: both get what they asked for. */
static void own_perf_events(void)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_PAGE_FAULTS_MIN,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_ADDR,
		.disabled = 1,
		.exclude_kernel = 1,
	};
	char *pages = mmap(NULL, PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t half = 0, whole = 0;
	void *ring;
	int event;

	madvise(pages, PAGES * PAGE_BYTES, MADV_NOHUGEPAGE);
	make_calls(CALLS);
	wait_for_trace();
	spin_us(LOOKED_AT_US);
	event = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
	if (event < 0)
		cannot("perf_event_open");
	ring = mmap(NULL, RING_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	MUST(ring != MAP_FAILED);
	MUST(!ioctl(event, PERF_EVENT_IOC_ENABLE, 0));
	spin_us(LOOKED_AT_US);
	touch_pages(pages, 0, PAGES / 2);
	MUST(!prctl(PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0));
	touch_pages(pages, PAGES / 2, PAGES - 10);
	MUST(read(event, &half, sizeof(half)) == sizeof(half));
	MUST(!prctl(PR_TASK_PERF_EVENTS_ENABLE, 0, 0, 0, 0));
	touch_pages(pages, PAGES - 10, PAGES);
	MUST(read(event, &whole, sizeof(whole)) == sizeof(whole));
	printf("event %d, samples %d, half %d, whole %d\n", event,
	       count_samples(ring, (uint64_t)pages), half >= PAGES / 2 && half < PAGES - 20,
	       whole - half >= 10 && whole - half < 20);
}

static _Atomic int is_over;

/* Has no TLS of its own: no libc. */
static int bare_main(void *unused)
{
	while (!atomic_load(&is_over))
		;
	return 0;
}

/* As Go's runtime and others make them. */
static void bare_threads(void)
{
	static char stacks[BARE_THREADS][STACK_BYTES] __attribute__((aligned(16)));
	static volatile pid_t ids[BARE_THREADS];
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

	make_calls(CALLS);
	wait_for_trace();
	for (int i = 0; i < BARE_THREADS; i++)
		MUST(clone(bare_main, stacks[i] + STACK_BYTES, flags, NULL, &ids[i], NULL,
			   &ids[i]) > 0);
	usleep(LOOKED_AT_US);
	atomic_store(&is_over, 1);
	for (int i = 0; i < BARE_THREADS; i++)
		while (ids[i])
			usleep(1000);
	puts("bare threads ended");
}

static ucontext_t outside, inside;

/* By itself: usleep() is no different, but a stack protector's word is not checked on the way. */
static void sleep_on_stack(void)
{
	const struct timespec time = {.tv_nsec = STACK_US * 1000};

	syscall(SYS_nanosleep, &time, NULL);
}

static void *stack_main(void *unused)
{
	make_calls(1);
	sleep_on_stack();
	return NULL;
}

/* Each stack is gone right after a thread has slept on it: coroutines' and threads'. */
static void vanishing_stacks(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	make_calls(1);
	for (int i = 0; i < STACKS; i++) {
		char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		getcontext(&inside);
		inside.uc_stack.ss_sp = stack;
		inside.uc_stack.ss_size = STACK_BYTES;
		inside.uc_link = &outside;
		makecontext(&inside, sleep_on_stack, 0);
		swapcontext(&outside, &inside);
		pthread_attr_setstack(&attributes, stack, STACK_BYTES);
		MUST(!pthread_create(&thread, &attributes, stack_main, NULL));
		MUST(!pthread_join(thread, NULL));
		munmap(stack, STACK_BYTES);
	}
	puts("stacks gone");
}

/* No thread of ours runs on the processor meanwhile. */
static void real_time(void)
{
	const struct sched_param first = {.sched_priority = 1};
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		cannot("SCHED_FIFO");
	make_calls(CALLS);
	spin_us(LOOKED_AT_US);
	printf("policy %d\n", sched_getscheduler(0));
}

static void say_end(void)
{
	puts("end");
}

static void *goes_on_main(void *unused)
{
	make_calls(CALLS / 2);
	usleep(LOOKED_AT_US);
	return NULL;
}

/* exit() runs in the thread that ends last, and it prints. */
static void first_thread_ends(void)
{
	pthread_t thread;

	atexit(say_end);
	make_calls(CALLS / 2);
	wait_for_trace();
	MUST(!pthread_create(&thread, NULL, goes_on_main, NULL));
	pthread_exit(NULL);
}

static long used_kb(void)
{
	long kb = 0;
	char line[128];
	FILE *file = fopen("/proc/self/status", "r");

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "VmRSS: %ld", &kb);
	fclose(file);
	return kb;
}

/* Threads by the hundred, ten thousand of them: what the tracer keeps of each must not add up. */
static void thread_storm(void)
{
	static const int one = 1;
	pthread_t threads[WAVE_THREADS];
	long before_kb = 0;

	for (int wave = 0; wave < WAVES; wave++) {
		for (int i = 0; i < WAVE_THREADS; i++)
			MUST(!pthread_create(&threads[i], NULL, calls_main, (void *)&one));
		for (int i = 0; i < WAVE_THREADS; i++)
			pthread_join(threads[i], NULL);
		if (wave == WAVES / 2)
			before_kb = used_kb();
	}
	printf("grown by a lot: %d\n", used_kb() - before_kb > 8192);
}

const struct scenario look_scenarios[] = {
	{"watch-descriptors", watch_descriptors},
	{"quiet", quiet},
	{"own-perf-events", own_perf_events},
	{"bare-threads", bare_threads},
	{"vanishing-stacks", vanishing_stacks},
	{"real-time", real_time},
	{"first-thread-ends", first_thread_ends},
	{"thread-storm", thread_storm},
	{NULL, NULL},
};
