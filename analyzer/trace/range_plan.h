/*
 * Plans in which ranges of ids a table is read, and how much room its arrays need: a table is split
 * by its rows' ids, or by the first ids of its blocks.
 */
#ifndef STREAMTRACE_TRACE_RANGE_PLAN_H
#define STREAMTRACE_TRACE_RANGE_PLAN_H

#include "trace/row_ranges.h"

/* Splits the table into ranges if possible, otherwise makes one. Fails if the table has no ids. */
void range_plan_table(struct row_ranges *ranges);

/* Makes a single range. */
void range_plan_whole(struct row_ranges *ranges);

#endif
