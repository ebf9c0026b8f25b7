/*
 * How far another clock is from one, and how much faster it runs: a robust line through points. Any thread.
 */
#ifndef STREAMTRACE_JOB_CLOCK_LINE_H
#define STREAMTRACE_JOB_CLOCK_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With fewer nothing is told. */
#define CLOCK_POINTS_LEAST 8

/* One collective by two clocks: each one's last start and first end. */
struct clock_point {
	int64_t start_ns, end_ns;
	int64_t other_start_ns, other_end_ns;
};

/* other = time + offset_ns + drift * (time - at_ns) */
struct clock_line {
	int64_t at_ns;
	double offset_ns, drift;
	/* Twice the standard deviation of the points, by their median distance from the line; never more than
	 * bound_ns. */
	double uncertainty_ns;
	/* Further off than that the line cannot be anywhere: some collective would have ended on one machine
	 * before it began on the other. */
	double bound_ns;
	size_t point_count;
};

enum clock_line_status {
	CLOCK_LINE_FITS,
	CLOCK_LINE_FEW, /* points */
	CLOCK_LINE_BROKEN /* no line fits: one of the clocks was set meanwhile, or these are not the same
			     collectives */
};

/* Theil's slope of pairs half of the points apart, then least squares in which points far from the line
 * count less the further they are (Tukey's biweight). Up to a quarter of the points may be wrong. Sorts the
 * points. Times are from 0 to INT64_MAX / 2. */
enum clock_line_status clock_line_fit(struct clock_point *points, size_t count,
				      struct clock_line *line);

/* The other clock's time in the line's; and the reverse of it. Times and results are from 0 to INT64_MAX / 2. */
int64_t clock_line_back(const struct clock_line *line, int64_t other_ns);
int64_t clock_line_there(const struct clock_line *line, int64_t ns);

/* A duration of the line as a number, whatever a damaged file made of it. */
int64_t clock_line_ns(double ns);

#endif
