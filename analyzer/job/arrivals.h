/*
 * Arrivals: when a rank came to the collectives of its communicators. Of many collectives a rank
 * keeps some, chosen so that all ranks of a communicator keep the same ones.
 *
 * Times are ns of the host's CLOCK_REALTIME, as in the trace. Any thread; arrays are the caller's.
 */
#ifndef STREAMTRACE_JOB_ARRIVALS_H
#define STREAMTRACE_JOB_ARRIVALS_H

#include "facts/facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most arrivals that a summary has. */
#define ARRIVALS_MOST 16384

/* When a rank came to one collective, or to one send or receive (is_pair). A rank keeps the
 * collectives whose sequence is a multiple of 2^n, with the least n for which ARRIVALS_MOST are
 * enough. If several collectives share a kernel (a group), only the first counts. A collective
 * without a kernel does not count. job_collectives.h leaves sends and receives out. */
struct arrival {
	uint32_t communicator; /* index in the summary's communicators */
	uint32_t sequence;
	uint32_t operation; /* enum collective_operation of facts/collectives.def */
	uint32_t peer;	    /* is_pair: the other side's rank in the communicator; else 0 */
	bool is_pair;	    /* a send or a receive */
	uint64_t bytes;
	int64_t call_ns;  /* when the host's call began */
	int64_t ready_ns; /* when the device had done all work that the kernel had to wait for */
	int64_t start_ns, end_ns; /* the kernel's */
};

/* Whether each rank needs the data of all others: then no rank ends before the last one has come.
 * In a collective with a root some ranks only send, and end early. */
static inline bool arrival_joins_all(const struct arrival *arrival)
{
	return !arrival->is_pair && (arrival->operation == COLLECTIVE_ALL_REDUCE ||
				     arrival->operation == COLLECTIVE_ALL_GATHER ||
				     arrival->operation == COLLECTIVE_REDUCE_SCATTER ||
				     arrival->operation == COLLECTIVE_ALL_TO_ALL);
}

/* Packs the arrivals, into some 10 bytes each. They must be sorted by arrivals_sort(), without
 * duplicates, and at most ARRIVALS_MOST: arrivals_unpack() rejects others. The caller frees the
 * result of *size bytes, never NULL. */
void *arrivals_pack(const struct arrival *arrivals, size_t count, size_t *size);

/* Unpacks count arrivals from the bytes of arrivals_pack(). The caller frees the array. NULL: the
 * bytes are damaged. The result is sorted by arrivals_sort(), without duplicates. Times are from 0
 * to INT64_MAX / 2, start_ns is at most end_ns, and communicator is below communicator_count. */
struct arrival *arrivals_unpack(const void *bytes, size_t size, size_t count,
				size_t communicator_count);

/* Sorts by communicator, is_pair, peer, operation (only if is_pair) and sequence. */
void arrivals_sort(struct arrival *arrivals, size_t count);

#endif
