/*
 * Which host memory copies out of the device wrote, while a model is built: a copy into the device
 * needs those that wrote what it reads.
 *
 * Zero-initialize it; host_writes_free() frees it.
 */
#ifndef STREAMTRACE_MODEL_HOST_WRITES_H
#define STREAMTRACE_MODEL_HOST_WRITES_H

#include "model/model.h"
#include "model/ranges.h"

struct host_writes {
	struct ranges known;	 /* values: nodes */
	node_index unknown, all; /* those whose address the trace does not have; all */
	/* The trace has no addresses at all: a copy into the device is assumed to read nothing of
	 * what copies out of it wrote. Else no fix of a wait would save anything there. */
	bool are_unseen;
};

/* Behind all that wrote what the copy into the device reads. */
node_index host_writes_before(const struct host_writes *writes, struct model *model,
			      const struct trace_operation *operation);

/* A copy out of the device, and its node. */
void host_writes_add(struct host_writes *writes, struct model *model,
		     const struct trace_operation *operation, node_index node);

void host_writes_free(struct host_writes *writes);

#endif
