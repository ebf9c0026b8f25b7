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

/* Threads that run jobs, of all runs: not those that have run out of jobs and wait for others. */
static atomic_size_t running;

static size_t processor_count(void)
{
	cpu_set_t set;

	/* Fails if there are more processors than the set has room for. */
	if (sched_getaffinity(0, sizeof(set), &set))
		return MOST_WORKERS;
	return CPU_COUNT(&set) > 0 ? (size_t)CPU_COUNT(&set) : 1;
}

static size_t most_workers(void)
{
	size_t workers = limit ? limit : processor_count();

	return workers < MOST_WORKERS ? workers : MOST_WORKERS;
}

size_t parallel_workers(void)
{
	return is_in_job ? 1 : most_workers();
}

void parallel_limit(size_t workers)
{
	limit = workers;
}

static void run_jobs(struct parallel *parallel)
{
	const bool was_in_job = is_in_job;
	size_t index;

	is_in_job = true;
	while ((index = atomic_fetch_add(&parallel->next, 1)) < parallel->count)
		parallel->job(parallel->context, index);
	is_in_job = was_in_job;
	atomic_fetch_sub(&running, 1);
}

static void *run_thread(void *argument)
{
	run_jobs(argument);
	return NULL;
}

/* Takes places of threads that may run, as many as there are but no more than wanted. Returns how many. */
static size_t take_places(size_t wanted)
{
	const size_t most = most_workers();
	size_t now = atomic_load(&running), taken;

	do {
		taken = now < most ? most - now : 0;
		taken = taken < wanted ? taken : wanted;
	} while (!atomic_compare_exchange_weak(&running, &now, now + taken));
	return taken;
}

/* Returns how many threads could be started. They block all signals. */
static size_t start_threads(struct parallel *parallel, pthread_t *threads, size_t count)
{
	size_t started = 0;
	sigset_t all, before;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before))
		return 0;
	while (started < count && !pthread_create(&threads[started], NULL, run_thread, parallel))
		started++;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

void parallel_run(size_t count, void (*job)(void *context, size_t index), void *context)
{
	struct parallel parallel = {.job = job, .context = context, .count = count};
	pthread_t threads[MOST_WORKERS];
	size_t places, started;

	/* Inside a job this thread has its place already. */
	atomic_fetch_add(&running, !is_in_job);
	places = count > 1 ? take_places(count - 1) : 0;
	started = start_threads(&parallel, threads, places);
	atomic_fetch_sub(&running, places - started);
	run_jobs(&parallel);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	atomic_fetch_add(&running, is_in_job);
}
