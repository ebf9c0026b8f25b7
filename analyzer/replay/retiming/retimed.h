/*
 * A trace of the run with fixes applied: the same calls and operations at the times of a replay,
 * in the streams that the fixes choose. Detectors search it like any trace, and find the waits
 * that limit the run only then.
 *
 * Everything belongs to it but what the trace's pointers to sites, functions and texts name. One
 * thread.
 */
#ifndef STREAMTRACE_RETIMED_H
#define STREAMTRACE_RETIMED_H

#include "replay/observed.h"

struct retimed;

/* The timeline and its model must outlive it. NULL: the replay cannot be run, or the trace has
 * several windows, whose gaps a replay does not know; but of a sample. */
struct retimed *retimed_build(const struct timeline *timeline, const struct edits *edits);
void retimed_free(struct retimed *retimed);

/* Without a timeline; belongs to it. */
const struct observed *retimed_observed(const struct retimed *retimed);

/* The call, operation or function of the trace that was replayed; NULL for NULL. A call that is in neither
 * stays itself: of a sample, what captured a graph's node. */
const struct trace_call *retimed_call(const struct retimed *retimed, const struct trace_call *call);
const struct trace_operation *retimed_operation(const struct retimed *retimed,
						const struct trace_operation *operation);
const struct trace_host_function *retimed_host_function(const struct retimed *retimed,
							const struct trace_host_function *function);

#endif
