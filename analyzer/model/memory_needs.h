/*
 * Which memory each operation reads and writes, and who did so before, while a model is built.
 *
 * What an operation reads and writes is what accesses.h finds. Only what is ordered before an
 * operation (clocks.h), or had ended when it was enqueued, can have been meant for it; where
 * something else wrote in between, what was there before that is not known any more. An operation
 * of which not all is seen needs, and may have written, anything.
 */
#ifndef STREAMTRACE_MODEL_MEMORY_H
#define STREAMTRACE_MODEL_MEMORY_H

#include "model/model.h"

struct model_memory;

/* NULL: the trace has no arguments of launches, or too many streams. */
struct model_memory *model_memory_create(const struct trace *trace);
void model_memory_free(struct model_memory *memory);

/* Events, by index in trace.event_waits. */
void model_memory_record(struct model_memory *memory, uint32_t wait);
void model_memory_wait(struct model_memory *memory, uint32_t wait);

/* What wrote the memory that an operation reads, and the operations before it that read or wrote
 * what it writes. Where not all of it is known, everything before it may be. */
struct model_touched {
	node_index needs, reuses;
	bool needs_all, reuses_all;
	enum model_result result; /* of a kernel */
};

/* The next operation in the order of model_steps(). */
struct model_touched model_memory_enter(struct model_memory *memory, struct model *model,
					const struct trace_operation *operation);

/* The same operation has its node now. */
void model_memory_leave(struct model_memory *memory, struct model *model, node_index node);

/* Into model->seen. */
void model_memory_count(const struct model_memory *memory, struct model *model);

#endif
