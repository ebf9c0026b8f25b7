/*
 * How the ranks of a job depend on each other through their collectives: a max-plus model.
 *
 * A collective is on the wire when its last rank has come and ends for all: with E(k) its end, t(k) its
 * transfer, and d(j,k) how long after the end of j a rank comes to k at the earliest (replay/schedule/marked_paths.h),
 *
 *	E(k) = t(k) + max over ranks and j of E(j) + d(j,k)
 *
 * The maximum over ranks can be taken of d alone: so the model of a job is no larger than that of a
 * rank, and merging is maxima, minima and sums of integers: associative and commutative. t(k) is the shortest
 * kernel: the last rank to come waits for nobody. Models are of the run as it was traced, of the run without
 * the tracer, and of that with the fixes of each line on all ranks that have it.
 *
 * A model owns its memory. One thread each.
 */
#ifndef STREAMTRACE_PATHS_H
#define STREAMTRACE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a longer run so many consecutive kernels of a rank, from its middle. */
#define PATHS_MOST_KERNELS 512

#define PATHS_END   (UINT32_MAX - 1) /* edges to it: a rank's end */
#define PATHS_BEGIN UINT32_MAX	     /* edges from it: time 0 */

/* paths_event.pair of what is no send or receive: all ranks of the communicator take part. */
#define PATHS_ALL UINT64_MAX

/* paths_event.transfer_ns where nobody that is merged waited for the others: it does not count. */
#define PATHS_NO_TRANSFER ((INT64_C(1) << 56) - 1)

/* What several ranks do together; or a rank alone, for a kernel that does several such things. */
struct paths_event {
	uint64_t communicator; /* its unique id; of a rank alone the rank's own number */
	uint64_t pair;	       /* sender << 32 | receiver, or PATHS_ALL */
	uint64_t sequence;
	uint32_t ranks, seen; /* that take part; that are merged */
	int64_t transfer_ns;  /* the shortest of their kernels */
};

/* `to` begins no earlier than so long after the end of `from`: indexes of events, or PATHS_ names. */
struct paths_edge {
	uint32_t to, from;
	int64_t distance_ns;
};

/* By (to, from), each pair once. */
struct paths_edges {
	struct paths_edge *items;
	size_t count;
};

/* The fixes of one line, on all ranks that have it. But for the low end the ranks that do not have it are
 * uncrowded: what they waited for is fixed. `before` is that without the fixes. */
struct paths_group {
	char *id, *where; /* both empty: the fixes of all shown findings */
	uint64_t ranks;	  /* that have it */
	struct paths_edges low, before, estimate, high;
};

struct paths {
	struct paths_event *events; /* by communicator, pair, sequence */
	/* Uncrowded: without what kernels lose to collectives beside them that wait (crowding.h). */
	struct paths_edges traced, untraced, uncrowded;
	struct paths_group *groups; /* by id, where */
	size_t event_count, group_count;
	uint64_t ranks; /* merged */
	/* Of all ranks: kernels in the model, and in the run. */
	uint64_t kernels, all_kernels;
	bool is_part; /* of some rank: not all of its kernels are in the model */
	/* In the trace, since the end of each rank's first large collective: the first rank's begin, the
	 * last one's end. */
	int64_t begin_ns, end_ns;
};

void paths_free(struct paths *paths);

/* Both together; a and b are freed. */
struct paths *paths_merge(struct paths *a, struct paths *b);

/* Packed, malloc'ed: the same for the same model. NULL from damaged bytes: events and edges are in their
 * orders and name each other, times are below 2^56 ns. */
void *paths_pack(const struct paths *paths, size_t *size);
struct paths *paths_unpack(const void *bytes, size_t size);

/* -1, 0, 1. */
int paths_compare_events(const struct paths_event *a, const struct paths_event *b);
int paths_compare_edges(const struct paths_edge *a, const struct paths_edge *b);
int paths_compare_groups(const struct paths_group *a, const struct paths_group *b);

#endif
