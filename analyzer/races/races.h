/*
 * Races: two accesses to the same memory that conflict, and that nothing orders.
 *
 * Two operations of different streams conflict if both access the same memory and one writes it. They are in order
 * - explicitly: by the stream, by events that streams wait for, by a host that waited (a synchronize, a query)
 *   for the first before it enqueued the second;
 * - by luck: only by the barrier of the legacy default stream, or only because a call of another purpose waited (a
 *   copy that was staged, cudaFree() and its like);
 * - not at all. That is certain where both are copies or sets of known bytes and ran at the same time. It is possible where a
 *   kernel takes part: of a kernel only the pointers are known that it was given, and whether it reads or writes there
 *   (model/accesses.h). Each pointer reaches up to the next address that the program uses in that allocation, or to the
 *   allocation's end.
 *
 * Memory that is released while an operation may still use it conflicts with that operation. The host conflicts with
 * copies whose memory was watched: races/host_touches.h.
 *
 * Where the first had ended before the second was enqueued and no call waited for it, nothing is said: the host may know by a
 * flag in memory. What is not seen (kernels without arguments, addresses inside of structures) makes no race. A node of a graph
 * counts as work of the stream that the graph was launched in, with the arguments of the call that was captured (races/graphs.h);
 * it makes no race that is certain, nor one with another node of the same launch. Calculates only; one thread.
 */
#ifndef STREAMTRACE_RACES_H
#define STREAMTRACE_RACES_H

#include "replay/observed.h"

/* From the worst on. */
enum race_certainty { RACE_CERTAIN, RACE_POSSIBLE, RACE_BY_LUCK, RACE_CERTAINTIES };

/* Of all pairs at the same two lines the one with the smallest margin. */
struct race {
	enum race_certainty certainty;
	/* The first was enqueued first. One of second, release and touch is the other one; the others are NULL. */
	const struct trace_operation *first, *second;
	const struct trace_call *release;     /* of memory that the first uses */
	const struct trace_copy_watch *touch; /* of the first's memory, by the host */
	/* Only of RACE_BY_LUCK: the call that happened to wait for the first. NULL: the barrier of the legacy default
	 * stream orders both. */
	const struct trace_call *luck;
	bool first_writes, second_writes;
	/* From the end of the first to the start of the second, to the release or to the touch. Negative: both at once. */
	int64_t margin_ns;
	size_t count; /* pairs at these lines */
};

/* Two accesses that would be a race, had the host not waited between them, for the first, at this line alone. Whoever takes the
 * wait out needs an event in its place. */
struct reliance {
	/* The first such call: a synchronize, a query, or a call of another purpose. NULL: the barrier of the legacy
	 * default stream orders them. */
	const struct trace_call *wait;
	const struct trace_operation *first, *second; /* of the first such pair */
	bool first_writes, second_writes;
	size_t count; /* pairs at these three lines */
};

/* By certainty, then by count, the most first. Zero-initialize it, and free it by races_free(). */
struct races {
	struct race *items;
	size_t count;
	struct reliance *reliances; /* the most pairs first */
	size_t reliance_count;
	/* There may be more: of pairs that several waits order, of graphs, of kernels whose memory is unknown. */
	bool lacks_reliances;
	size_t counts[RACE_CERTAINTIES]; /* of items */
	const char *unseen;		 /* why nothing was looked for, one line; NULL: it was */
	size_t graph_launches;		 /* how many there are */
	size_t unjudged_launches;	 /* of them, those with a node that was not judged */
	const char *graphs_unjudged;	 /* why not, static text; NULL: all were judged */
};

/* The races of the run that is observed. Pointers belong to its trace. */
struct races races_find(const struct observed *observed);
void races_free(struct races *races);

/* How many of the items a report lists. all: also those that are not certain. */
static inline size_t races_shown(const struct races *races, bool all)
{
	return all ? races->count : races->counts[RACE_CERTAIN];
}

/* "possible", for reports. */
const char *race_certainty_name(enum race_certainty certainty);
/* What all races are called: one line. */
#define RACE_TITLE "Accesses to the same memory without an order"

/* "race-possible", for gates. */
const char *race_id(enum race_certainty certainty);

#endif
