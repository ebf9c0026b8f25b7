/*
 * Spins: a thread asks for one event or stream again and again, and finds work pending. Between the
 * queries is less time than in them; or the thread makes no other call, and is one that polls
 * awake.
 */
#ifndef STREAMTRACE_SPINS_H
#define STREAMTRACE_SPINS_H

#include "trace/trace.h"

/* Which threads poll awake. */
struct spins_busy {
	bool (*is_busy)(const void *context, uint32_t thread_id);
	const void *context;
};

struct spin {
	const struct trace_call *first, *last; /* of the queries */
	size_t queries;			       /* at least SPIN_QUERIES, or BUSY_QUERIES */
	int64_t queries_ns;
	bool has_pending; /* one of them at least found work pending */
};

#define SPIN_QUERIES 8
#define BUSY_QUERIES 2 /* of a thread that polls awake */

struct spins {
	struct spin *items; /* by their starts */
	size_t count;
	/* By index in trace.calls: of a query the index of the next one of its spin; 0: it is the last.
	 * NULL: there are no queries. */
	uint32_t *next;
};

/* busy: NULL: each thread is taken to. */
struct spins spins_find(const struct trace *trace, const struct spins_busy *busy);
void spins_free(struct spins *spins);

/* By index in trace.calls: the index of the spin of another thread that was under way when the call
 * began, and lasted longest, plus one; 0: none was. Freed with free(). */
uint32_t *spins_beside(const struct spins *spins, const struct trace *trace);

#endif
