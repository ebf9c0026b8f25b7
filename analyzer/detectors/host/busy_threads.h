/*
 * Threads that poll without sleeping, and what others waited for a processor meanwhile: by what the
 * kernel counted of them (trace.thread_times), one sum for each thread.
 */
#ifndef STREAMTRACE_BUSY_THREADS_H
#define STREAMTRACE_BUSY_THREADS_H

#include "base/memory.h"
#include "detectors/evidence/covered.h"
#include "detectors/doubt.h"
#include "trace/trace.h"

struct busy_thread {
	const struct trace_thread_times *times;
	int64_t polls_ns; /* from the first query of polls to the last, in all */
	int64_t work_ns;  /* between its calls, in all */
	uint64_t pauses;  /* between queries of polls */
};

struct busy_threads {
	const struct trace *trace;
	struct busy_thread *items;
	size_t count; /* 0: nothing was counted, or not of what was recorded */
	struct map by_id;
	/* The share of the processors that these threads used; 1 where it is not known how many there
	 * are. */
	double used;
};

struct busy_threads busy_threads_find(const struct trace *trace);
void busy_threads_free(struct busy_threads *threads);

/* Whether it was awake in most of the time of its polls. */
bool busy_threads_polls(const struct busy_threads *threads, uint32_t thread_id);

/* Spins that end, of such threads. Zero-initialize it. */
struct busy_spins {
	struct covered covered;	    /* when there is any */
	int64_t *beside_ns;	    /* by index in busy_threads.items: its work beside them */
	double least_ns, likely_ns; /* of processors: for sure, and by what the times speak for */
};

/* The spins are added in the order of their starts. */
void busy_spins_add(struct busy_spins *spins, const struct busy_threads *threads,
		    uint32_t thread_id, struct span span);
/* Once all are there. */
void busy_spins_end(struct busy_spins *spins, const struct busy_threads *threads);
void busy_spins_free(struct busy_spins *spins);

/* What of that the spins took. */
double busy_spins_taken_ns(const struct busy_spins *spins, const struct busy_threads *threads,
			   enum doubt doubt);

/* Hands over the calls before which their threads waited for that, and how long. */
void busy_spins_each(const struct busy_spins *spins, const struct busy_threads *threads,
		     enum doubt doubt,
		     void (*take)(void *context, const struct trace_call *call, int64_t waited_ns),
		     void *context);

#endif
