/*
 * How much more work a run did than another: by what their devices ran, which a pitfall in how it was
 * enqueued does not change. One thread.
 */
#ifndef STREAMTRACE_GATE_SCALE_H
#define STREAMTRACE_GATE_SCALE_H

#include "base/vector.h"
#include "trace/trace.h"

/* Operations of one kernel, or copies and sets of one kind. */
struct work_count {
	const char *name;
	int64_t operations;
};

typedef VECTOR(struct work_count) work_counts; /* by name, each once */

/* What the trace's devices ran; names are put into the arena. */
work_counts scale_count(const struct trace *trace, struct arena *arena);

/* How many turns of its loops a run made for each that base made: most operations that both ran were
 * by so much more. 1 where they have none in common. */
double scale_of(const work_counts *run, const work_counts *base);

#endif
