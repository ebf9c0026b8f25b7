/*
 * Compares the clocks of a job's machines, by the ends of the collectives that they have in common.
 *
 * The reference is the clock of the machine with the lowest rank. Each other clock is compared with it,
 * directly or through other machines. A machine without collectives in common with a compared one stays
 * apart: the order of its events and those of others is not known.
 *
 * The uncertainty of a clock is that of its line, plus how far apart collectives end on the ranks of one
 * machine: the time of a GPU is known by the host's clock to some 10 us only, anew in each process. If no
 * machine has two ranks, the uncertainty is the line's bound. One thread.
 */
#ifndef STREAMTRACE_JOB_MACHINE_CLOCKS_H
#define STREAMTRACE_JOB_MACHINE_CLOCKS_H

#include "job/clock_ends.h"
#include "job/clock_line.h"

enum clock_state {
	CLOCK_APART,	 /* has no collectives in common with a machine that is compared */
	CLOCK_BROKEN,	 /* no line fits: CLOCK_LINE_BROKEN */
	CLOCK_REFERENCE, /* the clock that the others are compared with */
	CLOCK_COMPARED	 /* line is known */
};

struct machine_clock {
	const struct clock_machine *machine;
	enum clock_state state;
	/* CLOCK_COMPARED: the line from the reference's clock to this one. If it leads through other machines, the
	 * uncertainties are added up, and point_count is the least. CLOCK_REFERENCE: zeros. */
	struct clock_line line;
};

struct machine_clocks {
	struct machine_clock *items; /* items[i] is of machines->items[i] */
	size_t count;
};

/* Compares the clocks. machines must outlive the result, which machine_clocks_free() frees. */
struct machine_clocks machine_clocks_compare(const struct clock_machines *machines);

/* The clock of the machine called name (struct clock_machine); NULL: there is none. */
const struct machine_clock *machine_clocks_find(const struct machine_clocks *clocks,
						const char *name);

/* Whether times of the clock can be converted: it is CLOCK_REFERENCE or CLOCK_COMPARED. */
bool machine_clock_is_known(const struct machine_clock *clock);

/* The reference's time when the clock showed ns. The clock must be known. */
int64_t machine_clock_time(const struct machine_clock *clock, int64_t ns);

/* Whether all clocks are known, or there is only one. */
bool machine_clocks_are_compared(const struct machine_clocks *clocks);

/* A line on clocks->items[index]: "node2: 11.000 s ahead of node1, +20.0 ppm, within 24 us, by the ends of 512
 * collectives", or why it is not compared. The caller frees it. NULL: there is nothing to say. */
char *machine_clocks_describe(const struct machine_clocks *clocks, size_t index);

/* One line on all clocks of a job with too many machines to name each; the caller frees it. NULL: the machines are
 * few, or none is compared. */
char *machine_clocks_summarize(const struct machine_clocks *clocks);

void machine_clocks_free(struct machine_clocks *clocks);

#endif
