/*
 * Finds spins: a thread queries one event or stream again and again while work is pending, with
 * less time between the queries than in them. For a thread that polls awake: it makes no other call
 * in between. One thread.
 */
#ifndef STREAMTRACE_SPINS_H
#define STREAMTRACE_SPINS_H

#include "trace/trace.h"

/* Tells which threads poll awake: is_busy(context, thread_id). */
struct spins_busy {
	bool (*is_busy)(const void *context, uint32_t thread_id);
	const void *context;
};

struct spin {
	const struct trace_call *first, *last; /* the first and the last query */
	size_t queries; /* at least LOOP_LEAST_STEPS, unless the thread polls awake */
	int64_t queries_ns;
	bool has_pending; /* at least one query found work pending */
};

struct spins {
	struct spin *items; /* sorted by start */
	size_t count;
	/* By index in trace.calls: for a query, the index of the spin's next one; 0: the last.
	 * NULL: no queries. */
	uint32_t *next;
};

/* busy: NULL means that each thread polls awake. Free by spins_free(). */
struct spins spins_find(const struct trace *trace, const struct spins_busy *busy);
void spins_free(struct spins *spins);

/* For each of trace->calls: the index, plus one, of the longest spin of another thread that was
 * running when the call began; 0: none. The caller must free() it. */
uint32_t *spins_beside(const struct spins *spins, const struct trace *trace);

#endif
