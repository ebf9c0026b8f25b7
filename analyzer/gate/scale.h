/*
 * How much more work one run did than another. Work is counted in operations that the devices ran:
 * a pitfall changes how operations are enqueued, not how many there are. One thread at a time for
 * each arena.
 */
#ifndef STREAMTRACE_GATE_SCALE_H
#define STREAMTRACE_GATE_SCALE_H

#include "base/vector.h"
#include "trace/trace.h"

/* How many operations a run did of one kernel, of one kind of copies, or of sets. */
struct work_count {
	const char *name;
	int64_t operations;
};

typedef VECTOR(struct work_count) work_counts; /* sorted by name, each once */

/* Counts the trace's operations by name. Names are put into the arena. The caller frees the vector
 * with vector_free(). */
work_counts scale_count(const struct trace *trace, struct arena *arena);

/* How many operations `run` did for each operation of `base`: the median of the ratio over the
 * names that both have. Each name is weighted by the smaller of its two counts. 1 if no name is in
 * both. */
double scale_of(const work_counts *run, const work_counts *base);

/* Sorts the counts by name, and merges those of one name. */
void scale_sort(work_counts *counts);

/* Whether a name is in both. */
bool scale_is_known(const work_counts *run, const work_counts *base);

#endif
