/*
 * The operations that an operation waited for on the device. There are four kinds: the last operation before an
 * event that the waiting operation's stream waited for, the operation at the barrier of the legacy default stream,
 * the operation before the waiting one in its stream, and in a graph those in other streams from which edges lead to
 * it. An operation counts only if it ended after the waiting one was enqueued. One thread. Out of memory ends the
 * program.
 */
#ifndef STREAMTRACE_EVENT_CAUSES_H
#define STREAMTRACE_EVENT_CAUSES_H

#include "model/model.h"

#define CAUSES_MOST 16 /* further edges of a graph's node are left out */

struct causes;

/* Returns the causes of all operations of the model, which must outlive them. The caller frees them with
 * causes_free(). */
struct causes *causes_of(const struct model *model);
void causes_free(struct causes *causes);

/* Puts the operations that this operation waited for into found, an array of CAUSES_MOST, without duplicates.
 * Returns how many there are. They belong to the trace. An operation that the model lacks has none. */
size_t causes_find(const struct causes *causes, const struct trace_operation *operation,
		   const struct trace_operation **found);

/* Returns the next operation that the same call enqueued; NULL: there is none. The launch of a graph enqueues
 * many. */
const struct trace_operation *causes_next_of_call(const struct causes *causes,
						  const struct trace_operation *operation);

/* Returns the first operation that the call enqueued; NULL: there is none. */
const struct trace_operation *causes_first_of_call(const struct causes *causes,
						   const struct trace_call *call);

#endif
