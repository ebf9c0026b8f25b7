/*
 * When each kind of engine was busy: the run in columns of equal time, for a row of bars.
 *
 * Times are those inside the windows of the recording. One thread.
 */
#ifndef STREAMTRACE_ACTIVITY_H
#define STREAMTRACE_ACTIVITY_H

#include "findings/analysis.h"

/* As a device's id: all devices together. */
#define ACTIVITY_ALL (-1)

/* Rows of struct activity.parts: the engines, then the time in which no engine was busy. */
#define ACTIVITY_IDLE ENGINE_COUNT
#define ACTIVITY_ROWS (ENGINE_COUNT + 1)

struct activity {
	size_t columns;
	double column_ns;	      /* duration of a column */
	double *parts[ACTIVITY_ROWS]; /* parts[row][column]: a fraction (0..1) of the column */
};

/* Measures one device, or all together. device: the device's id, or ACTIVITY_ALL. trace: the whole
 * run. columns: 1 or more. A copy between two devices is work of both. Free by activity_free(). */
struct activity activity_measure(const struct analysis *analysis, const struct trace *trace,
				 int64_t device, size_t columns);
void activity_free(struct activity *activity);

#endif
