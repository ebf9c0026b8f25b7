/*
 * How the ranks of a job depend on each other through their collectives: a max-plus model.
 *
 * A collective k is an event. Its transfer begins when the last rank has come, and ends for all
 * ranks at once, at E(k):
 *
 *	E(k) = t(k) + max over ranks and j of E(j) + d(j,k)
 *
 * t(k) is the time of the transfer: of the shortest kernel, because the last rank waits for no
 * other rank. d(j,k) is how long after the end of event j a rank comes to k at the earliest
 * (replay/schedule/marked_paths.h). Only d depends on the rank, so the maximum over ranks is taken
 * of d. The model of a job is therefore no larger than the model of a rank, and merging takes
 * maxima, minima and sums of integers: it is associative and commutative.
 *
 * There is a set of edges d for the run as it was traced, one for the run without the tracer, and
 * some for the run with the fixes of each line on all ranks that have the line. Times are in ns.
 *
 * A model owns its memory; free it with paths_free(). One thread at a time for each model.
 */
#ifndef STREAMTRACE_PATHS_H
#define STREAMTRACE_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many kernels of collectives of a rank a model has, if the run has more than these plus
 * RENDEZVOUS_REACH (rendezvous.h): then consecutive ones from the run's middle. Of a shorter run
 * the model has all. */
#define PATHS_MOST_KERNELS 512

#define PATHS_END   (UINT32_MAX - 1) /* as paths_edge.to: a rank's end */
#define PATHS_BEGIN UINT32_MAX	     /* as paths_edge.from: time 0 */

/* paths_event.pair of a collective, in which all ranks of the communicator take part. */
#define PATHS_ALL UINT64_MAX

/* paths_event.transfer_ns if no merged rank waits for the others: their kernels do not tell the
 * transfer's time. */
#define PATHS_NO_TRANSFER ((INT64_C(1) << 56) - 1)

/* An event: a collective; a send and its receive; or the begin or end of one rank's kernel that
 * does several of these. */
struct paths_event {
	uint64_t communicator; /* unique id; for an event of one rank alone, the rank's member id */
	uint64_t pair;	       /* sender << 32 | receiver, or PATHS_ALL */
	uint64_t sequence;
	uint32_t ranks, seen; /* how many ranks take part; how many of them are merged */
	int64_t transfer_ns;  /* the shortest of the merged ranks' kernels */
};

/* Event `to` begins no earlier than distance_ns after the end of event `from`. Both are indexes in
 * paths.events, or PATHS_END, PATHS_BEGIN. */
struct paths_edge {
	uint32_t to, from;
	int64_t distance_ns;
};

/* Sorted by paths_compare_edges(): by `to`, then `from`; each pair once. */
struct paths_edges {
	struct paths_edge *items;
	size_t count;
};

/* The run with the fixes of one line on all ranks that have the line. low, estimate and high are
 * for the ends and the estimate of the saving. For estimate and high, ranks without the line count
 * as uncrowded (struct paths): the ranks for which they waited are fixed. `before` is the run
 * without the fixes, with these ranks uncrowded. The low end is compared with paths.untraced, the
 * others with `before`. */
struct paths_group {
	char *id, *where; /* detector and line; both "": the fixes of all shown findings */
	uint64_t ranks;	  /* how many ranks have the line */
	struct paths_edges low, before, estimate, high;
};

struct paths {
	struct paths_event *events; /* sorted by paths_compare_events() */
	/* The run as it was traced; without the tracer; without the tracer and without the time
	 * that kernels lose to waiting collectives beside them (crowding.h). */
	struct paths_edges traced, untraced, uncrowded;
	struct paths_group *groups; /* sorted by id, then where */
	size_t event_count, group_count;
	uint64_t ranks; /* how many ranks are merged */
	/* Kernels of collectives, summed over the ranks: in the model, and in the whole run. */
	uint64_t kernels, all_kernels;
	bool is_part; /* some rank has kernels that are not in the model */
	/* When the first rank begins and the last rank ends, in the trace. Times of a rank count
	 * from the end of its first collective with the most ranks, so that no common clock is
	 * needed. */
	int64_t begin_ns, end_ns;
};

/* paths may be NULL. */
void paths_free(struct paths *paths);

/* Merges a and b, which are freed. Neither may be NULL. */
struct paths *paths_merge(struct paths *a, struct paths *b);

/* paths_pack() packs a model into *size bytes, which the caller frees. Equal models give equal
 * bytes. paths_unpack() returns the model of such bytes, or NULL for damaged bytes. In its result
 * events and edges are sorted, edges name existing events, and times are below 2^56 ns. */
void *paths_pack(const struct paths *paths, size_t *size);
struct paths *paths_unpack(const void *bytes, size_t size);

/* Compare two events, edges or groups for the order in which a model keeps them: < 0, 0 or > 0. */
int paths_compare_events(const struct paths_event *a, const struct paths_event *b);
int paths_compare_edges(const struct paths_edge *a, const struct paths_edge *b);
int paths_compare_groups(const struct paths_group *a, const struct paths_group *b);

#endif
