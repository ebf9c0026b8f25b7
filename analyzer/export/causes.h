/*
 * What each operation waited for on the device, as operations: an event's record, the barrier of the
 * legacy default stream, the one before it in its stream. Only what held it, not what was done before
 * it was enqueued. One thread.
 */
#ifndef STREAMTRACE_EXPORT_CAUSES_H
#define STREAMTRACE_EXPORT_CAUSES_H

#include "model/model.h"

#define CAUSES_MOST 3

struct causes;

struct causes *causes_of(const struct model *model);
void causes_free(struct causes *causes);

/* Into found[CAUSES_MOST]; how many there are. */
size_t causes_find(const struct causes *causes, const struct trace_operation *operation,
		   const struct trace_operation **found);

/* The next operation of the same call, or NULL: a graph's launch has many. */
const struct trace_operation *causes_next_of_call(const struct causes *causes,
						  const struct trace_operation *operation);

/* The first operation of the call, or NULL. */
const struct trace_operation *causes_first_of_call(const struct causes *causes,
						   const struct trace_call *call);

#endif
