/*
 * What the processes of a job say of their communicators: minima, maxima and sums, so that merging
 * is associative and commutative. One thread at a time for each struct.
 *
 * A collective is done when as many ranks have come as its communicator has. If processes disagree
 * about that number, or more ranks come (damaged files), the result would depend on the order of
 * merging: such communicators are left out.
 */
#ifndef STREAMTRACE_JOB_COMMUNICATORS_H
#define STREAMTRACE_JOB_COMMUNICATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job_communicator {
	uint64_t unique_id;
	uint32_t least_ranks,
		most_ranks; /* how many ranks its processes say it has: equal if they agree */
	uint64_t members;   /* how many processes had collectives of it */
};

struct job_communicators {
	struct job_communicator *items; /* sorted by unique_id, each once; freed by free() */
	size_t count;
};

/* Merges a and b, whose items are freed. The caller frees the result's items. */
struct job_communicators communicators_merge(struct job_communicators a,
					     struct job_communicators b);

/* Whether the list has the communicator, its processes agree on the number of ranks, and no more
 * processes than that had collectives of it. */
bool communicators_agree(const struct job_communicators *communicators, uint64_t unique_id);

/* How many communicators of the list do not agree. */
size_t communicators_doubtful(const struct job_communicators *communicators);

#endif
