/*
 * When a rank came to the collectives of its communicators: of the same ones on all ranks.
 *
 * Times are ns of the host's CLOCK_REALTIME, as in the trace. One thread.
 */
#ifndef STREAMTRACE_JOB_ARRIVALS_H
#define STREAMTRACE_JOB_ARRIVALS_H

#include "facts/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A summary has at most so many. */
#define ARRIVALS_MOST 16384

/* Of a communicator those whose sequence is a multiple of 2 to a power are taken, the least with which
 * all fit: on each rank the same, as ranks of a communicator make the same collectives. Of several that
 * share a kernel (a group) only the first is taken; of those without a kernel none. Sends and
 * receives are taken too (is_pair); collectives.h leaves them out. */
struct arrival {
	uint32_t communicator; /* index in the summary's communicators */
	uint32_t sequence;
	uint32_t operation; /* enum collective_operation of facts/collectives.def */
	uint32_t peer;	    /* is_pair: the other's rank in the communicator */
	bool is_pair;
	uint64_t bytes;
	int64_t call_ns;	  /* the host's call began */
	int64_t ready_ns;	  /* all that the kernel had to wait for on the device was done */
	int64_t start_ns, end_ns; /* the kernel */
};

/* Whether each rank needs the data of all others, so that none can end before the last one has come. Of those
 * with a root some ranks only send, and leave. */
static inline bool arrival_joins_all(const struct arrival *arrival)
{
	return !arrival->is_pair && (arrival->operation == COLLECTIVE_ALL_REDUCE ||
				     arrival->operation == COLLECTIVE_ALL_GATHER ||
				     arrival->operation == COLLECTIVE_REDUCE_SCATTER ||
				     arrival->operation == COLLECTIVE_ALL_TO_ALL);
}

/* Packed, some 10 bytes each; *size is how many, malloc'ed. */
void *arrivals_pack(const struct arrival *arrivals, size_t count, size_t *size);

/* What arrivals_pack() made of count ones, malloc'ed; NULL: it is damaged. Those are in order by
 * (communicator, is_pair, peer, operation, sequence), each once, have 0 <= start_ns <= end_ns, and
 * their communicators are below communicator_count. */
struct arrival *arrivals_unpack(const void *bytes, size_t size, size_t count,
				size_t communicator_count);

/* Into that order. */
void arrivals_sort(struct arrival *arrivals, size_t count);

#endif
