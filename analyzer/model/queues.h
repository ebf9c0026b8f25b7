/*
 * Which kernel came before another in their hardware queue: what it starts behind, whatever streams the
 * two are in (building_queues.c says more of queues).
 *
 * Zero-initialize it; one pass over the operations in the order of being enqueued. One thread.
 */
#ifndef STREAMTRACE_MODEL_QUEUES_H
#define STREAMTRACE_MODEL_QUEUES_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/trace.h"

struct queues {
	struct map numbers; /* of a context and a channel, to an index in `last` */
	VECTOR(const struct trace_operation *) last;
	uint64_t key; /* of the one that was used last: mostly the next one, too */
	size_t number;
};

/* The last kernel in the operation's queue, if that is of another stream; else, and for what is no
 * kernel, NULL. The operation is the last then. */
const struct trace_operation *queues_pass(struct queues *queues,
					  const struct trace_operation *operation);

/* So many there were so far. */
static inline size_t queues_count(const struct queues *queues)
{
	return queues->last.count;
}

void queues_free(struct queues *queues);

#endif
