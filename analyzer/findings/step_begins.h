/*
 * When the steps of a run begin: at NVTX ranges of one name, at the calls of a line, or at what the run enqueues again
 * and again (step_period.h). In a file of the watch mode they are those of its table, as far as the device was recorded. One thread.
 *
 * Of ranges, those of one thread and name count, of which the numbers may differ ("step 1", "step 2"). If several names
 * repeat, the steps are the ranges that are named so ("step", "iter", "batch", "frame"), else those that take the longest.
 *
 * The host can be far ahead of the device: what a step takes is the time between its first operation and the next one's.
 */
#ifndef STREAMTRACE_STEP_BEGINS_H
#define STREAMTRACE_STEP_BEGINS_H

#include "trace/trace.h"

struct step_begins {
	char *range; /* the ranges' name, with '#' for numbers that differ; or NULL */
	const struct trace_call *
		call; /* without ranges: the call that begins the first step, or of the watch mode's the first in it */
	bool have_ends; /* they are ranges, or the watch mode's: what is behind the last is of no step, and uneven ones are steps */
	int64_t *begin_ns; /* on the host, by step, in order */
	int64_t *work_ns;  /* the same, of the first operation that the step enqueued */
	size_t count;
	int64_t end_ns; /* of the last step, and of all that it enqueued */
};

/* wanted: a part of a range's name or of a call site, as pattern.h has it, which then begins the steps if it comes twice
 * at least; NULL: what is found. False: there are no such steps. True: free by step_begins_free(). */
bool step_begins_find(const struct trace *trace, const char *wanted, struct step_begins *begins);
void step_begins_free(struct step_begins *begins);

/* When the work of a step, from 0 on, ends: where that of the next one begins. */
static inline int64_t step_begins_until_ns(const struct step_begins *begins, size_t step)
{
	return step + 1 < begins->count ? begins->work_ns[step + 1] : begins->end_ns;
}

#endif
