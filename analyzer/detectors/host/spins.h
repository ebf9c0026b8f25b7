/*
 * Finds spins. In a spin a thread queries one event or stream again and again while work is
 * pending, with less time between the queries than in them. A thread that polls awake may take any
 * time between queries, but makes no other call there. Any thread.
 */
#ifndef STREAMTRACE_SPINS_H
#define STREAMTRACE_SPINS_H

#include "trace/trace.h"

/* The caller's answer to which threads poll awake. */
struct spins_busy {
	bool (*is_busy)(const void *context, uint32_t thread_id);
	const void *context;
};

struct spin {
	const struct trace_call *first, *last; /* the first and the last query */
	/* At least LOOP_LEAST_STEPS (base/thresholds.def), unless the thread polls awake. */
	size_t queries;
	int64_t queries_ns; /* the sum of the queries' durations */
	bool has_pending;   /* a query found work pending: true in each spin of the result */
};

struct spins {
	struct spin *items; /* sorted by start */
	size_t count;
	/* By index in trace.calls: for a query, the index of the spin's next query; 0: it is the
	 * last. NULL: the trace has no queries. */
	uint32_t *next;
};

/* Finds all spins. busy: NULL means that each thread polls awake. Free by spins_free(). */
struct spins spins_find(const struct trace *trace, const struct spins_busy *busy);
void spins_free(struct spins *spins);

/* For each of trace->calls the index, plus one, of the spin of another thread that was running when
 * the call began; of several spins, the one that ends last. 0: none. The caller frees the array. */
uint32_t *spins_beside(const struct spins *spins, const struct trace *trace);

#endif
