/*
 * The ranks of a launcher's processes (torchrun, mpirun): a diff compares the traces of a rank with those of
 * the same rank. One thread.
 */
#ifndef STREAMTRACE_GATE_RANKS_H
#define STREAMTRACE_GATE_RANKS_H

#include "base/vector.h"
#include "gate/run.h"

#include <stdbool.h>

/* The traces of both sides that are compared with each other. */
struct rank {
	const char *name; /* "3"; NULL: without a rank */
	size_t base_count, head_count;
};

struct ranks {
	VECTOR(struct rank) items; /* by number; without a rank comes last */
	size_t *of;		   /* by trace: index in items */
	size_t count;		   /* of traces */
};

/* Whether both sides have traces of it. */
static inline bool rank_is_pair(const struct rank *rank)
{
	return rank->base_count && rank->head_count;
}

/* Those of the runs, base's first. Where no rank is on both sides all traces are compared with each other:
 * as one without a name. */
struct ranks ranks_find(const struct gate_run *const *runs, size_t base_count, size_t count);

/* "rank 3", "ranks 0 and 2", "ranks 0 to 7", "the processes without a rank": those that are chosen, by index
 * in items. At least one is. */
const char *ranks_describe(const struct ranks *ranks, const bool *is_chosen, struct arena *arena);

void ranks_free(struct ranks *ranks);

#endif
