/*
 * The collectives of a job, matched over its processes by communicator and sequence.
 *
 * The transfer of a collective begins when its last rank has come, and ends for all ranks at once.
 * So a rank's kernel lasts for the time that the rank waited plus the transfer, and the rank with
 * the shortest kernel came last and waited for no other. No common clock is needed. All members are
 * sums, minima and maxima of integers, so that merging is associative and commutative. One thread
 * at a time for each struct.
 */
#ifndef STREAMTRACE_JOB_COLLECTIVES_H
#define STREAMTRACE_JOB_COLLECTIVES_H

#include "job/communicators.h"
#include "job/summary.h"

/* The id of a process in the job (summary_member_id()). If several ranks have equally short
 * kernels, the one with the least id counts as the last. */
typedef uint64_t job_member_id;

/* One collective that joins all ranks (arrival_joins_all() in arrivals.h), as far as its ranks are
 * merged. */
struct job_collective {
	uint64_t communicator; /* unique_id */
	uint32_t sequence, operation;
	uint64_t bytes; /* the largest value of the ranks */
	uint32_t ranks; /* of the communicator */
	uint32_t seen;	/* how many ranks are merged */
	int64_t least_ns,
		second_ns;  /* the two shortest kernels; second_ns is INT64_MAX if seen is 1 */
	int64_t sum_ns;	    /* of all kernels */
	job_member_id last; /* the rank with the shortest kernel */
	/* How long after the device was ready the kernel of `last` began, because of a late launch. */
	int64_t launch_ns;
};

/* Collectives of a communicator that one process had: the sequences first, first + step, and so on,
 * to last, which is included. sum_ns: the sum of their kernels' times. */
struct job_presence {
	uint64_t communicator;
	uint32_t first, last, step;
	int64_t sum_ns;
};

/* The collectives of a communicator that all of its ranks came to: how many there are, and the sum
 * over them of the shortest kernel. */
struct job_done {
	uint64_t communicator;
	uint64_t count;
	int64_t least_ns;
};

/* A process that came last in collectives. The sums are over those collectives of the communicator
 * to which all ranks came and in which this process came last. */
struct job_straggler {
	uint64_t communicator; /* 0: over all communicators */
	job_member_id member;
	uint64_t last_count; /* how many collectives these are */
	int64_t late_ns; /* how long the other ranks waited for this process, on average over them */
	/* The time between the last rank but one and this process: what the job would gain if this
	 * process were not late. */
	int64_t alone_ns;
	/* How long after the device was ready the kernels began, because of late launches; at most
	 * late_ns. */
	int64_t launch_ns;
};

struct job_collectives {
	/* Collectives of which some ranks are not merged yet, sorted by collectives_compare().
	 * A collective to which all ranks came is only in the sums below: communicators of few
	 * ranks then take little memory. */
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

/* The collectives of one process that can be matched: those that join all ranks, of communicators
 * with a known id and several ranks. *presences is an array of *presence_count elements, which the
 * caller frees. The summary stays the caller's. Free the result with collectives_free(). */
struct job_collectives collectives_of(const struct summary *summary, job_member_id member,
				      struct job_presence **presences, size_t *presence_count);

/* Merges a and b, which are freed. Free the result with collectives_free(). */
struct job_collectives collectives_merge(struct job_collectives a, struct job_collectives b);

/* Frees what the struct points to, and zeroes the struct. */
void collectives_free(struct job_collectives *collectives);

/* The functions below leave out communicators whose processes disagree (communicators.h). */

/* How long one process waited in collectives. If some ranks of a collective are not known, the
 * waiting there is a lower bound. */
struct job_waiting {
	int64_t waited_ns;	 /* for ranks that came later */
	int64_t transfer_ns;	 /* the sum over the collectives of the shortest kernel */
	uint64_t complete, seen; /* collectives to which all ranks came; all collectives */
};

/* collectives_complete(): to how many collectives all ranks came. collectives_seen(): how many
 * collectives are known. */
uint64_t collectives_complete(const struct job_collectives *collectives);
uint64_t collectives_seen(const struct job_collectives *collectives);

/* The waiting of the process that has these presences. */
struct job_waiting collectives_waiting(const struct job_collectives *collectives,
				       const struct job_presence *presences, size_t presence_count);

/* The processes that came last, summed over all communicators; the process that costs most comes
 * first. The caller frees the array of *count elements. */
struct job_straggler *collectives_stragglers(const struct job_collectives *collectives,
					     size_t *count);

/* a + b, at most INT64_MAX: damaged files can have huge numbers. a and b must not be negative. */
static inline int64_t collectives_add(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

#endif
