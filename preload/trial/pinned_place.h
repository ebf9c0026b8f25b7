/*
 * Fixes PINNED_SOURCE and PINNED_RESULT: memory that copies at a site use again and again is registered where it is, and the
 * program's own copies go on at the rate of pinned memory. A cudaMemcpy() waits as before. An asynchronous copy returns at once:
 * its memory is guarded (guards.h), and the host waits at its first touch; without a guard, in the call.
 *
 * Memory is registered when it is used for the second time: all that copies at such sites have used so far without a gap, in
 * whole pages. Only from the start of a block of malloc() on that has a mapping of its own: pages of the heap or of a stack are
 * touched by code that must not wait. It is unregistered before the program gives it up or registers it itself, when the process
 * forks, and for good, with all other, when a copy's memory is not known, when a host function is enqueued, and in programs whose
 * work is not all seen. Copies at other sites that use registered memory asynchronously are waited for, as it is no longer
 * pageable; so are copies of memory that another thread may have registered meanwhile.
 *
 * Any thread.
 */
#ifndef STREAMTRACE_TRIAL_PINNED_PLACE_H
#define STREAMTRACE_TRIAL_PINNED_PLACE_H

#include "trial/planned.h"

/* Call both around a copy, if the page has one of the fixes. pinned_place_enter() registers and waits, pinned_place_leave()
 * guards, or waits: call it if the copy has succeeded. */
void pinned_place_enter(struct trial_call *call);
void pinned_place_leave(const struct trial_call *call);

/* Gives up all memory, and registers none from now on. */
void pinned_place_stop(enum trial_refusal reason);

/* Waits for copies of the memory that the host is about to give to CUDA otherwise, and unregisters it. */
void pinned_place_give_up(const void *address, size_t bytes);

/* Forgets the memory of a context that was destroyed: it is no longer registered. */
void pinned_place_forget(CUcontext context);

#endif
