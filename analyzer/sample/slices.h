/*
 * Slices: consecutive parts of a run. A slice is short compared with the run, and has thousands of
 * calls and several iterations of the run's loop.
 *
 * Each slice begins at a call. Near the wanted place a call is chosen that begins an iteration of
 * the loop and, among such calls, one with the least work left on the devices. One thread.
 */
#ifndef STREAMTRACE_SLICES_H
#define STREAMTRACE_SLICES_H

#include "trace/trace.h"

/* A slice is the calls [first, end). All four members are indexes in trace.calls. */
struct slice {
	/* The calls [run_up, first), the last third of the slice before, run up to this slice: a
	 * replay that begins with them has settled at `first`. The first slice has none. */
	uint32_t run_up;
	uint32_t first, end;
	/* The calls [first, run_down), the first third of this slice, follow the slice before. If
	 * only that one is in a sample they are kept, too: a fix can move work across its end. */
	uint32_t run_down;
	/* From one boundary to the next. A boundary is when the call has begun and all work
	 * enqueued before it is done. */
	int64_t length_ns;
	int64_t idle_ns; /* part of length_ns in which no device ran an operation */
};

/* Cuts the whole run into slices, in order and without gaps. Returns an array, never NULL, that the
 * caller must free(). *count: how many slices; 0 for a short run. */
struct slice *slices_cut(const struct trace *trace, size_t *count);

#endif
