/*
 * The calls that failed.
 *
 * A call that another failed call made inside (the driver's in the runtime's) counts as one with
 * it. Answers such as cudaErrorNotReady are no failures. One thread.
 */
#ifndef STREAMTRACE_FAILURES_H
#define STREAMTRACE_FAILURES_H

#include "trace/trace.h"

struct failed_calls {
	const struct trace_call *first; /* NULL: none failed */
	size_t count;			/* with the first */
	size_t calls_since;		/* all calls from the first on, counted likewise */
};

struct failed_calls failures_find(const struct trace *trace);

/* Whether the call's result says that it failed. */
bool failures_has_failed(const struct trace_call *call);

/* The result's name in the call's API: "cudaErrorIllegalAddress"; "error 1234" where it has none.
 * malloc'ed. */
char *failures_name(const struct trace_call *call);

/* Whether the call reports that earlier work failed on the device. */
bool failures_is_of_device(const struct trace_call *call);

#endif
