/*
 * When collectives ended by the clock of each machine: what clocks are compared by (machine_clocks.h).
 *
 * Processes of one machine share its clock. A collective of which each rank needs all others' data (all but
 * those with a root, and pairs) ends on all ranks at about the same time, and on none before it began on
 * all. Of a machine at most CLOCK_ENDS_MOST collectives are kept, those of the largest communicators, and of
 * these the ones that a hash puts first: on each machine the same ones, from all of the run. So merging is
 * associative and commutative. One thread.
 */
#ifndef STREAMTRACE_JOB_CLOCK_ENDS_H
#define STREAMTRACE_JOB_CLOCK_ENDS_H

#include "base/packing.h"
#include "job/summary.h"

#define CLOCK_ENDS_MOST 512

struct clock_end {
	uint64_t communicator; /* unique_id */
	uint32_t sequence, ranks;
	int64_t start_ns; /* the last of the machine's kernels began */
	int64_t end_ns;	  /* the first of them ended */
	int64_t last_end_ns;
	uint32_t seen; /* processes */
};

struct clock_machine {
	char *name;	    /* boot_id, or, where it is not known, the host; "": neither */
	char *host;	    /* "": not known */
	int64_t least_rank; /* INT64_MAX: no ranks */
	struct clock_end *ends;
	size_t end_count;
};

/* By name. */
struct clock_machines {
	struct clock_machine *items;
	size_t count;
};

/* Of one process. Takes nothing over. */
struct clock_machines clock_ends_of(const struct summary *summary);

/* Both together; a and b are freed. */
struct clock_machines clock_ends_merge(struct clock_machines a, struct clock_machines b);

/* The order in which a machine's ends are kept: 0 of the same collective. */
int clock_end_compare(const struct clock_end *a, const struct clock_end *b);

void clock_ends_pack(const struct clock_machines *machines, struct packing *packing);

/* What is damaged gives nobody, and unpacking->is_damaged. */
struct clock_machines clock_ends_unpack(struct unpacking *unpacking);

void clock_ends_free(struct clock_machines *machines);

#endif
