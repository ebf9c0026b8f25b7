/*
 * Fix DROPPED_WAIT: cudaStreamSynchronize() or cudaDeviceSynchronize() at a site returns at once.
 *
 * That is made only where the host can see nothing of the work that the call would have waited for: no asynchronous copy from or
 * to memory other than the device's and the heap's, no host function and no graph is under way. Kernels that use memory of the
 * host are for the command line to refuse.
 *
 * What the wait has ordered stays in order: an event marks the work that it covered, and other streams wait for that event before
 * their next work (dropped_wait_order()). Streams that only the driver's API or a statically linked cudart uses are not seen.
 * What could tell that the work is not done makes the wait up (dropped_wait_make_up()): a query, the time between events, a
 * clock (clock_waits.c). An error of the work is reported by a later call. What kernels print comes later, too.
 *
 * Nothing is dropped once the program has captured a stream, allocated managed memory or used more than 64 streams, or another
 * thread or process of the run uses CUDA. Any thread.
 */
#ifndef STREAMTRACE_TRIAL_DROPPED_WAIT_H
#define STREAMTRACE_TRIAL_DROPPED_WAIT_H

#include "trial/planned.h"

/* Call once for each device, with its context current. */
void dropped_wait_begin(void);

/* Drops the wait of the call. False: it was not dropped, and the site says why; call the real function. */
bool dropped_wait_drop(const struct trial_call *call, struct trial_site *site);

/* Lets the stream wait for what was dropped, unless it is ordered behind that anyway. Call before work is put into it. */
void dropped_wait_order(CUstream stream);

/* Notes work of the call, which has succeeded, that the host can see. */
void dropped_wait_note_visible(const struct trial_call *call);

/* Whether a wait was dropped and not made up. Costs one load. */
bool dropped_wait_is_pending(void);
/* Waits for what was dropped. */
void dropped_wait_make_up(void);
/* The same outside of a call that is wrapped in trial_calls.c. Keeps errno. */
void dropped_wait_make_up_alone(void);

/* Note streams: after they were made, before they are destroyed. */
void dropped_wait_stream_made(CUstream stream);
void dropped_wait_stream_ends(CUstream stream);

/* From now on no wait is dropped, because of this. */
void dropped_wait_stop(enum trial_refusal reason);

/* Forgets the streams of a context that was destroyed. */
void dropped_wait_forget(CUcontext context);

#endif
