/*
 * When a rank came to the collectives of its communicators. Every rank keeps the same collectives.
 *
 * Times are ns of the host's CLOCK_REALTIME, as in the trace. One thread at a time.
 */
#ifndef STREAMTRACE_JOB_ARRIVALS_H
#define STREAMTRACE_JOB_ARRIVALS_H

#include "facts/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most arrivals that a summary has. */
#define ARRIVALS_MOST 16384

/* When a rank came to one collective, or to one send or receive (is_pair; job_collectives.h leaves those out).
 * A rank keeps the collectives whose sequence is a multiple of 2^n, with the least n for which ARRIVALS_MOST
 * are enough. Ranks of a communicator make the same collectives, so that all choose the same. If several
 * collectives share a kernel (a group), only the first counts; one without a kernel does not count. */
struct arrival {
	uint32_t communicator; /* index in the summary's communicators */
	uint32_t sequence;
	uint32_t operation; /* enum collective_operation of facts/collectives.def */
	uint32_t peer;	    /* is_pair: the other side's rank in the communicator; else 0 */
	bool is_pair;
	uint64_t bytes;
	int64_t call_ns;  /* when the host's call began */
	int64_t ready_ns; /* when all was done that the kernel had to wait for on the device */
	int64_t start_ns, end_ns; /* the kernel's */
};

/* Whether each rank needs the data of all others: then no rank ends before the last one has come. In a collective with
 * a root some ranks only send, and end early. */
static inline bool arrival_joins_all(const struct arrival *arrival)
{
	return !arrival->is_pair && (arrival->operation == COLLECTIVE_ALL_REDUCE ||
				     arrival->operation == COLLECTIVE_ALL_GATHER ||
				     arrival->operation == COLLECTIVE_REDUCE_SCATTER ||
				     arrival->operation == COLLECTIVE_ALL_TO_ALL);
}

/* Packs the arrivals, into some 10 bytes each. The caller frees the result, of *size bytes. */
void *arrivals_pack(const struct arrival *arrivals, size_t count, size_t *size);

/* Unpacks count arrivals from what arrivals_pack() made; the caller frees them. NULL: the bytes are damaged. The
 * result is sorted as arrivals_sort() does, without doubles, with times from 0 to INT64_MAX / 2, start_ns <=
 * end_ns, and communicator < communicator_count. */
struct arrival *arrivals_unpack(const void *bytes, size_t size, size_t count,
				size_t communicator_count);

/* Sorts by communicator, is_pair, peer, operation (only if is_pair) and sequence. */
void arrivals_sort(struct arrival *arrivals, size_t count);

#endif
