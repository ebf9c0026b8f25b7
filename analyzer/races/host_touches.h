/*
 * Races of the host with asynchronous copies: it wrote or gave back what a copy reads, or touched what a copy writes, while
 * nothing had told it that the copy was done (trace.copy_watches).
 *
 * Certain: the touch came before the copy had ended. Possible: the copy had not begun and the device may have waited for the
 * host; or what was read is no larger than a flag, which the host may poll; or the copy had ended, and nothing can have
 * told the host so. By luck: only a call of another purpose had waited for the copy. Where the host can have known by a
 * wait, a query, a host function or a flag in memory, nothing is said; nor of what the driver itself does. Calculates only; one thread.
 */
#ifndef STREAMTRACE_HOST_TOUCHES_H
#define STREAMTRACE_HOST_TOUCHES_H

#include "races/host_orders.h"
#include "races/races.h"

/* Calls take() for each of these races; their margins and counts are not set. */
void host_touches_each(const struct observed *observed, const struct host_orders *host,
		       void (*take)(void *context, struct race race), void *context);

#endif
