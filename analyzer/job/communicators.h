/*
 * What the processes of a job say of their communicators: minima, maxima and sums, so that merging is associative
 * and commutative. One thread.
 *
 * A collective is done when as many have come as its communicator has ranks. Where processes do not agree how
 * many that are, or more came, as damaged files may have it, which of them that is depends on the order of
 * merging: nothing is known of such a communicator.
 */
#ifndef STREAMTRACE_JOB_COMMUNICATORS_H
#define STREAMTRACE_JOB_COMMUNICATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job_communicator {
	uint64_t unique_id;
	uint32_t least_ranks, most_ranks;
	uint64_t members; /* processes with collectives of it */
};

struct job_communicators {
	struct job_communicator *items; /* by unique_id, each once */
	size_t count;
};

/* Both together; a and b are freed. */
struct job_communicators communicators_merge(struct job_communicators a,
					     struct job_communicators b);

bool communicators_agree(const struct job_communicators *communicators, uint64_t unique_id);

/* Those whose members do not agree. */
size_t communicators_doubtful(const struct job_communicators *communicators);

#endif
