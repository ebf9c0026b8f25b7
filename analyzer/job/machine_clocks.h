/*
 * The clocks of a job's machines, by the ends of the collectives that they have in common.
 *
 * Each machine's clock is compared with the reference's, the one of the machine with the lowest rank, directly
 * or over others. A machine without collectives in common with any that is compared stays apart: nobody can
 * tell what on it was before or after something on others.
 *
 * The uncertainty of a clock is that of its line and how far apart collectives end on the ranks of one
 * machine: GPUs' own clocks are told by the host's to some 10 us only, for each process anew. Where
 * no machine has two ranks it is the line's bound. One thread.
 */
#ifndef STREAMTRACE_JOB_MACHINE_CLOCKS_H
#define STREAMTRACE_JOB_MACHINE_CLOCKS_H

#include "job/clock_ends.h"
#include "job/clock_line.h"

enum clock_state {
	CLOCK_APART,  /* nothing in common with a machine that is compared */
	CLOCK_BROKEN, /* CLOCK_LINE_BROKEN */
	CLOCK_REFERENCE,
	CLOCK_COMPARED
};

struct machine_clock {
	const struct clock_machine *machine;
	enum clock_state state;
	/* CLOCK_COMPARED: from the reference's clock to this one; of several in a row the uncertainties add
	 * up, and the points are the fewest. CLOCK_REFERENCE: zeros. */
	struct clock_line line;
};

struct machine_clocks {
	struct machine_clock *items; /* as machines */
	size_t count;
};

/* machines must outlive it. */
struct machine_clocks machine_clocks_compare(const struct clock_machines *machines);

/* The clock of the machine, by its name in machines, or NULL. */
const struct machine_clock *machine_clocks_find(const struct machine_clocks *clocks,
						const char *name);

/* CLOCK_REFERENCE or CLOCK_COMPARED. */
bool machine_clock_is_known(const struct machine_clock *clock);

/* A time of a known clock by the reference's. */
int64_t machine_clock_time(const struct machine_clock *clock, int64_t ns);

/* Whether all are compared, or there is one. */
bool machine_clocks_are_compared(const struct machine_clocks *clocks);

/* What is to be said of a clock beside the reference's, malloc'ed: "node2: 11.000 s ahead of node1, +20.0 ppm,
 * within 24 us, by the ends of 512 collectives"; or why it is not compared. NULL: nothing. */
char *machine_clocks_describe(const struct machine_clocks *clocks, size_t index);

/* Of more machines than are named one by one what all have in common, malloc'ed; NULL: they are few, or none is
 * compared. */
char *machine_clocks_summarize(const struct machine_clocks *clocks);

void machine_clocks_free(struct machine_clocks *clocks);

#endif
