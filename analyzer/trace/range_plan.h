/*
 * Plans in which ranges of ids a table is read, and how much room its arrays need. A table is split
 * by its rows' ids, or by the first ids of its blocks. One thread.
 */
#ifndef STREAMTRACE_TRACE_RANGE_PLAN_H
#define STREAMTRACE_TRACE_RANGE_PLAN_H

#include "trace/row_ranges.h"

/* Sets ranges->items and count: several ranges if is_split is set and the ids are dense, otherwise
 * one range. Allocates the arrays if the ids are split. If the table has no column of ids, the
 * database keeps a failure (database->error); items and count are set all the same. Free the items
 * by row_ranges_free(). */
void range_plan_table(struct row_ranges *ranges);

/* Sets ranges->items and count to a single range, and is_split to false. */
void range_plan_whole(struct row_ranges *ranges);

#endif
