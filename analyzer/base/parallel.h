/*
 * Independent jobs on all processors that the process may use.
 *
 *	static void sum(void *context, size_t index)	(writes only what belongs to that index)
 *
 *	parallel_run(count, sum, &sums);
 *
 * The result cannot depend on which thread runs a job, nor on the order of the jobs, as long as
 * each writes to its own memory and reads what no other writes. The functions of base/ may be called
 * in jobs on memory of their own: each job has its own arena, map or vector.
 */
#ifndef STREAMTRACE_PARALLEL_H
#define STREAMTRACE_PARALLEL_H

#include <stddef.h>

/* Calls job(context, index) for each index below count, and returns when all have returned. Threads
 * take the indexes in increasing order, the calling thread too. Where a thread cannot be made the
 * others do its part. Inside a job it calls one after the other in the job's thread. Jobs get no
 * signals but in the calling thread. */
void parallel_run(size_t count, void (*job)(void *context, size_t index), void *context);

/* How many jobs run at a time, 1 or more: the processors that the process may use; 1 in a job. */
size_t parallel_workers(void);

/* From now on that many at a time instead; 0: the processors again. For tests and for memory that
 * grows with it. Not while jobs run. */
void parallel_limit(size_t workers);

#endif
