/*
 * Sequences of kernel launches that a thread repeats: the same kernels in the same order, grids and
 * streams, with nothing between them that a CUDA graph could not take over. Threads that take turns
 * (model/thread_groups.h) count as one.
 *
 * What ends a sequence: a call that is no launch (but sets, copies of memory that is not pageable,
 * host functions, queries, and events that are recorded or waited for in a stream), a launch that
 * had to wait, and work of the host's that is too long to be a part of launching. Linear in the
 * trace but for a logarithm. One thread.
 */
#ifndef STREAMTRACE_LAUNCH_SEQUENCES_H
#define STREAMTRACE_LAUNCH_SEQUENCES_H

#include "base/vector.h"
#include "replay/observed.h"

/* More of the host's own time between two calls is work that no graph does. A launch takes 2 to
 * 10 us, and what frameworks do for each as much again. Where it is more only now and then the
 * sequence can go on, and that work stays. */
#define SEQUENCE_WORK_NS 100000

/* What comes less often is hardly worth a graph. */
#define SEQUENCE_COPIES 4

struct launch_sequence {
	size_t first, last; /* indexes in by_thread: all between belong to it */
	size_t launches;
	size_t kind;		/* the same for all copies of a sequence */
	bool has_new_arguments; /* than the copies before it; unknown ones are the same */
};

struct launch_sequences {
	VECTOR(struct launch_sequence) found;
	size_t kind_count;
	uint32_t *by_thread; /* indexes in trace.calls, by group of threads, then in order */
};

struct launch_sequences launch_sequences_find(const struct observed *observed);
void launch_sequences_free(struct launch_sequences *sequences);

#endif
