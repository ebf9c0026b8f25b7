/*
 * Parts of a run, one behind the other: short beside the run, long beside what happens in them.
 *
 * A boundary is the start of a call. Of the calls around it is taken whose start finds the least work left
 * on the devices, so that a loop is cut where its iterations end. One thread.
 */
#ifndef STREAMTRACE_SLICES_H
#define STREAMTRACE_SLICES_H

#include "trace/trace.h"

/* The calls from first up to end, by index in trace.calls. */
struct slice {
	/* From here on calls run up to it: after a few of them the run with a fix is as it would be
	 * without a beginning there. first, where nothing is before it. */
	uint32_t run_up;
	uint32_t first, end;
	/* Up to here calls follow a slice that this one is behind: what a fix changes can be on both sides
	 * of an end. */
	uint32_t run_down;
	int64_t length_ns; /* from one boundary to the next: once what was enqueued before it was done */
	int64_t idle_ns; /* of that, while no operation ran on any device */
};

/* Freed with free(). They are all of the run. */
struct slice *slices_cut(const struct trace *trace, size_t *count);

#endif
