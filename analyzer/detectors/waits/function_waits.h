/*
 * Finds waits for host functions: a thread enqueues a host function behind a step's work, and makes
 * no call until that function has run. Such a thread sleeps until the host function wakes it up:
 * JAX's block_until_ready() does so. No call shows the wait.
 *
 * The kernel must have counted that the thread slept (trace.thread_times), which a replay does not
 * tell: passes over replays find no such waits. Where the thread's next calls come so late that it may
 * have worked instead, looks must have found it waiting (function_looks.h). Any thread.
 */
#ifndef STREAMTRACE_FUNCTION_WAITS_H
#define STREAMTRACE_FUNCTION_WAITS_H

#include "detectors/detector.h"

/* Adds an instance for each such wait of a loop that gives the host no result. site_call: the call
 * that enqueued host_function; place: the line that looks found waiting; call: the thread's next call. The detail is a zero struct
 * host_waited. */
void function_waits_find(const struct observed *observed, struct instances *found);

/* For apply() of a detector: takes the waits out of the time before the next calls. The last one
 * stays. Instances without a host function are skipped. */
void function_waits_fix(const struct observed *observed, const struct instance *instances,
			size_t count, enum doubt doubt, struct edits *edits);

/* For describe() of a detector. The instance must have a host function. */
void function_waits_describe(const struct observed *observed, const struct instance *instance,
			     char *text, size_t size);

#endif
