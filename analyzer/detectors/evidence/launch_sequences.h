/*
 * Finds sequences of kernel launches that a thread repeats: the same kernels in the same order,
 * with equal grids and streams, and nothing in between that a CUDA graph could not contain. Threads
 * that take turns (model/thread_groups.h) count as one.
 *
 * A sequence is ended by a call that is no launch (except sets, copies of memory that is not
 * pageable, host functions, queries, and recording or waiting for events in a stream), by a launch
 * that had to wait, and by work of the host too long to belong to launching. Linear in the trace
 * times a logarithm. One thread.
 */
#ifndef STREAMTRACE_LAUNCH_SEQUENCES_H
#define STREAMTRACE_LAUNCH_SEQUENCES_H

#include "base/vector.h"
#include "replay/observed.h"

struct launch_sequence {
	size_t first, last; /* indexes in by_thread: all calls in between belong to it */
	size_t launches;
	size_t kind;		/* equal for all copies of a sequence */
	bool has_new_arguments; /* its arguments differ from those of the copies before; unknown
				 * arguments count as equal */
};

struct launch_sequences {
	VECTOR(struct launch_sequence) found;
	size_t kind_count;
	uint32_t *by_thread; /* indexes in trace.calls, by group of threads, then in order */
};

struct launch_sequences launch_sequences_find(const struct observed *observed);
void launch_sequences_free(struct launch_sequences *sequences);

#endif
