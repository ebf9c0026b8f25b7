#include "host/period.h"

const struct period_rules period_of_trace = {
	.cost_permille = 20, .shortest_ns = PERIOD_FIRST_NS, .costly_most_ns = 50000000};
const struct period_rules period_of_watch = {
	.cost_permille = 10, .shortest_ns = 10000000, .costly_most_ns = 500000000};

/* The period is halved again where looks took less than this part of what they may: then it costs half
 * of that at most. */
#define LOW_SHARE 4

/* It is doubled more than once where looks took more than this many times what they may. Not until the
 * cost is allowed: a program's first looks cost more, each stack is new. */
#define HIGH_TIMES 4

/* The rows lead to a period of nine minutes at most: no shift overflows. */
#define DOUBLINGS_MOST 20

/* The shortest that the rows allow. */
static int64_t least_ns(const struct period_rules *rules, uint64_t rows)
{
	const uint64_t doublings = rows / PERIOD_ROWS;

	return rules->shortest_ns << (doublings < DOUBLINGS_MOST ? doublings : DOUBLINGS_MOST);
}

int64_t period_judged_ns(const struct period_rules *rules, int64_t period_ns, uint64_t rows,
			 int64_t cpu_ns, int64_t elapsed_ns)
{
	const int64_t allowed_ns = elapsed_ns * rules->cost_permille / 1000;

	if (cpu_ns < allowed_ns / LOW_SHARE)
		period_ns /= 2;
	else if (cpu_ns > allowed_ns)
		period_ns *= 2;
	/* Twice the period costs half, about. */
	for (cpu_ns /= 2; cpu_ns > HIGH_TIMES * allowed_ns && period_ns < rules->costly_most_ns;
	     cpu_ns /= 2)
		period_ns *= 2;
	if (period_ns > rules->costly_most_ns)
		period_ns = rules->costly_most_ns;
	return period_ns > least_ns(rules, rows) ? period_ns : least_ns(rules, rows);
}
