/*
 * When collectives ended by the clock of each machine. machine_clocks.h compares clocks by these
 * ends.
 *
 * Processes of one machine share its clock. A collective that joins all ranks (arrival_joins_all()
 * in arrivals.h) ends on all of them at about the same time, and on none before it began on all. A
 * machine keeps at most CLOCK_ENDS_MOST collectives: the largest communicators' first, and within a
 * size in the order of a hash. So every machine keeps the same collectives, spread over the run,
 * and merging is associative and commutative. Times are ns of the machine's CLOCK_REALTIME. One
 * thread at a time for each struct.
 */
#ifndef STREAMTRACE_JOB_CLOCK_ENDS_H
#define STREAMTRACE_JOB_CLOCK_ENDS_H

#include "base/packing.h"
#include "job/summary.h"

#define CLOCK_ENDS_MOST 512

struct clock_end {
	uint64_t communicator;	  /* unique_id */
	uint32_t sequence, ranks; /* ranks: how many the communicator has */
	int64_t start_ns;    /* when the last of the machine's kernels for this collective began */
	int64_t end_ns;	     /* when the first of these kernels ended */
	int64_t last_end_ns; /* when the last of these kernels ended */
	uint32_t seen;	     /* how many of the machine's processes had the collective */
};

struct clock_machine {
	char *name;	    /* the boot_id; else the host; "": neither is known */
	char *host;	    /* "": not known */
	int64_t least_rank; /* the lowest rank on the machine; INT64_MAX: no process has a rank */
	struct clock_end *ends; /* sorted by clock_end_compare(), each collective once */
	size_t end_count;
};

/* Machines, sorted by name. Free with clock_ends_free(). */
struct clock_machines {
	struct clock_machine *items;
	size_t count;
};

/* The machine of one process, as a list of one. Copies from the summary, which may be freed. */
struct clock_machines clock_ends_of(const struct summary *summary);

/* Merges a and b, which are freed. Machines of one name become one. */
struct clock_machines clock_ends_merge(struct clock_machines a, struct clock_machines b);

/* Compares for the order in which a machine keeps ends: < 0, 0 or > 0. 0: both are of the same
 * collective. */
int clock_end_compare(const struct clock_end *a, const struct clock_end *b);

/* Appends the machines to packing. */
void clock_ends_pack(const struct clock_machines *machines, struct packing *packing);

/* Reads the machines that clock_ends_pack() wrote. Damaged bytes set unpacking->is_damaged, and
 * leave the result incomplete. The caller frees the result by clock_ends_free() in any case. */
struct clock_machines clock_ends_unpack(struct unpacking *unpacking);

void clock_ends_free(struct clock_machines *machines);

#endif
