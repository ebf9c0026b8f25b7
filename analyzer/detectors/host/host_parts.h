/*
 * Findings of host time that the fix removes; it does not move the time to other threads. The
 * detectors of HOST_KIND_WAIT, COMPILE, LOCK, GARBAGE, FAULTS and PREEMPTED share this. Any thread.
 */
#ifndef STREAMTRACE_HOST_PARTS_H
#define STREAMTRACE_HOST_PARTS_H

#include "detectors/host/host_kinds.h"

/* The detail of an instance. */
struct host_time {
	const struct trace_call
		*since; /* the thread's call before the gap; NULL: it is no gap, but the
					 * instance's call, which waited for nothing */
	int64_t ns;	/* that the fix removes */
	const struct trace_host_state *state; /* NULL if since is */
};

/* Adds an instance for each part of this kind, if its line has REPEAT_LEAST_TIMES such parts. A compilation that takes
 * longer than all others of its line is left out: it is the first, which stays. */
void host_parts_find(const struct observed *observed, enum host_kind kind, struct instances *found);

/* For struct detector.apply: the parts take no time. Other threads that looks found waiting for a
 * thread meanwhile wait for less. */
void host_parts_remove(const struct observed *observed, const struct instance *instances,
		       size_t count, enum doubt doubt, struct edits *edits);

/* For struct detector.describe: "compiling for 5.0 ms between A and B; GPU idle for 4.0 ms of it".
 * doing: "compiling" in this example. */
void host_parts_describe(const struct observed *observed, const struct instance *instance,
			 const char *doing, char *text, size_t size);

#endif
