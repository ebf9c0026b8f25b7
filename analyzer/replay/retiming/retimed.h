/*
 * A retimed trace: the run with fixes applied, as a trace. It has the same calls and operations at
 * the times of a replay, in the streams chosen by the fixes. Detectors search it like any trace,
 * and find waits that limit the run only then.
 *
 * The retimed trace owns its calls, operations and streams, and all arrays whose times it changes;
 * sites, functions and texts belong to the trace that was replayed. One thread builds it; then any
 * thread may read.
 */
#ifndef STREAMTRACE_RETIMED_H
#define STREAMTRACE_RETIMED_H

#include "replay/observed.h"

struct retimed;

/* Replays the timeline with the edits. No other replay of the timeline may be running, because this
 * function calls timeline_rest(). The timeline, its model and its trace must outlive the result;
 * the edits need not. NULL: the replay failed, or the trace has several windows and is no sample: a
 * replay does not know the gaps. Free by retimed_free(). */
struct retimed *retimed_build(const struct timeline *timeline, const struct edits *edits);
void retimed_free(struct retimed *retimed);

/* What is observed of the retimed run, without a timeline. Owned by *retimed. */
const struct observed *retimed_observed(const struct retimed *retimed);

/* From a call, operation or host function of the retimed trace to the same one of the replayed
 * trace; NULL for NULL. A call that is in neither trace (in a sample, a call that captured a
 * graph's node) is returned unchanged. */
const struct trace_call *retimed_call(const struct retimed *retimed, const struct trace_call *call);
const struct trace_operation *retimed_operation(const struct retimed *retimed,
						const struct trace_operation *operation);
const struct trace_host_function *retimed_host_function(const struct retimed *retimed,
							const struct trace_host_function *function);

#endif
