/*
 * Runs independent jobs on all processors that the process may use.
 *
 *	static void sum(void *context, size_t index)	(writes only the result for that index)
 *
 *	parallel_run(count, sum, &sums);
 *
 * The result does not depend on which thread runs a job, nor on the order of the jobs, if each job
 * writes only its own memory, and reads none that another job writes. Jobs may call the functions
 * of base/, each job with an arena, map or vector of its own.
 */
#ifndef STREAMTRACE_PARALLEL_H
#define STREAMTRACE_PARALLEL_H

#include <stddef.h>

/* Calls job(context, index) for each index below count, and returns when all jobs have returned.
 * The calling thread and new threads take the indexes in increasing order. If a thread cannot be
 * made, the other threads do its work. Inside a job there are only the threads that other jobs leave:
 * perhaps none but the calling one. Signals arrive only on the calling thread. */
void parallel_run(size_t count, void (*job)(void *context, size_t index), void *context);

/* How many jobs run at a time: the limit that was set or, without one, the number of processors
 * that the process may use; at most 64. Inside a job: 1, for more may be busy. */
size_t parallel_workers(void);

/* Sets how many jobs run at a time from now on; 0: as many as processors again. For tests, and to
 * limit memory. Must not be called while jobs run. */
void parallel_limit(size_t workers);

#endif
