/*
 * The calls that failed. Any thread.
 *
 * Answers such as cudaErrorNotReady are no failures. failures_find() does not count a driver call
 * inside a runtime call that counts; the other functions judge any call by its result alone.
 */
#ifndef STREAMTRACE_FAILURES_H
#define STREAMTRACE_FAILURES_H

#include "trace/trace.h"

struct failed_calls {
	const struct trace_call *first; /* NULL: no call failed */
	size_t count;			/* failed calls, including the first */
	size_t calls_since;		/* calls, failed or not, from the first failed one on */
};

/* Counts the failed calls. The result's pointer belongs to the trace. */
struct failed_calls failures_find(const struct trace *trace);

/* Whether the call's result means that it failed. */
bool failures_has_failed(const struct trace_call *call);

/* The name of the call's result in the call's API: "cudaErrorIllegalAddress", or "error 1234" if
 * the result has no name. The caller frees the text. */
char *failures_name(const struct trace_call *call);

/* Whether the call's result means that earlier work failed on the device. */
bool failures_is_of_device(const struct trace_call *call);

#endif
