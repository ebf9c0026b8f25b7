/*
 * Plans in which ranges of ids a table is read, and how much room its arrays need. A table is split
 * by its rows' ids, or by the first ids of its blocks. One thread.
 */
#ifndef STREAMTRACE_TRACE_RANGE_PLAN_H
#define STREAMTRACE_TRACE_RANGE_PLAN_H

#include "trace/row_ranges.h"

/* Sets ranges->items and count: several ranges if is_split is set and the ids are dense, otherwise
 * one range. Allocates the arrays if there are several. A failure is kept if the table has no
 * column of ids. */
void range_plan_table(struct row_ranges *ranges);

/* Sets ranges->items and count to a single range, and is_split to false. */
void range_plan_whole(struct row_ranges *ranges);

#endif
