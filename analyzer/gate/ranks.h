/*
 * The ranks of a launcher's processes (torchrun, mpirun): a diff compares the traces of a rank with
 * those of the same rank. One thread.
 */
#ifndef STREAMTRACE_GATE_RANKS_H
#define STREAMTRACE_GATE_RANKS_H

#include "base/vector.h"
#include "gate/gate_run.h"

#include <stdbool.h>

/* How many traces each side, base and head, has of one rank. */
struct rank {
	const char *name; /* "3"; NULL: traces without a rank, or all traces */
	size_t base_count, head_count;
};

struct ranks {
	VECTOR(struct rank) items; /* sorted by number; traces without a rank are the last item */
	size_t *of;		   /* by index in runs: the index of the run's rank in items */
	size_t count;		   /* of runs, and of elements in the array `of` */
};

/* Whether both sides have traces of the rank. */
static inline bool rank_is_pair(const struct rank *rank)
{
	return rank->base_count && rank->head_count;
}

/* The ranks of the count runs, of which the first base_count are base's. If both sides have no rank
 * in common, all traces are compared with each other: items has then one rank without a name. Names
 * belong to the runs. Free the result by ranks_free(). */
struct ranks ranks_find(const struct gate_run *const *runs, size_t base_count, size_t count);

/* "rank 3", "ranks 0, 2", "ranks 0 to 7", "the processes without a rank": names the ranks for which
 * is_chosen[index in items] is true. At least one must be. The text is in the arena. */
const char *ranks_describe(const struct ranks *ranks, const bool *is_chosen, struct arena *arena);

void ranks_free(struct ranks *ranks);

#endif
