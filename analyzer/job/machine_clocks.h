/*
 * Compares the clocks of a job's machines, by the ends of the collectives that the machines have in
 * common.
 *
 * The reference is the clock of the machine with the lowest rank. Each other clock is compared with
 * the reference, directly or through other machines. A machine with fewer than CLOCK_POINTS_LEAST
 * collectives in common with every compared machine stays apart: how its events are ordered with
 * others is not known.
 *
 * The uncertainty of a clock is that of its line, plus how far apart collectives end on the ranks
 * of one machine: the time of a GPU is known by the host's clock to some 10 us only, anew in each
 * process. If no machine has two ranks, the uncertainty is the line's bound. One thread at a time
 * for each struct.
 */
#ifndef STREAMTRACE_JOB_MACHINE_CLOCKS_H
#define STREAMTRACE_JOB_MACHINE_CLOCKS_H

#include "job/clock_ends.h"
#include "job/clock_line.h"

enum clock_state {
	CLOCK_APART,	 /* too few collectives in common with machines that are compared */
	CLOCK_BROKEN,	 /* no line fits: CLOCK_LINE_BROKEN */
	CLOCK_REFERENCE, /* the clock that the others are compared with */
	CLOCK_COMPARED	 /* line is known */
};

struct machine_clock {
	const struct clock_machine *machine;
	enum clock_state state;
	/* CLOCK_COMPARED: the line from the reference's clock to this one. If it leads through
	 * other machines, the uncertainties are added up, and point_count is the least.
	 * CLOCK_REFERENCE: zeros. */
	struct clock_line line;
};

struct machine_clocks {
	struct machine_clock *items; /* items[i] is of machines->items[i] */
	size_t count;
};

/* Compares the clocks. machines must outlive the result, which machine_clocks_free() frees. */
struct machine_clocks machine_clocks_compare(const struct clock_machines *machines);

/* The clock of the machine with this name (struct clock_machine). NULL: there is none. */
const struct machine_clock *machine_clocks_find(const struct machine_clocks *clocks,
						const char *name);

/* Whether times of the clock can be converted: it is CLOCK_REFERENCE or CLOCK_COMPARED. */
bool machine_clock_is_known(const struct machine_clock *clock);

/* The time in ns that the reference showed when `clock` showed ns. machine_clock_is_known() must be
 * true. */
int64_t machine_clock_time(const struct machine_clock *clock, int64_t ns);

/* Whether all clocks are known: true for one machine or none. */
bool machine_clocks_are_compared(const struct machine_clocks *clocks);

/* One line on clocks->items[index]: "node2: clock 11.000021 s ahead of node1's, drift +20.0 ppm, by
 * the ends of 512 collectives; within 24.0 us, and at most 130 us off", or why the clock is not
 * compared. The caller frees the line. NULL: the clock is the reference. */
char *machine_clocks_describe(const struct machine_clocks *clocks, size_t index);

/* One line on all compared clocks of a job with too many machines to name each. The caller frees
 * the line. NULL: few clocks are compared, or none. */
char *machine_clocks_summarize(const struct machine_clocks *clocks);

/* Frees what the struct points to, not the machines, and zeroes the struct. */
void machine_clocks_free(struct machine_clocks *clocks);

#endif
