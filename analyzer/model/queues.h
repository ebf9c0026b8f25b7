/*
 * Finds the operation before another one in its hardware queue. An operation starts after the
 * operation before it in the queue, whatever streams the two are in (building_queues.c explains
 * queues). Only queues that kernels go through count; small copies go through these, too. A copy
 * engine's queue keeps its order anyway.
 *
 * Zero-initialize a struct queues, and pass all operations in the order of enqueueing; free it by
 * queues_free(). One thread.
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
	/* Of the queue used last, which the next operation usually uses, too: its key in numbers,
	 * and its index in `last`. */
	uint64_t key;
	size_t number;
};

/* Passes the operation, which then is the last of its queue. Returns the operation that was the
 * last before, if that one is of another stream; otherwise, and if the queue is unknown, NULL. */
const struct trace_operation *queues_pass(struct queues *queues,
					  const struct trace_operation *operation);

/* How many queues kernels went through so far in the context with the most. */
size_t queues_most_in_context(const struct queues *queues);

void queues_free(struct queues *queues);

#endif
