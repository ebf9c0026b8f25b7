/*
 * A retimed trace: the run with fixes applied, as a trace. It has the same calls and operations at
 * the times of a replay, in the streams chosen by the fixes. Detectors search it like any trace,
 * and find waits that limit the run only then.
 *
 * It owns everything, except the sites, functions and texts that its pointers lead to. One thread.
 */
#ifndef STREAMTRACE_RETIMED_H
#define STREAMTRACE_RETIMED_H

#include "replay/observed.h"

struct retimed;

/* The timeline and its model must outlive it. NULL: the replay failed, or the trace has several
 * windows, whose gaps a replay does not know (unless it is a sample). Free by retimed_free(). */
struct retimed *retimed_build(const struct timeline *timeline, const struct edits *edits);
void retimed_free(struct retimed *retimed);

/* Without a timeline; owned by *retimed. */
const struct observed *retimed_observed(const struct retimed *retimed);

/* From a call, operation or host function of the retimed trace to that of the replayed one; NULL
 * for NULL. A call that is in neither (in a sample, one that captured a graph's node) is returned
 * unchanged. */
const struct trace_call *retimed_call(const struct retimed *retimed, const struct trace_call *call);
const struct trace_operation *retimed_operation(const struct retimed *retimed,
						const struct trace_operation *operation);
const struct trace_host_function *retimed_host_function(const struct retimed *retimed,
							const struct trace_host_function *function);

#endif
