/*
 * Finds sequences of kernel launches that a thread repeats: the same kernels in the same order,
 * with equal grids and streams, and nothing in between that a CUDA graph could not contain. Threads
 * that take turns (model/thread_groups.h) count as one.
 *
 * Sets and copies of memory that is not pageable count as launches. Host functions, queries, and
 * recording or waiting for events in a stream may come between launches. Any other call ends a
 * sequence. So does a call other than a kernel launch that waited for the device, and work of the
 * host too long to belong to launching. Takes time linear in the trace, times a logarithm. Any
 * thread.
 */
#ifndef STREAMTRACE_LAUNCH_SEQUENCES_H
#define STREAMTRACE_LAUNCH_SEQUENCES_H

#include "base/vector.h"
#include "replay/observed.h"

struct launch_sequence {
	size_t first, last; /* indexes in by_thread, both included, with all calls between */
	size_t launches;    /* 2 or more */
	size_t kind;	    /* below kind_count: equal for all copies of a sequence */
	/* What a graph of the first copy needs to run this one: the ns of the operations, and of
	 * their calls, that are given a pointer in another place than the first copy's graph has it.
	 * A pointer counts once: where the first copy passed one pointer again, this one does, too.
	 * 0 if a copy before had the same arguments. Unknown arguments count as equal. */
	int64_t renewed_ns, renewed_calls_ns;
	size_t changed; /* how many of its launches have other arguments than in the copy before */
};

struct launch_sequences {
	VECTOR(struct launch_sequence) found;
	size_t kind_count;
	uint32_t *by_thread; /* indexes of all trace.calls: by group of threads, then in order */
};

/* Free the result by launch_sequences_free(). */
struct launch_sequences launch_sequences_find(const struct observed *observed);
void launch_sequences_free(struct launch_sequences *sequences);

#endif
