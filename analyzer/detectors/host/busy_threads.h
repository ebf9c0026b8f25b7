/*
 * Finds threads that poll without sleeping, and how long other threads waited for a processor
 * meanwhile. The evidence is the kernel's counters (trace.thread_times), one sum for each thread.
 * One thread at a time for each struct.
 */
#ifndef STREAMTRACE_BUSY_THREADS_H
#define STREAMTRACE_BUSY_THREADS_H

#include "base/memory.h"
#include "detectors/doubt.h"
#include "detectors/evidence/covered.h"
#include "trace/trace.h"

struct busy_thread {
	const struct trace_thread_times *times;
	int64_t polls_ns; /* total time from the first query of each poll to its last */
	int64_t work_ns;  /* total time between the thread's calls */
	uint64_t pauses;  /* number of pauses between queries of polls */
};

struct busy_threads {
	const struct trace *trace;
	struct busy_thread *items;
	size_t count;	  /* 0: no counters for the recorded time, or the trace is a sample */
	struct map by_id; /* thread id to index in items */
	/* The share (0..1) of the processors that these threads used; 1 if the number of processors
	 * is unknown. */
	double used;
};

/* Finds the threads that have counters, busy or not. Free by busy_threads_free(). The trace must
 * outlive the result. */
struct busy_threads busy_threads_find(const struct trace *trace);
void busy_threads_free(struct busy_threads *threads);

/* Whether the thread was awake for most of the time of its polls. False for an unknown thread. */
bool busy_threads_polls(const struct busy_threads *threads, uint32_t thread_id);

/* Spins of such threads. Zero-initialize the struct; add all spins; call busy_spins_end(); then
 * query. Free by busy_spins_free(). */
struct busy_spins {
	struct covered covered;	    /* the spins' times; used only if there are any */
	int64_t *beside_ns;	    /* by index in busy_threads.items: the thread's work during the
				     * spins; NULL: no spins */
	double least_ns, likely_ns; /* processor time of the spins: at least, and as the times
				     * suggest */
};

/* Adds a spin of the thread; span: when the thread spun. Does nothing if busy_threads_polls() is
 * false for the thread: the caller need not check. Call in the order of the spins' starts. */
void busy_spins_add(struct busy_spins *spins, const struct busy_threads *threads,
		    uint32_t thread_id, struct span span);
/* Call after the last spin was added. */
void busy_spins_end(struct busy_spins *spins, const struct busy_threads *threads);
void busy_spins_free(struct busy_spins *spins);

/* How long threads waited for a processor because of the spins, summed over the threads. */
double busy_spins_taken_ns(const struct busy_spins *spins, const struct busy_threads *threads,
			   enum doubt doubt);

/* Calls take() for each call before which the call's thread waited for a processor because of the
 * spins. waited_ns: how long, 1 or more. */
void busy_spins_each(const struct busy_spins *spins, const struct busy_threads *threads,
		     enum doubt doubt,
		     void (*take)(void *context, const struct trace_call *call, int64_t waited_ns),
		     void *context);

/* The processors that the program could run on; 0: the trace does not tell. */
double busy_threads_cpus(const struct trace *trace);

#endif
