#include "host/period.h"

/* By what looks cost. */
#define COSTLY_MOST_NS 50000000

/* By the rows: nine minutes. */
#define DOUBLINGS_MOST 20

/* The shortest that the rows allow. */
static int64_t least_ns(uint64_t rows)
{
	const uint64_t doublings = rows / PERIOD_ROWS;

	return (int64_t)PERIOD_FIRST_NS
	       << (doublings < DOUBLINGS_MOST ? doublings : DOUBLINGS_MOST);
}

int64_t period_judged_ns(int64_t period_ns, uint64_t rows, int64_t cpu_ns, int64_t elapsed_ns)
{
	/* Nearer again where a quarter was used: halving the period doubles the cost. */
	if (cpu_ns * 100 > elapsed_ns * PERIOD_COST_PERCENT)
		period_ns *= 2;
	else if (cpu_ns * 100 * 4 < elapsed_ns * PERIOD_COST_PERCENT)
		period_ns /= 2;
	if (period_ns > COSTLY_MOST_NS)
		period_ns = COSTLY_MOST_NS;
	return period_ns > least_ns(rows) ? period_ns : least_ns(rows);
}
