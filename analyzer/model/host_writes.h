/*
 * Remembers which host memory was written by D2H copies, while a model is built: an H2D copy needs
 * the D2H copies that wrote the memory that it reads.
 *
 * Zero-initialize a struct host_writes; free it by host_writes_free(). One thread.
 */
#ifndef STREAMTRACE_MODEL_HOST_WRITES_H
#define STREAMTRACE_MODEL_HOST_WRITES_H

#include "model/model.h"
#include "model/extents.h"

struct host_writes {
	struct extents known;	 /* values: nodes */
	node_index unknown, all; /* joins of the D2H copies without a known host address, and of
				  * all D2H copies */
	/* The trace has no addresses. Then an H2D copy is assumed to read nothing that D2H copies
	 * wrote; otherwise no fix of a wait would save anything. */
	bool are_unseen;
};

/* Returns the node that joins all D2H copies that may have written what this H2D copy reads: all
 * copies if its address is unknown; NODE_NONE: none. */
node_index host_writes_before(const struct host_writes *writes, struct model *model,
			      const struct trace_operation *operation);

/* Adds a D2H copy with its node. */
void host_writes_add(struct host_writes *writes, struct model *model,
		     const struct trace_operation *operation, node_index node);

void host_writes_free(struct host_writes *writes);

#endif
