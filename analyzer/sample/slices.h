/*
 * Slices: consecutive parts of a run, short compared with the run, long compared with single events
 * in them.
 *
 * Each boundary is the start of a call: of the calls around the wanted place, the one with the
 * least work left on the devices, so that loops are cut between iterations. One thread.
 */
#ifndef STREAMTRACE_SLICES_H
#define STREAMTRACE_SLICES_H

#include "trace/trace.h"

/* The calls from `first` up to, not including, `end`; indexes in trace.calls. */
struct slice {
	/* Calls from here on run up to the slice: after a few of them, a run with a fix behaves as
	 * if it had not begun there. Equal to `first` in the first slice. */
	uint32_t run_up;
	uint32_t first, end;
	/* Calls up to here follow the slice: a fix can move work across its end. */
	uint32_t run_down;
	int64_t length_ns; /* between the boundaries, each when all work enqueued before it was
			    * done */
	int64_t idle_ns;   /* part of length_ns in which no device ran an operation */
};

/* Cuts the whole run into slices; the caller must free() them. *count: how many. */
struct slice *slices_cut(const struct trace *trace, size_t *count);

#endif
