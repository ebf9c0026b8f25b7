/*
 * The collectives of a job, matched over its processes by communicator and sequence.
 *
 * The transfer of a collective begins when its last rank has come, and ends for all ranks at once. So a
 * rank's kernel lasts for the time that the rank waited plus the transfer, and the rank with the shortest
 * kernel came last and waited for no other. This needs no common clock. All members are sums, minima and maxima
 * of integers, so that merging is associative and commutative. One thread.
 */
#ifndef STREAMTRACE_JOB_COLLECTIVES_H
#define STREAMTRACE_JOB_COLLECTIVES_H

#include "job/communicators.h"
#include "job/summary.h"

/* The id of a process in the job (summary_member_id()). If several ranks have equally short kernels, the one with the
 * least id counts as the last. */
typedef uint64_t job_member_id;

/* One collective that joins all ranks (arrival_joins_all()), as far as its ranks are merged. */
struct job_collective {
	uint64_t communicator; /* unique_id */
	uint32_t sequence, operation;
	uint64_t bytes; /* the most that a rank says */
	uint32_t ranks; /* of the communicator */
	uint32_t seen;	/* ranks that are merged */
	int64_t least_ns,
		second_ns;  /* the two shortest kernels; second_ns is INT64_MAX if seen is 1 */
	int64_t sum_ns;	    /* of all kernels */
	job_member_id last; /* the rank with the shortest kernel */
	int64_t launch_ns; /* of last: how long its kernel began after the device was ready, because it was launched
			       only then */
};

/* Which collectives of a communicator one process had: the sequences first, first + step, ... to last. sum_ns: the
 * time of their kernels. */
struct job_presence {
	uint64_t communicator;
	uint32_t first, last, step;
	int64_t sum_ns;
};

/* The collectives of a communicator that all of its ranks came to: how many, and the sum of the shortest kernel of
 * each. */
struct job_done {
	uint64_t communicator;
	uint64_t count;
	int64_t least_ns;
};

/* A process that came last: sums over the collectives of a communicator that all ranks came to, this one last. */
struct job_straggler {
	uint64_t communicator; /* 0: over all communicators */
	job_member_id member;
	uint64_t last_count;
	int64_t late_ns; /* how long the others waited for it, on average over them */
	int64_t alone_ns; /* the part of late_ns behind the last but one: what the job would gain without this one */
	int64_t launch_ns; /* how much later its kernels were launched than the device was ready */
};

struct job_collectives {
	/* Collectives that not all ranks are known to have come to, as collectives_compare() sorts them. The others
	 * are only in the sums below, so that little is kept of communicators of few ranks. */
	struct job_collective *items;
	struct job_done *done;	    /* by communicator */
	struct job_straggler *late; /* by communicator, then member */
	size_t count, done_count, late_count;
	struct job_communicators communicators;
};

/* Compares by communicator, then sequence: < 0, 0 or > 0. */
static inline int collectives_compare(const struct job_collective *a,
				      const struct job_collective *b)
{
	if (a->communicator != b->communicator)
		return a->communicator < b->communicator ? -1 : 1;
	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* The collectives of one process. *presences: an array of *presence_count, which the caller frees. The summary stays
 * the caller's. */
struct job_collectives collectives_of(const struct summary *summary, job_member_id member,
				      struct job_presence **presences, size_t *presence_count);

/* Merges a and b, which are freed. Free the result with collectives_free(). */
struct job_collectives collectives_merge(struct job_collectives a, struct job_collectives b);

void collectives_free(struct job_collectives *collectives);

/* The functions below leave out communicators whose processes disagree (communicators.h). */

/* What one process waited for in collectives. If not all ranks of a collective are known, its part is a lower
 * bound. */
struct job_waiting {
	int64_t waited_ns;	 /* for ranks that came later */
	int64_t transfer_ns;	 /* the sum of the shortest kernel of each collective */
	uint64_t complete, seen; /* collectives that all ranks came to; all collectives */
};

/* How many collectives all ranks came to; and how many are known. */
uint64_t collectives_complete(const struct job_collectives *collectives);
uint64_t collectives_seen(const struct job_collectives *collectives);

/* The waiting of the process that has these presences. */
struct job_waiting collectives_waiting(const struct job_collectives *collectives,
				       const struct job_presence *presences, size_t presence_count);

/* The processes that came last, summed over all communicators; the one that costs most comes first. The caller frees
 * the array of *count. */
struct job_straggler *collectives_stragglers(const struct job_collectives *collectives,
					     size_t *count);

/* a + b, at most INT64_MAX. Damaged files can have huge numbers. Neither may be below 0. */
static inline int64_t collectives_add(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

#endif
