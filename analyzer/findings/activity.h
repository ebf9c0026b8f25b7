/*
 * When each engine was busy: the run in columns of equal time, for a line of bars.
 *
 * Times are those within the windows of the recording. One thread.
 */
#ifndef STREAMTRACE_ACTIVITY_H
#define STREAMTRACE_ACTIVITY_H

#include "findings/analysis.h"

#define ACTIVITY_ALL (-1)

/* Rows: the engines, and what no engine was busy in. */
#define ACTIVITY_IDLE ENGINE_COUNT
#define ACTIVITY_ROWS (ENGINE_COUNT + 1)

struct activity {
	size_t columns;
	double column_ns;	      /* how long each is */
	double *parts[ACTIVITY_ROWS]; /* a column each: 0..1, of its time */
};

/* Of the device with that id, or of all of them together. columns: at least 1. Freed with
 * activity_free(). */
struct activity activity_measure(const struct analysis *analysis, const struct trace *trace,
				 int64_t device, size_t columns);
void activity_free(struct activity *activity);

#endif
