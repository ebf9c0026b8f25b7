/*
 * Call stacks at the price of a few loads.
 *
 * The return address of a wrapped call is known for nothing, but for a <<<>>> launch it lies in a
 * stub that nvcc generated, and for a call that CUPTI tells of in CUPTI itself: the program's line
 * is further up. How far up the stack the next return address is depends on the code address alone,
 * as long as a function's frame has one size. So a stack is unwound once, the distance from each
 * return address to the next is remembered by address, and from then on walking a stack is one
 * lookup and one load a frame. An address that was never unwound to sends the walk back to the
 * unwinder; a frame that turns out to vary in size ends every later walk.
 */
#ifndef STREAMTRACE_SITES_H
#define STREAMTRACE_SITES_H

#include "recorder.h"

/* Frames in loaded libraries whose file names begin with `stem` are no call sites and are left out
 * from now on. Takes the loader's lock; a few at most, the rest is ignored. */
void sites_leave_out(const char *stem);

/* Any thread. */
bool sites_is_left_out(uint64_t address);

/* Fills in frames and frame_count. On the calling thread, while the caller's frame is live. */
void sites_capture(struct record *record, const struct caller *caller);

#endif
