/*
 * Fix HELD_FREE: cudaFree() at a site keeps the block, and a later cudaMalloc() of the same size in the same context gets
 * it, once all work that cudaFree() would have waited for is done. So neither call waits, unless four blocks of that size
 * are held whose work is not done: then cudaMalloc() waits for the oldest one's.
 *
 * That work is known by marks in the streams that have had any since the block was given out (stream_marks.h).
 *
 * Only blocks of cudaMalloc() are held, at most half of the memory that was free when the first one was. If an
 * allocation of device memory fails, all held blocks are really freed, and it is made again. cudaMemGetInfo() counts held
 * blocks as used. Any thread.
 */
#ifndef STREAMTRACE_TRIAL_HELD_FREE_H
#define STREAMTRACE_TRIAL_HELD_FREE_H

#include "trial/planned.h"

/* Holds what the call frees. False: not held; call the real function. */
bool held_free_hold(const struct trial_call *call, struct trial_site *site);

/* Forgets a block that the call is about to free really. A block that the program frees twice is really freed here, so
 * that the real call fails as it would have. */
void held_free_forget(const struct trial_call *call);

/* Gives a held block to a call of cudaMalloc(). False: there is none; call the real function. */
bool held_free_hand_out(const struct trial_call *call);

/* Notes the block of a call of cudaMalloc() that has succeeded. */
void held_free_note(const struct trial_call *call);

/* Really frees all held blocks. False: none was held. */
bool held_free_release(enum cudart cudart);

/* After a call failed for want of device memory: releases all held blocks, and takes back the last error that this call has set. False: there was
 * nothing to free. True: make the call again. */
bool held_free_make_room(const struct trial_call *call);

/* Forgets the blocks of a context that was destroyed: its memory is gone. Call after stream_marks_forget(). */
void held_free_forget_all(CUcontext context);

#endif
