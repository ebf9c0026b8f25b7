/*
 * How far apart the looks at the program's threads are: as near as what they cost and what they
 * write allow. Calculates only; any thread.
 */
#ifndef STREAMTRACE_HOST_PERIOD_H
#define STREAMTRACE_HOST_PERIOD_H

#include <stdint.h>

#define PERIOD_FIRST_NS 500000

/* A processor's share that looks may take. */
#define PERIOD_COST_PERCENT 2

/* The period doubles for good with each so many rows: the file grows with the logarithm of the time.
 * 64 threads that are found elsewhere at each look make a million rows in ten hours. */
#define PERIOD_ROWS 65536

/* The period from now on. period_ns: the one before. rows: that looks have made so far. cpu_ns: that
 * looks have used in the last elapsed_ns. */
int64_t period_judged_ns(int64_t period_ns, uint64_t rows, int64_t cpu_ns, int64_t elapsed_ns);

#endif
