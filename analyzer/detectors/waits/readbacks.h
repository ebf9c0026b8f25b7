/*
 * Finds small D2H copies that are made again and again, and waited for each time. One thread.
 *
 * Usually the thread that made the copy waits in its call, or in a synchronization right after it.
 * If another thread made the copy (model/thread_groups.h), the wait only shows in that the waiting
 * thread made no call from before the copy's call until a host function after the copy had told the
 * host that it was done.
 */
#ifndef STREAMTRACE_READBACKS_H
#define STREAMTRACE_READBACKS_H

#include "base/vector.h"
#include "model/model.h"

struct readback {
	const struct trace_operation *copy;
	/* The call that waited; if another thread made the copy, the first call after the wait.
	 * NULL: none. */
	const struct trace_call *waiter;
	/* The waiting thread's calls before the copy's call and after the waiter, or NULL. */
	const struct trace_call *before, *next;
	/* Only if another thread made the copy: the first of its calls for it, and the host
	 * function that told the host. */
	const struct trace_call *first;
	const struct trace_host_function *told;
	size_t line; /* index in lines: copies with one call stack */
};

typedef VECTOR(uint16_t) number_vector;

struct readback_line {
	size_t count, equal_count; /* equal_count: those whose step equals that of the copy
				    * before */
	uint64_t step;		   /* the last step, a hash of its work */
	number_vector numbers;	   /* trace_call.numbers of the step's kernels */
};

struct readbacks {
	VECTOR(struct readback) all;
	VECTOR(struct readback_line) lines;
};

struct readbacks readbacks_find(const struct model *model);
void readbacks_free(struct readbacks *readbacks);

/* Whether the call makes such a copy. */
bool readbacks_is_copy(const struct trace_call *call);

#endif
