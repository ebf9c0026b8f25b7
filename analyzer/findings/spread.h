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

/* Half the distance between the quartiles, as a fraction of the median, for equal operations (the
 * same kernel with as many blocks, or copies of equal size and direction): the average over all
 * groups of four or more, weighted by their time. Groups that vary by more than 0.1 depend on their
 * data and do not count. 0: no group. */
double spread_measure(const struct trace *trace);

/* The time of calls that a fix removes, and how much of it is chance. */
struct spread_calls {
	int64_t gone_ns, spread_ns;
};

/* Measures removed calls that waited for nothing, grouped by function and size, like
 * spread_measure(); spread_ns is at most half, because equal calls vary much. */
struct spread_calls spread_measure_gone(const struct trace *trace, const struct edits *edits,
					const struct evidence *evidence);

#endif
