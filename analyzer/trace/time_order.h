/*
 * Sorts the rows of ranges (row_ranges.h) by time. The traced program's threads write their own
 * batches, so rows are sorted but for short stretches. Each range is sorted when it is read; then
 * only rows where ranges overlap are moved. Rows with equal times stay in the order of ids.
 */
#ifndef STREAMTRACE_TRACE_TIME_ORDER_H
#define STREAMTRACE_TRACE_TIME_ORDER_H

#include "trace/row_ranges.h"

/* Temporary memory for sorting one range after the other. Zero-initialize it; time_order_free()
 * it. */
struct time_order {
	struct room keys, more_keys, places, elements;
};

void time_order_free(struct time_order *order);

/* Sorts a range that has been read and, if ranges->places is not NULL, stores each row's position
 * in the range there. Call on the thread that reads the range. */
void time_order_range(struct time_order *order, struct row_range *range);

/* Sorts the whole table, whose ranges are sorted, and stores each row's index in ranges->places.
 * Call on one thread, after the gaps are closed. */
void time_order_table(struct row_ranges *ranges);

#endif
