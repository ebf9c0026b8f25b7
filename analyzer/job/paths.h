/*
 * How the ranks of a job depend on each other through their collectives: a max-plus model.
 *
 * A collective k is an event. Its transfer begins when the last rank has come, and ends for all ranks at
 * once, at E(k):
 *
 *	E(k) = t(k) + max over ranks and j of E(j) + d(j,k)
 *
 * t(k) is the transfer: the shortest kernel, because the last rank waits for no other. d(j,k) is how long after
 * the end of event j a rank comes to k at the earliest (replay/schedule/marked_paths.h). Only d depends on the rank, so
 * the maximum over ranks is taken of d. The model of a job is therefore no larger than that of a rank, and
 * merging is maxima, minima and sums of integers: associative and commutative.
 *
 * There is a set of edges d for the run as it was traced, one for the run without the tracer, and some for the
 * run with the fixes of each line on all ranks that have the line.
 *
 * A model owns its memory; free it with paths_free(). One thread at a time for each model.
 */
#ifndef STREAMTRACE_PATHS_H
#define STREAMTRACE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A model has at most so many kernels of collectives of a rank: of a longer run consecutive ones from its middle. */
#define PATHS_MOST_KERNELS 512

#define PATHS_END   (UINT32_MAX - 1) /* as paths_edge.to: a rank's end */
#define PATHS_BEGIN UINT32_MAX	     /* as paths_edge.from: time 0 */

/* paths_event.pair of a collective, in which all ranks of the communicator take part. */
#define PATHS_ALL UINT64_MAX

/* paths_event.transfer_ns if none of the merged ranks waits for the others: their kernels say nothing of it. */
#define PATHS_NO_TRANSFER ((INT64_C(1) << 56) - 1)

/* A collective, a send and its receive; or the begin or end of a kernel of one rank that does several of these. */
struct paths_event {
	uint64_t communicator; /* unique id; of one rank alone: the rank's member id */
	uint64_t pair;	       /* sender << 32 | receiver, or PATHS_ALL */
	uint64_t sequence;
	uint32_t ranks, seen; /* how many ranks take part; how many of them are merged */
	int64_t transfer_ns;  /* the shortest of the merged ranks' kernels */
};

/* Event `to` begins no earlier than distance_ns after the end of event `from`. Both are indexes in paths.events, or
 * PATHS_END, PATHS_BEGIN. */
struct paths_edge {
	uint32_t to, from;
	int64_t distance_ns;
};

/* Sorted by to, then from; each pair once. */
struct paths_edges {
	struct paths_edge *items;
	size_t count;
};

/* The run with the fixes of one line on all ranks that have it, for the low end, the estimate and the high end of the
 * saving. The saving is the difference to the run without the fixes. For the estimate and the high end, ranks without
 * the line count as uncrowded (struct paths): the ranks that they waited for are fixed. `before` is the run without
 * the fixes, with these ranks uncrowded. */
struct paths_group {
	char *id, *where; /* detector and line; both "": the fixes of all shown findings */
	uint64_t ranks;	  /* how many have the line */
	struct paths_edges low, before, estimate, high;
};

struct paths {
	struct paths_event *events; /* sorted by paths_compare_events() */
	/* uncrowded: untraced, without what kernels lose to collectives beside them that wait (crowding.h). */
	struct paths_edges traced, untraced, uncrowded;
	struct paths_group *groups; /* sorted by id, then where */
	size_t event_count, group_count;
	uint64_t ranks; /* how many are merged */
	/* Kernels of collectives, summed over the ranks: those in the model, and all of the run. */
	uint64_t kernels, all_kernels;
	bool is_part; /* some rank has kernels that are not in the model */
	/* When the first rank begins, and the last one ends, in the trace. Times of a rank count from the end of its
	 * first collective with the most ranks, so that no common clock is needed. */
	int64_t begin_ns, end_ns;
};

void paths_free(struct paths *paths);

/* Merges a and b, which are freed. */
struct paths *paths_merge(struct paths *a, struct paths *b);

/* Packs a model: equal models give equal bytes. The caller frees the bytes, *size of them. paths_unpack() returns NULL
 * for damaged bytes. In its result events and edges are sorted, edges name existing events, and times are below
 * 2^56 ns. */
void *paths_pack(const struct paths *paths, size_t *size);
struct paths *paths_unpack(const void *bytes, size_t size);

/* Compare for the order in which a model keeps them: -1, 0 or 1. */
int paths_compare_events(const struct paths_event *a, const struct paths_event *b);
int paths_compare_edges(const struct paths_edge *a, const struct paths_edge *b);
int paths_compare_groups(const struct paths_group *a, const struct paths_group *b);

#endif
