/*
 * Compares two clocks: how far another clock is ahead of one, and how much faster it runs. A robust line
 * through points. Any thread.
 */
#ifndef STREAMTRACE_JOB_CLOCK_LINE_H
#define STREAMTRACE_JOB_CLOCK_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With fewer points no line is fitted. */
#define CLOCK_POINTS_LEAST 8

/* One collective by two clocks: its last start and its first end on the machine of each. */
struct clock_point {
	int64_t start_ns, end_ns;
	int64_t other_start_ns, other_end_ns;
};

/* other = time + offset_ns + drift * (time - at_ns) */
struct clock_line {
	int64_t at_ns;
	double offset_ns, drift;
	/* Twice the standard deviation of the points' distances from the line, estimated from the median distance.
	 * At most bound_ns. */
	double uncertainty_ns;
	/* The line is nowhere off by more than this: else a collective would have ended on one machine before it
	 * began on the other. */
	double bound_ns;
	size_t point_count;
};

enum clock_line_status {
	CLOCK_LINE_FITS,
	CLOCK_LINE_FEW, /* fewer than CLOCK_POINTS_LEAST points */
	CLOCK_LINE_BROKEN /* no line fits: a clock was set meanwhile, or the points are not of the same
			     collectives */
};

/* Fits *line to the points, which it sorts. It begins with Theil's slope over pairs that are half of the points
 * apart, then does least squares in which a point counts less the further it is from the line (Tukey's
 * biweight). Up to a quarter of the points may be wrong. The caller's times must be from 0 to INT64_MAX / 2. Only
 * after CLOCK_LINE_FITS *line may be used. */
enum clock_line_status clock_line_fit(struct clock_point *points, size_t count,
				      struct clock_line *line);

/* back: the first clock's time when the other one showed other_ns. there: the other clock's time when the first one
 * showed ns. Times and results are from 0 to INT64_MAX / 2. */
int64_t clock_line_back(const struct clock_line *line, int64_t other_ns);
int64_t clock_line_there(const struct clock_line *line, int64_t ns);

/* A duration of the line as an integer. A damaged file can make it huge: the result is within +-INT64_MAX / 4. */
int64_t clock_line_ns(double ns);

#endif
