/*
 * How much the durations of equal operations vary by chance. One thread.
 *
 * A replay gives each operation its traced duration. In the fixed run it will differ by chance,
 * about as much as equal operations differ.
 */
#ifndef STREAMTRACE_SPREAD_H
#define STREAMTRACE_SPREAD_H

#include "replay/edits/edits.h"
#include "replay/observed/evidence.h"

/* The average spread of all groups of equal operations, weighted by their time. Equal operations
 * are of one kernel with as many blocks, or copies of equal size and direction. The spread of a
 * group is half the distance between the quartiles of its durations, as a fraction of the median.
 * Groups of fewer than four do not count. Groups with a spread above 0.1 depend on their data, and
 * do not count either. 0: no group counts. */
double spread_measure(const struct trace *trace);

/* The calls that did not wait, equal ones together, of these the shortest first. Equal calls are of one
 * function and size. Free by spread_order_free(). */
struct spread_order;
struct spread_order *spread_order_create(const struct trace *trace,
					 const struct evidence *evidence);
void spread_order_free(struct spread_order *order);

/* The total time of calls that a fix removes, and how much of that time is chance. */
struct spread_calls {
	int64_t gone_ns, spread_ns;
};

/* Measures the calls in the order that the edits remove. spread_ns is the sum over groups of four or more: the group's time, times its
 * spread as in spread_measure(). Calls vary much: groups with a spread above 0.1 count, too, and a
 * spread counts as 0.5 at most. */
struct spread_calls spread_measure_gone(const struct trace *trace, const struct spread_order *order,
					const struct edits *edits);

#endif
