/*
 * What came before an operation in its hardware queue: it starts behind that, whatever streams the two are
 * in (building_queues.c says more of queues). Of queues that kernels go through: small copies do, too, and
 * wait there; what goes through a copy engine's queue keeps its order anyway.
 *
 * Zero-initialize it; one pass over the operations in the order of being enqueued. One thread.
 */
#ifndef STREAMTRACE_MODEL_QUEUES_H
#define STREAMTRACE_MODEL_QUEUES_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/trace.h"

#define QUEUES_LIMIT 32 /* of a context: the most that CUDA_DEVICE_MAX_CONNECTIONS gives */

struct queues {
	struct map numbers; /* of a context and a channel, to an index in `last` */
	VECTOR(const struct trace_operation *) last; /* NULL: no kernel went through it so far */
	uint64_t key; /* of the one that was used last: mostly the next one, too */
	size_t number;
};

/* The last operation in the operation's queue, if that is of another stream; else NULL. The operation is
 * the last then. */
const struct trace_operation *queues_pass(struct queues *queues,
					  const struct trace_operation *operation);

/* The most queues of one context that kernels went through so far. */
size_t queues_most_in_context(const struct queues *queues);

void queues_free(struct queues *queues);

#endif
