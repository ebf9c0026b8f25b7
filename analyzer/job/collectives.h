/*
 * The collectives of a job, matched over its processes by communicator and sequence.
 *
 * A collective is on the wire when its last rank has come and ends for all at once, so that each rank's
 * kernel lasts as long as the rank waited, and the transfer: the rank with the shortest kernel came
 * last and waited for nobody. This needs no common clock. Everything here is sums, minima and
 * maxima of integers, so that merging is associative and commutative. One thread.
 */
#ifndef STREAMTRACE_JOB_COLLECTIVES_H
#define STREAMTRACE_JOB_COLLECTIVES_H

#include "job/communicators.h"
#include "job/summary.h"

/* Who a process is in the whole job: of equal ones the least counts as the last. */
typedef uint64_t job_member_id;

/* Of one communicator and sequence, of those that join all ranks (arrival_joins_all()). */
struct job_collective {
	uint64_t communicator; /* unique_id */
	uint32_t sequence, operation;
	uint64_t bytes;		     /* the most */
	uint32_t ranks;		     /* of the communicator */
	uint32_t seen;		     /* kernels */
	int64_t least_ns, second_ns; /* the shortest kernels; second_ns: INT64_MAX of one */
	int64_t sum_ns;
	job_member_id last; /* whose the shortest is */
	int64_t launch_ns; /* of that one: its kernel began so long after the device was ready, for it was
			       not launched before */
};

/* Sequences of one process in one communicator, from first to last, step apart, and how long the kernels
 * took. */
struct job_presence {
	uint64_t communicator;
	uint32_t first, last, step;
	int64_t sum_ns;
};

/* Of a communicator the collectives that all of its ranks came to: how many, and the sum of the shortest
 * kernels. */
struct job_done {
	uint64_t communicator;
	uint64_t count;
	int64_t least_ns;
};

/* Of a member, over the collectives of a communicator that it came last to and all ranks came to; sums. */
struct job_straggler {
	uint64_t communicator; /* 0: of all */
	job_member_id member;
	uint64_t last_count;
	int64_t late_ns; /* how long the others waited for it, on average over them */
	int64_t alone_ns; /* of it, behind the last but one: without it these had begun so much earlier */
	int64_t launch_ns; /* by which its kernels were launched later than the device was ready */
};

struct job_collectives {
	/* By communicator, then sequence: those that not all ranks came to, as far as is known. The others are
	 * in the sums, so that of communicators of a few ranks little is kept. */
	struct job_collective *items;
	struct job_done *done;	    /* by communicator */
	struct job_straggler *late; /* by communicator, then member */
	size_t count, done_count, late_count;
	struct job_communicators communicators; /* of all these */
};

/* By communicator, then sequence. */
static inline int collectives_compare(const struct job_collective *a,
				      const struct job_collective *b)
{
	if (a->communicator != b->communicator)
		return a->communicator < b->communicator ? -1 : 1;
	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* presences: the member's, malloc'ed, *presence_count. */
struct job_collectives collectives_of(const struct summary *summary, job_member_id member,
				      struct job_presence **presences, size_t *presence_count);

/* Both together; a and b are freed. */
struct job_collectives collectives_merge(struct job_collectives a, struct job_collectives b);

void collectives_free(struct job_collectives *collectives);

/* What follows is of communicators that their members agree about (communicators.h). */

/* Of a member, in collectives; of those that not all ranks are known to have come to at least. */
struct job_waiting {
	int64_t waited_ns;	 /* for ranks that came later */
	int64_t transfer_ns;	 /* what the shortest kernel of each took */
	uint64_t complete, seen; /* those that all ranks came to; and with others */
};

/* Those that all ranks came to; and all that are known. */
uint64_t collectives_complete(const struct job_collectives *collectives);
uint64_t collectives_seen(const struct job_collectives *collectives);

struct job_waiting collectives_waiting(const struct job_collectives *collectives,
				       const struct job_presence *presences, size_t presence_count);

/* Those that cost most first; malloc'ed. */
struct job_straggler *collectives_stragglers(const struct job_collectives *collectives,
					     size_t *count);

/* The sum, at most INT64_MAX: hostile numbers, none below 0. */
static inline int64_t collectives_add(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

#endif
