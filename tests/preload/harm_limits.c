/* Limits on what a process may have, from its start or from its first call on. */
#include "harm_app.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

/* How much more of it than the program has now. */
static void limit(__rlimit_resource_t resource, rlim_t value)
{
	const struct rlimit limits = {value, value};

	MUST(!setrlimit(resource, &limits));
}

static void few_files(void)
{
	limit(RLIMIT_NOFILE, 16);
	make_calls(CALLS);
}

static void no_files(void)
{
	limit(RLIMIT_NOFILE, 3);
	make_calls(CALLS);
}

static void no_more_files(void)
{
	make_calls(CALLS / 2);
	wait_for_trace();
	limit(RLIMIT_NOFILE, 3);
	make_calls(CALLS / 2);
}

static void file_size(rlim_t bytes)
{
	limit(RLIMIT_FSIZE, bytes);
	make_calls(CALLS);
}

/* SIGXFSZ with its default action: it ends a program. */
static void no_file_size(void)
{
	file_size(0);
}

static void small_file_size(void)
{
	file_size(20000);
}

static rlim_t used_pages(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	MUST(file && fscanf(file, "%ld", &pages) == 1);
	fclose(file);
	return (rlim_t)pages;
}

static void little_memory(rlim_t more_bytes)
{
	limit(RLIMIT_AS, used_pages() * 4096 + more_bytes);
	make_calls(CALLS);
	free(malloc(1000));
}

static void no_memory(void)
{
	little_memory(200000);
}

static void memory_of_a_mb(void)
{
	little_memory(1 << 20);
}

static void memory_of_16_mb(void)
{
	little_memory(16 << 20);
}

static void no_more_memory(void)
{
	make_calls(CALLS / 2);
	wait_for_trace();
	limit(RLIMIT_AS, used_pages() * 4096);
	make_calls(CALLS / 2);
}

static void no_data(void)
{
	limit(RLIMIT_DATA, 1 << 20);
	make_calls(CALLS);
}

/* The default of new threads' stacks, too. */
static void small_stack(void)
{
	limit(RLIMIT_STACK, 65536);
	make_calls(CALLS);
}

static void endless_stack(void)
{
	limit(RLIMIT_STACK, RLIM_INFINITY);
	make_calls(CALLS);
}

static void no_locked_memory(void)
{
	limit(RLIMIT_MEMLOCK, 0);
	limit(RLIMIT_SIGPENDING, 0);
	limit(RLIMIT_MSGQUEUE, 0);
	limit(RLIMIT_CORE, 0);
	make_calls(CALLS);
}

/* Counts for who is not root: no thread can be made. */
static void no_processes(void)
{
	limit(RLIMIT_NPROC, 1);
	if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(61234, 61234, 61234))
		cannot("setresuid");
	make_calls(CALLS);
}

static void low_priority(void)
{
	const struct sched_param none = {0};

	setpriority(PRIO_PROCESS, 0, 19);
	MUST(!sched_setscheduler(0, SCHED_IDLE, &none));
	make_calls(CALLS);
	printf("policy %d\n", sched_getscheduler(0));
}

const struct scenario limit_scenarios[] = {
	{"few-files", few_files},
	{"no-files", no_files},
	{"no-more-files", no_more_files},
	{"no-file-size", no_file_size},
	{"small-file-size", small_file_size},
	{"no-memory", no_memory},
	{"memory-of-a-mb", memory_of_a_mb},
	{"memory-of-16-mb", memory_of_16_mb},
	{"no-more-memory", no_more_memory},
	{"no-data", no_data},
	{"small-stack", small_stack},
	{"endless-stack", endless_stack},
	{"no-locked-memory", no_locked_memory},
	{"no-processes", no_processes},
	{"low-priority", low_priority},
	{NULL, NULL},
};
