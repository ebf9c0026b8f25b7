/*
 * Rows of ranges in the order of time. Threads write their own batches, so rows are sorted but for
 * short stretches: each range is sorted by itself when it is read, and then only the rows at which
 * ranges overlap are moved. Rows of one time stay in the order of their ids.
 */
#ifndef STREAMTRACE_TRACE_TIME_ORDER_H
#define STREAMTRACE_TRACE_TIME_ORDER_H

#include "trace/row_ranges.h"

/* Where rows are sorted, one range after the other. Zero-initialize it. */
struct time_order {
	struct room keys, more_keys, places, elements;
};

void time_order_free(struct time_order *order);

/* Sorts a range that is read, and notes for each of its rows where in the range it is. In the thread
 * that reads the range. */
void time_order_range(struct time_order *order, struct row_range *range);

/* Sorts all of them, when their gaps are closed, and notes for each row its index. */
void time_order_table(struct row_ranges *ranges);

#endif
