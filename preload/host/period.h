/*
 * How far apart the looks at the program's threads are: as near as what they cost and what they
 * write allow. Calculates only; any thread.
 */
#ifndef STREAMTRACE_HOST_PERIOD_H
#define STREAMTRACE_HOST_PERIOD_H

#include <stdint.h>

#define PERIOD_FIRST_NS 500000

/* What looks may take. */
struct period_rules {
	int cost_permille;	/* of a processor */
	int64_t shortest_ns;	/* the shortest period */
	int64_t costly_most_ns; /* the longest period that costs alone lead to */
};

/*
 * A trace: steps of 0.1 s still have a look each. A program in watch mode, for days: each look interrupts a running thread,
 * for 10 to 25 us (thread_samples.h), which at 10 ms is a quarter of a percent at most.
 */
extern const struct period_rules period_of_trace, period_of_watch;

/* The period doubles for good with each so many rows: the file grows with the logarithm of the time.
 * 64 threads that are found elsewhere at each look make a million rows in ten hours. */
#define PERIOD_ROWS 65536

/* The period from now on. period_ns: the one before. rows: that looks have made so far. cpu_ns: that
 * looks have used in the last elapsed_ns. */
int64_t period_judged_ns(const struct period_rules *rules, int64_t period_ns, uint64_t rows,
			 int64_t cpu_ns, int64_t elapsed_ns);

#endif
