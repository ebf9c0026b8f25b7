/*
 * Finds which earlier operations wrote or read the memory that an operation uses, while a model is
 * built. One thread.
 *
 * accesses.h finds what an operation B reads and writes. An operation A can have produced B's input
 * only if A is ordered before B (clocks.h), or had ended when B was enqueued. If the last operation
 * entered that wrote the memory is neither, it is not known which operations wrote it before, and B
 * may need any. An operation whose accesses are not all known needs, and may have written,
 * anything.
 */
#ifndef STREAMTRACE_MODEL_MEMORY_H
#define STREAMTRACE_MODEL_MEMORY_H

#include "model/model.h"

struct model_memory;

/* The trace must outlive the result. NULL: no launch's arguments were read, or there are too many
 * streams.
 * Free by model_memory_free(), which does nothing for NULL. */
struct model_memory *model_memory_create(const struct trace *trace);
void model_memory_free(struct model_memory *memory);

/* Enter that an event is recorded, and that a stream waits for it. wait: index in
 * trace.event_waits. */
void model_memory_record(struct model_memory *memory, uint32_t wait);
void model_memory_wait(struct model_memory *memory, uint32_t wait);

/* What memory tells about an operation. needs: a join of the operations that wrote what the
 * operation reads. reuses: a join of the operations that read or wrote what it writes. needs_all,
 * reuses_all: not all of these are known, so any operation before may be one. */
struct model_touched {
	node_index needs, reuses;
	bool needs_all, reuses_all;
	bool fills_buffer;	  /* as in struct model_operation */
	enum model_result result; /* only of a kernel */
};

/* Enters the next operation. Operations and events must be passed in the order of model_steps(). */
struct model_touched model_memory_enter(struct model_memory *memory, struct model *model,
					const struct trace_operation *operation);

/* Gives the node of the operation just entered; call before the next one. */
void model_memory_leave(struct model_memory *memory, struct model *model, node_index node);

/* Stores the counts of kernels and arguments in model->seen. Call after the last operation. */
void model_memory_count(const struct model_memory *memory, struct model *model);

#endif
