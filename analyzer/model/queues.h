/*
 * Finds the operation before another one in its hardware queue: an operation starts after the one
 * before it, whatever streams the two are in (building_queues.c explains queues). Only queues that
 * kernels go through count; small copies go through them, too. A copy engine's queue keeps its
 * order anyway.
 *
 * Zero-initialize a struct queues, and pass all operations in the order of enqueueing. One thread.
 */
#ifndef STREAMTRACE_MODEL_QUEUES_H
#define STREAMTRACE_MODEL_QUEUES_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/trace.h"

#define QUEUES_LIMIT 32 /* of a context: the most that CUDA_DEVICE_MAX_CONNECTIONS allows */

struct queues {
	struct map numbers; /* from a context and channel to an index in `last` */
	/* The last operation of each queue; NULL: no kernel went through it yet. */
	VECTOR(const struct trace_operation *) last;
	uint64_t key; /* the queue used last, which the next operation usually uses, too */
	size_t number;
};

/* Returns the last operation in this operation's queue if it is of another stream, otherwise NULL.
 * This operation then is the queue's last. */
const struct trace_operation *queues_pass(struct queues *queues,
					  const struct trace_operation *operation);

/* The most queues of one context that kernels went through so far. */
size_t queues_most_in_context(const struct queues *queues);

void queues_free(struct queues *queues);

#endif
