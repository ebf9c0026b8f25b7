/*
 * The calls that failed. One thread.
 *
 * A failed driver call inside a failed runtime call counts as one with it. Answers such as
 * cudaErrorNotReady are no failures.
 */
#ifndef STREAMTRACE_FAILURES_H
#define STREAMTRACE_FAILURES_H

#include "trace/trace.h"

struct failed_calls {
	const struct trace_call *first; /* NULL: no call failed */
	size_t count;			/* failed calls, including the first */
	size_t calls_since;		/* all calls from the first failed one on; a driver call
					 * inside a runtime call is not counted */
};

struct failed_calls failures_find(const struct trace *trace);

/* Whether the call's result means that it failed. */
bool failures_has_failed(const struct trace_call *call);

/* The name of the call's result in its API, to be freed: "cudaErrorIllegalAddress", or "error 1234"
 * if it has none. */
char *failures_name(const struct trace_call *call);

/* Whether the result means that earlier work failed on the device. */
bool failures_is_of_device(const struct trace_call *call);

#endif
