/*
 * Whether the host waited for an operation before it enqueued another, and if so, on purpose. Threads count as one: what one
 * thread waited for another may know. One thread builds it; any thread may ask.
 */
#ifndef STREAMTRACE_HOST_ORDERS_H
#define STREAMTRACE_HOST_ORDERS_H

#include "replay/observed.h"

struct host_orders;

/* Free by host_orders_free(). The observed run must outlive it. */
struct host_orders *host_orders_create(const struct observed *observed);
void host_orders_free(struct host_orders *orders);

/* A call that can have been made to wait for the operation (a synchronize or a query), and that began after the operation was
 * enqueued and had ended by before_ns. */
bool host_orders_has_wait(const struct host_orders *orders, const struct trace_operation *operation,
			  int64_t before_ns);

/* Such a call, one of the first that began, that surely waited for the operation: for its stream, the device or what is behind
 * it. */
bool host_orders_has_sure_wait(const struct host_orders *orders,
			       const struct trace_operation *operation, int64_t before_ns);

/* The first call that surely waited for the operation, if all calls that can have waited for it by before_ns are of its line;
 * else NULL. */
const struct trace_call *host_orders_only_wait(const struct host_orders *orders,
					       const struct trace_operation *operation,
					       int64_t before_ns);

/* A call of another purpose in which the operation ended and which waited for work of the device, and that had ended by
 * before_ns; NULL: none. */
const struct trace_call *host_orders_luck(const struct host_orders *orders,
					  const struct trace_operation *operation,
					  int64_t before_ns);

/* Whether the host can have learnt between the two times that work was done: a call that can have been made to wait for it
 * ended, or host_orders_has_signal(). */
bool host_orders_may_know(const struct host_orders *orders, int64_t from_ns, int64_t until_ns);

/* Whether between the two times the device can have told the host something, or waited for it: a host function began or
 * ended, or a kernel ended that writes memory of the host, or a copy to the host of no more than a flag. */
bool host_orders_has_signal(const struct host_orders *orders, int64_t from_ns, int64_t until_ns);

/* Whether a call of another purpose that may have waited ended between the two times. */
bool host_orders_has_luck(const struct host_orders *orders, int64_t from_ns, int64_t until_ns);

#endif
