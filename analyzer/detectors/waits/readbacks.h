/*
 * Small copies to the host that are made again and again and waited for each time.
 *
 * The thread that made the copy waits in the copy's call or in a synchronize right behind it. Or
 * another thread made the copy for it (model/thread_groups.h): then nothing shows the wait but that
 * it made no call since before the copy's, until a host function behind the copy had told the host
 * that it was done. One thread.
 */
#ifndef STREAMTRACE_READBACKS_H
#define STREAMTRACE_READBACKS_H

#include "base/vector.h"
#include "model/model.h"

struct readback {
	const struct trace_operation *copy;
	/* The call that waited; where another thread made the copy, the first call behind the
	 * wait. NULL: none. */
	const struct trace_call *waiter;
	/* The waiting thread's calls before the copy's call and behind the waiter, or NULL. */
	const struct trace_call *before, *next;
	/* Only where another thread made the copy: the first of its calls for that, and what told
	 * the host. */
	const struct trace_call *first;
	const struct trace_host_function *told;
	size_t line; /* the same for the same call stack: an index in lines */
};

typedef VECTOR(uint16_t) number_vector;

struct readback_line {
	size_t count, equal_count; /* of them, those whose step was that of the one before */
	uint64_t step;		   /* the last */
	number_vector numbers;	   /* of its kernels (trace_call.numbers) */
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
