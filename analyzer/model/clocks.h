/*
 * Vector clocks: tell which operations come before which in the order that CUDA guarantees
 * (order.h).
 *
 * Each stream's clock counts how many operations of every stream come before its next one.
 * Operations and events must be passed in the order of model_steps() (model.h). Host functions are
 * left out. One thread.
 */
#ifndef STREAMTRACE_MODEL_CLOCKS_H
#define STREAMTRACE_MODEL_CLOCKS_H

#include "trace/trace.h"

struct clocks;

/* The trace must outlive the clocks. NULL: the trace has more than CLOCKS_MOST_STREAMS streams
 * (base/thresholds.def).
 * Free by clocks_free(), which does nothing for NULL. */
struct clocks *clocks_create(const struct trace *trace);
/* Without the barrier of the legacy default stream: what streams and events order by themselves. */
struct clocks *clocks_create_explicit(const struct trace *trace);
void clocks_free(struct clocks *clocks);

/* Enters the next operation of the stream (an index in trace.streams). Returns the operation's
 * number in the stream, from 1. */
uint32_t clocks_enter(struct clocks *clocks, uint32_t stream);

/* Enter that an event is recorded, and that a stream waits for it. event: index in
 * trace.event_waits. Each wait is entered once, after its record. */
void clocks_record(struct clocks *clocks, uint32_t event);
void clocks_wait(struct clocks *clocks, uint32_t event);

/* Whether operation `number` of `stream` comes before the last operation entered in `other`. */
bool clocks_is_before(const struct clocks *clocks, uint32_t stream, uint32_t number,
		      uint32_t other);

#endif
