/*
 * Which operations the device runs before which, whatever their times: those of one stream, and
 * what events and the legacy default stream's barrier tie together.
 *
 * A clock a stream: how many operations of each stream come before its next one. Operations and
 * events are told of in the order of model_steps().
 */
#ifndef STREAMTRACE_MODEL_ORDER_H
#define STREAMTRACE_MODEL_ORDER_H

#include "trace/trace.h"

struct model_order;

/* NULL: so many streams that the clocks would take too much room. */
struct model_order *model_order_create(const struct trace *trace);
void model_order_free(struct model_order *order);

/* The next operation of the stream; its number in it, from 1. */
uint32_t model_order_enter(struct model_order *order, uint32_t stream);

/* By index in trace.event_waits. */
void model_order_record(struct model_order *order, uint32_t wait);
void model_order_wait(struct model_order *order, uint32_t wait);

/* Whether operation `number` of `stream` comes before what was entered last in `other`. */
bool model_order_is_before(const struct model_order *order, uint32_t stream, uint32_t number,
			   uint32_t other);

#endif
