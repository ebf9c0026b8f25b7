/*
 * Finds small D2H copies, and the calls that waited for them. Any thread.
 *
 * Usually the thread that made the copy waits in the copy's call, or in a synchronization after
 * that call; and it may have synchronized right before the copy's call, for the work that the copy
 * reads. If another thread waits (model/thread_groups.h), its wait shows in a gap: the waiting
 * thread makes no call from before the copy's call until a host function, enqueued after the copy,
 * has run.
 */
#ifndef STREAMTRACE_READBACKS_H
#define STREAMTRACE_READBACKS_H

#include "base/vector.h"
#include "detectors/waits/told_kernels.h"
#include "model/model.h"

struct readback {
	const struct trace_operation *copy;
	/* The call that waited; if another thread waited, that thread's first call after the wait.
	 * NULL: nobody is seen to wait. */
	const struct trace_call *waiter;
	/* The waiting thread's calls before the copy's call and after the waiter, or NULL. */
	const struct trace_call *before, *next;
	/* The thread's synchronization right before the copy's call, which gave the host no other
	 * result; then `before` is the call before it. NULL: there is none. */
	const struct trace_call *awaited;
	/* If another thread waited: the first call of the turn in which the copying thread made the
	 * copy; else NULL. */
	const struct trace_call *first;
	/* The host function that told the host that the copy was done, or NULL. */
	const struct trace_host_function *told;
	size_t line; /* index in lines: copies with one call stack */
	/* The host's own time before a call that enqueued, on average since the thread's read before; 0:
	 * there was at most one such call. */
	uint32_t between_ns;
	/* Between the copy's call and the waiter the thread enqueued more. */
	bool is_behind_others;
	/* The threads then enqueued what they enqueued in the step before: with the same sizes, and told
	 * to kernels. So the value decided nothing of that. */
	bool is_undecided;
};

/* The copies with one call stack. A step is the work that the threads enqueued since their copy
 * before. */
struct readback_line {
	/* Copies; copies whose step equals that of the line's copy before, but for sizes and for values
	 * that kernels are told; of these, copies whose step differs in sizes, or in such values. */
	size_t count, equal_count, sized_count, value_count;
	uint64_t step, sizes; /* hashes of the last copy's step: what it enqueued, and how large */
	struct told_line told;
	/* The line whose copy comes before most of this line's copies, and by how many more. */
	size_t after, lead;
	/* The number of the loop. Lines whose copies follow each other in each step have one loop. */
	uint32_t loop;
};

struct readbacks {
	VECTOR(struct readback) all;
	VECTOR(struct readback_line) lines;
};

/* Finds all small D2H copies with a known call site. Free by readbacks_free(). */
struct readbacks readbacks_find(const struct model *model);
void readbacks_free(struct readbacks *readbacks);

/* Whether the call makes a small D2H copy, of at most COPY_SMALL_BYTES (base/thresholds.def), at a
 * known call site. */
bool readbacks_is_copy(const struct trace_call *call);

#endif
