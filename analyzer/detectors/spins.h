/*
 * Spins: a thread asks for one event or stream again and again, and finds the work pending, with less
 * time between the queries than in them.
 */
#ifndef STREAMTRACE_SPINS_H
#define STREAMTRACE_SPINS_H

#include "trace/trace.h"

/* first: the first query; last: the one that found the work done, or the last one. */
struct spin {
	const struct trace_call *first, *last;
	size_t queries; /* at least SPIN_QUERIES */
	int64_t queries_ns;
};

#define SPIN_QUERIES 8

struct spins {
	struct spin *items; /* by their starts */
	size_t count;
	/* By index in trace.calls: of a query the index of the next one of its spin; 0: it is the last.
	 * NULL: there are no queries. */
	uint32_t *next;
};

struct spins spins_find(const struct trace *trace);
void spins_free(struct spins *spins);

/* By index in trace.calls: the index of the spin of another thread that was under way when the call began,
 * and lasted longest, plus one; 0: none was. Freed with free(). */
uint32_t *spins_beside(const struct spins *spins, const struct trace *trace);

#endif
