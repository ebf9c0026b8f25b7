#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* With more workers, the memory of jobs matters more than their time. */
#define MOST_WORKERS ((size_t)64)

struct parallel {
	void (*job)(void *context, size_t index);
	void *context;
	size_t count;
	atomic_size_t next;
};

static size_t limit; /* 0: no limit */
static _Thread_local bool is_in_job;

static size_t processor_count(void)
{
	cpu_set_t set;

	/* Fails if there are more processors than the set has room for. */
	if (sched_getaffinity(0, sizeof(set), &set))
		return MOST_WORKERS;
	return CPU_COUNT(&set) > 0 ? (size_t)CPU_COUNT(&set) : 1;
}

size_t parallel_workers(void)
{
	size_t workers = limit ? limit : processor_count();

	if (is_in_job)
		return 1;
	return workers < MOST_WORKERS ? workers : MOST_WORKERS;
}

void parallel_limit(size_t workers)
{
	limit = workers;
}

static void *run_jobs(void *argument)
{
	struct parallel *parallel = argument;
	const bool was_in_job = is_in_job;
	size_t index;

	is_in_job = true;
	while ((index = atomic_fetch_add(&parallel->next, 1)) < parallel->count)
		parallel->job(parallel->context, index);
	is_in_job = was_in_job;
	return NULL;
}

/* Returns how many threads could be started. They block all signals. */
static size_t start_threads(struct parallel *parallel, pthread_t *threads, size_t count)
{
	size_t started = 0;
	sigset_t all, before;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before))
		return 0;
	while (started < count && !pthread_create(&threads[started], NULL, run_jobs, parallel))
		started++;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

void parallel_run(size_t count, void (*job)(void *context, size_t index), void *context)
{
	struct parallel parallel = {.job = job, .context = context, .count = count};
	size_t workers = parallel_workers(), started, i;
	pthread_t threads[MOST_WORKERS];

	workers = workers < count ? workers : count;
	started = start_threads(&parallel, threads, workers ? workers - 1 : 0);
	run_jobs(&parallel);
	for (i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}
