/*
 * The traced program of inherited_test.c: `inherited_app SCENARIO`. Its first CUDA call is made by a
 * thread with a scheduling of its own, which the scenario names. It prints how the writer, by its
 * name, is scheduled where that is not as the main thread was when the program began. Status 77: the
 * system does not let the thread have it.
 */
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

enum {
	SKIPPED = 77,
	PRIORITY = 20,
	NICE = 7,
	SLACK_NS = 1234567,
	IO_IDLE = 3 << 13, /* the class of linux/ioprio.h */
	OF_THREAD = 1,	   /* IOPRIO_WHO_PROCESS */
	DEADLINE = 6,	   /* SCHED_DEADLINE */
	INTERLEAVE = 3,	   /* MPOL_INTERLEAVE */
	ROUNDS = 5,
	ROUND_US = 50000,
};

struct scheduling {
	int policy, nice;
	cpu_set_t cpus;
	long io_priority, slack_ns;
};

static struct scheduling at_start;

/* -1: it cannot be read. */
static long read_slack(pid_t thread)
{
	char path[64];
	long slack_ns = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/timerslack_ns", (int)thread);
	file = fopen(path, "r");
	if (file && fscanf(file, "%ld", &slack_ns) != 1)
		slack_ns = -1;
	if (file)
		fclose(file);
	return slack_ns;
}

static struct scheduling scheduling_of(pid_t thread)
{
	struct scheduling it = {.policy = sched_getscheduler(thread),
				.nice = getpriority(PRIO_PROCESS, (id_t)thread),
				.io_priority = syscall(SYS_ioprio_get, OF_THREAD, thread),
				.slack_ns = read_slack(thread)};

	sched_getaffinity(thread, sizeof(it.cpus), &it.cpus);
	return it;
}

/* Before any library's constructor but after the loader, as libgomp comes before libstrace.so. */
static void pin_early(int argc, char **argv, char **environment)
{
	at_start = scheduling_of(getpid());
	if (argc == 2 && !strcmp(argv[1], "pinned-early")) {
		cpu_set_t one;

		CPU_ZERO(&one);
		CPU_SET(0, &one);
		sched_setaffinity(0, sizeof(one), &one);
	}
}
__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **,
									      char **) = pin_early;

/* The policy by which the thread's memory without one of its own is placed. */
static void show_memory_policy(pid_t thread)
{
	char path[64], line[512], policy[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/numa_maps", (int)thread);
	file = fopen(path, "r");
	if (file && fgets(line, sizeof(line), file) && sscanf(line, "%*s %31s", policy) == 1 &&
	    strcmp(policy, "default") != 0)
		printf("memory policy %s\n", policy);
	if (file)
		fclose(file);
}

static void show_writer(void)
{
	pid_t thread = scenario_find_writer();
	struct scheduling it;

	if (!thread) {
		puts("no writer");
		return;
	}
	it = scheduling_of(thread);
	if (it.policy != SCHED_OTHER)
		printf("policy %d\n", it.policy);
	if (it.nice != at_start.nice)
		printf("nice %d\n", it.nice);
	if (!CPU_EQUAL(&it.cpus, &at_start.cpus))
		printf("%d processors of %d\n", CPU_COUNT(&it.cpus), CPU_COUNT(&at_start.cpus));
	if (it.io_priority != at_start.io_priority)
		printf("I/O priority %lx\n", it.io_priority);
	if (it.slack_ns != at_start.slack_ns)
		printf("timer slack %ld\n", it.slack_ns);
	show_memory_policy(thread);
}

static void must(long result)
{
	if (result)
		exit(SKIPPED);
}

static void call(void)
{
	cudaDeviceSynchronize();
	scenario_flush();
}

static void set_policy(int policy, int priority)
{
	must(sched_setscheduler(0, policy, &(struct sched_param){.sched_priority = priority}));
}

static void pin(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	must(sched_setaffinity(0, sizeof(one), &one));
}

static void *real_time_main(void *unused)
{
	pin();
	set_policy(SCHED_FIFO, PRIORITY);
	call();
	if (sched_getscheduler(0) != SCHED_FIFO)
		puts("no longer real-time");
	return NULL;
}

static void *idle_main(void *unused)
{
	set_policy(SCHED_IDLE, 0);
	call();
	return NULL;
}

static void *deadline_main(void *unused)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime_ns, deadline_ns, period_ns;
	} wanted = {.size = sizeof(wanted),
		    .policy = DEADLINE,
		    .runtime_ns = 5000000,
		    .deadline_ns = 10000000,
		    .period_ns = 10000000};

	must(syscall(SYS_sched_setattr, 0, &wanted, 0));
	call();
	if (sched_getscheduler(0) != DEADLINE)
		puts("no longer with a deadline");
	return NULL;
}

/* What a thread has besides its policy. */
static void *batch_main(void *unused)
{
	const unsigned long first_node = 1;

	set_policy(SCHED_BATCH, 0);
	must(setpriority(PRIO_PROCESS, 0, NICE));
	must(syscall(SYS_ioprio_set, OF_THREAD, 0, IO_IDLE));
	must(prctl(PR_SET_TIMERSLACK, SLACK_NS));
	/* Where Linux knows of nodes. */
	syscall(SYS_set_mempolicy, INTERLEAVE, &first_node, 8 * sizeof(first_node));
	call();
	return NULL;
}

/* The writer measures the rate of the processor's counter, which rounds, a few times a second. */
static void *trapping_main(void *unused)
{
	feclearexcept(FE_ALL_EXCEPT);
	feenableexcept(FE_ALL_EXCEPT);
	call();
	for (int i = 0; i < ROUNDS; i++) {
		usleep(ROUND_US);
		scenario_flush();
	}
	fedisableexcept(FE_ALL_EXCEPT);
	return NULL;
}

static void *plain_main(void *unused)
{
	call();
	return NULL;
}

static void first_call_by(void *(*thread_main)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, thread_main, NULL);
	pthread_join(thread, NULL);
	show_writer();
}

static void scenario_real_time(void)
{
	first_call_by(real_time_main);
}

static void scenario_idle(void)
{
	first_call_by(idle_main);
}

static void scenario_deadline(void)
{
	first_call_by(deadline_main);
}

static void scenario_batch(void)
{
	first_call_by(batch_main);
}

static void scenario_trapping(void)
{
	first_call_by(trapping_main);
}

/* What was done to the process from outside is obeyed. */
static void scenario_pinned(void)
{
	if (getenv("INHERITED_PINNED")) {
		first_call_by(plain_main);
		return;
	}
	if (CPU_COUNT(&at_start.cpus) < 2)
		exit(SKIPPED);
	pin();
	must(setpriority(PRIO_PROCESS, 0, NICE));
	setenv("INHERITED_PINNED", "1", 1);
	execl("/proc/self/exe", "inherited_app", "pinned", (char *)NULL);
	exit(2);
}

static void scenario_pinned_early(void)
{
	if (CPU_COUNT(&at_start.cpus) < 2)
		exit(SKIPPED);
	first_call_by(plain_main);
}

static const struct scenario scenarios[] = {
	{"real-time", scenario_real_time},	 {"idle", scenario_idle},
	{"deadline", scenario_deadline},	 {"batch", scenario_batch},
	{"trapping", scenario_trapping},	 {"pinned", scenario_pinned},
	{"pinned-early", scenario_pinned_early}, {NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
