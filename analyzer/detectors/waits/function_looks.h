/*
 * Whether a thread waited for a host function, by looks at it (model/host_record.h). A wait that the
 * function ends lies before the function's end. A wait for anything else lies anywhere. One thread at a
 * time.
 */
#ifndef STREAMTRACE_FUNCTION_LOOKS_H
#define STREAMTRACE_FUNCTION_LOOKS_H

#include "detectors/instance.h"

/* Of looks at a thread that found it waiting for a thread. Zero-initialize it. */
struct function_looks {
	size_t before, behind; /* the ends of the host functions; each from call to call */
	struct host_place
		place; /* of the first one that knows the line, before an end; or site NULL */
};

/* Adds the looks between two calls of a thread. The first one enqueued the host function, which ended
 * between them. Does nothing where the trace has no looks. */
void function_looks_add(struct function_looks *looks, const struct model *model,
			const struct trace_call *call, const struct trace_call *next,
			const struct trace_host_function *function);

/* Whether the looks show that the thread waits for the functions. */
bool function_looks_are_wait(const struct function_looks *looks);

#endif
