/*
 * Finds which earlier operations wrote or read the memory that an operation uses, while a model is
 * built. One thread.
 *
 * accesses.h finds what an operation reads and writes. Only an operation that is ordered before it
 * (clocks.h), or had ended when it was enqueued, can have produced its input. If anything else
 * wrote to the memory in between, former writers are unknown. An operation whose accesses are not
 * all known needs, and may have written, anything.
 */
#ifndef STREAMTRACE_MODEL_MEMORY_H
#define STREAMTRACE_MODEL_MEMORY_H

#include "model/model.h"

struct model_memory;

/* NULL: the trace has no launch arguments, or too many streams. Free by model_memory_free(). */
struct model_memory *model_memory_create(const struct trace *trace);
void model_memory_free(struct model_memory *memory);

/* An event is recorded, or waited for; wait: index in trace.event_waits. */
void model_memory_record(struct model_memory *memory, uint32_t wait);
void model_memory_wait(struct model_memory *memory, uint32_t wait);

/* needs: join of the operations that wrote what it reads. reuses: join of those that read or wrote
 * what it writes. needs_all, reuses_all: not all are known, so it may be any operation before. */
struct model_touched {
	node_index needs, reuses;
	bool needs_all, reuses_all;
	enum model_result result; /* only of a kernel */
};

/* Enters the next operation; call in the order of model_steps(). */
struct model_touched model_memory_enter(struct model_memory *memory, struct model *model,
					const struct trace_operation *operation);

/* Gives the node of the operation just entered; call before the next one. */
void model_memory_leave(struct model_memory *memory, struct model *model, node_index node);

/* Stores the counts in model->seen. */
void model_memory_count(const struct model_memory *memory, struct model *model);

#endif
