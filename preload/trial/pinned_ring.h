/*
 * Fix PINNED_RING: a pageable copy to the device is copied in the call into chunks of pinned memory, each with an event,
 * and goes on from there asynchronously. So the call waits neither for earlier work in its stream nor for the device;
 * the source may be changed when it returns, as before.
 *
 * cudaMemcpy() has also ordered what other streams did afterwards behind the copy, because the host waited. That order
 * is kept: pinned_ring_order() lets these streams wait. Streams that only the driver's API or a statically linked
 * cudart uses are not seen.
 *
 * A ring belongs to a context. It begins with one slab of 32 MiB before the program's first copy, and grows by slabs up to
 * 512 MiB for copies that are under way at once. A copy of more than a slab waits for its own first pieces, as the real call
 * waits until the driver's staging memory has room. Any thread.
 */
#ifndef STREAMTRACE_TRIAL_PINNED_RING_H
#define STREAMTRACE_TRIAL_PINNED_RING_H

#include "trial/planned.h"

/* Makes the first slab of the current context. Call once for each device. */
void pinned_ring_begin(void);

/* Makes the copy. False: it was not made, and the site says why; call the real function. */
bool pinned_ring_copy(const struct trial_call *call, struct trial_site *site);

/* Whether a copy of cudaMemcpy() may still be under way. Costs one load. */
bool pinned_ring_is_pending(void);
/* Lets the stream wait for such copies, unless it is ordered behind them anyway. Call before work is put into it. */
void pinned_ring_order(CUstream stream);

/* Forgets the rings of a context that was destroyed: its memory is gone. */
void pinned_ring_forget(CUcontext context);

#endif
