/*
 * Runs independent jobs on all processors that the process may use.
 *
 *	static void sum(void *context, size_t index)	(writes only the result for that index)
 *
 *	parallel_run(count, sum, &sums);
 *
 * The result does not depend on which thread runs a job, nor on the order of the jobs, if each job
 * writes only its own memory, and reads none that another writes. Jobs may call the functions of
 * base/: each with an arena, map or vector of its own.
 */
#ifndef STREAMTRACE_PARALLEL_H
#define STREAMTRACE_PARALLEL_H

#include <stddef.h>

/* Calls job(context, index) for each index below count, and returns when all have returned. The
 * calling thread and others take the indexes in increasing order. If a thread cannot be made, the
 * others do its work. Called inside a job, it runs all on the job's thread. Signals arrive only on
 * the calling thread. */
void parallel_run(size_t count, void (*job)(void *context, size_t index), void *context);

/* How many jobs run at a time: the processors that the process may use, at most 64; 1 inside a
 * job. */
size_t parallel_workers(void);

/* Sets how many jobs run at a time from now on; 0: the default again. For tests, and to limit
 * memory. Must not be called while jobs run. */
void parallel_limit(size_t workers);

#endif
