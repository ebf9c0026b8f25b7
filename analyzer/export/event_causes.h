/*
 * The operations that an operation waited for on the device: the last one before an event that its stream
 * waited for, the one at the barrier of the legacy default stream, and the one before it in its stream. Only
 * operations that ended after the waiting one was enqueued count. One thread.
 */
#ifndef STREAMTRACE_EVENT_CAUSES_H
#define STREAMTRACE_EVENT_CAUSES_H

#include "model/model.h"

#define CAUSES_MOST 3

struct causes;

/* model must outlive the result. Free it with causes_free(). */
struct causes *causes_of(const struct model *model);
void causes_free(struct causes *causes);

/* Puts the operations that this one waited for into found, an array of CAUSES_MOST, and returns how many there are. */
size_t causes_find(const struct causes *causes, const struct trace_operation *operation,
		   const struct trace_operation **found);

/* The next operation that the same call enqueued; NULL: there is none. The launch of a graph enqueues many. */
const struct trace_operation *causes_next_of_call(const struct causes *causes,
						  const struct trace_operation *operation);

/* The first operation that the call enqueued; NULL: there is none. */
const struct trace_operation *causes_first_of_call(const struct causes *causes,
						   const struct trace_call *call);

#endif
