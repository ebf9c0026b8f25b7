/*
 * Which ranges of ids a table is read in, and the room that its arrays have for them: of one that is split by
 * its ids, and by those that its blocks begin with.
 */
#ifndef STREAMTRACE_TRACE_RANGE_PLAN_H
#define STREAMTRACE_TRACE_RANGE_PLAN_H

#include "trace/row_ranges.h"

/* Splits the table where it can be; a failure where it has no ids. */
void range_plan_table(struct row_ranges *ranges);

/* One range, which is not split. */
void range_plan_whole(struct row_ranges *ranges);

#endif
