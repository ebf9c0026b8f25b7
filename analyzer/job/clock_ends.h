/*
 * When collectives ended by the clock of each machine: machine_clocks.h compares clocks by it.
 *
 * Processes of one machine share its clock. A collective that joins all ranks (arrival_joins_all()) ends on
 * all of them at about the same time, and on none before it began on all. A machine keeps at most
 * CLOCK_ENDS_MOST collectives: those of the largest communicators first, and within a size in the order of a
 * hash. So every machine keeps the same ones, spread over the run, and merging is associative and
 * commutative. One thread.
 */
#ifndef STREAMTRACE_JOB_CLOCK_ENDS_H
#define STREAMTRACE_JOB_CLOCK_ENDS_H

#include "base/packing.h"
#include "job/summary.h"

#define CLOCK_ENDS_MOST 512

struct clock_end {
	uint64_t communicator; /* unique_id */
	uint32_t sequence, ranks;
	int64_t start_ns;    /* when the last of the machine's kernels of it began */
	int64_t end_ns;	     /* when the first of these kernels ended */
	int64_t last_end_ns; /* when the last of them ended */
	uint32_t seen;	     /* processes of the machine that had it */
};

struct clock_machine {
	char *name;	    /* boot_id; if that is not known the host; "": neither is known */
	char *host;	    /* "": not known */
	int64_t least_rank; /* the lowest rank of its processes; INT64_MAX: none has a rank */
	struct clock_end *ends;
	size_t end_count;
};

/* Machines, sorted by name. Free with clock_ends_free(). */
struct clock_machines {
	struct clock_machine *items;
	size_t count;
};

/* The machine of one process. The summary stays the caller's, and may be freed. */
struct clock_machines clock_ends_of(const struct summary *summary);

/* Merges a and b, which are freed. */
struct clock_machines clock_ends_merge(struct clock_machines a, struct clock_machines b);

/* Compares for the order in which a machine keeps ends: < 0, 0 or > 0. 0: it is the same collective. */
int clock_end_compare(const struct clock_end *a, const struct clock_end *b);

/* Appends the machines to packing. */
void clock_ends_pack(const struct clock_machines *machines, struct packing *packing);

/* Reads what clock_ends_pack() wrote. Damaged bytes set unpacking->is_damaged: the result is incomplete then, and the
 * caller must still free it. */
struct clock_machines clock_ends_unpack(struct unpacking *unpacking);

void clock_ends_free(struct clock_machines *machines);

#endif
