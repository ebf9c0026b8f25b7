/*
 * How much more work one run did than another, counted in operations that the devices ran. A pitfall
 * changes how operations are enqueued, not how many there are. One thread.
 */
#ifndef STREAMTRACE_GATE_SCALE_H
#define STREAMTRACE_GATE_SCALE_H

#include "base/vector.h"
#include "trace/trace.h"

/* How many operations a run did of one kernel, or of one kind of copies, or sets. */
struct work_count {
	const char *name;
	int64_t operations;
};

typedef VECTOR(struct work_count) work_counts; /* by name, each once */

/* Counts the trace's operations by name. Names are put into the arena. The caller frees the vector with
 * vector_free(). */
work_counts scale_count(const struct trace *trace, struct arena *arena);

/* How many operations run did for each of base's: the median of the ratio over the operations that both ran, each
 * name weighted by the smaller of its two counts. 1 if they have no name in common. */
double scale_of(const work_counts *run, const work_counts *base);

#endif
