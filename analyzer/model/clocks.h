/*
 * Which operations come before which in the order that CUDA gives (order.h).
 *
 * A clock a stream: how many operations of each stream come before its next one. Operations and
 * events must be passed in the order of model_steps(). Host functions are left out.
 */
#ifndef STREAMTRACE_MODEL_CLOCKS_H
#define STREAMTRACE_MODEL_CLOCKS_H

#include "trace/trace.h"

struct clocks;

/* NULL: so many streams that the clocks would take too much room. */
struct clocks *clocks_create(const struct trace *trace);
void clocks_free(struct clocks *clocks);

/* The next operation of the stream; its number in it, from 1. */
uint32_t clocks_enter(struct clocks *clocks, uint32_t stream);

/* By index in trace.event_waits. */
void clocks_record(struct clocks *clocks, uint32_t event);
void clocks_wait(struct clocks *clocks, uint32_t event);

/* Whether operation `number` of `stream` comes before what was entered last in `other`. */
bool clocks_is_before(const struct clocks *clocks, uint32_t stream, uint32_t number,
		      uint32_t other);

#endif
