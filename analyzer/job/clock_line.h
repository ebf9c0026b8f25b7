/*
 * Compares two clocks, a first and another: how far the other is ahead of the first, and how much
 * faster it runs. The answer is a robust line through points. Any thread; nothing is allocated for
 * the caller.
 */
#ifndef STREAMTRACE_JOB_CLOCK_LINE_H
#define STREAMTRACE_JOB_CLOCK_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With fewer points no line is fitted. */
#define CLOCK_POINTS_LEAST 8

/* One collective, on the machine of the first clock and on the machine of the other. On each
 * machine: when the last of its kernels started, and when the first of them ended, by that
 * machine's clock. */
struct clock_point {
	int64_t start_ns, end_ns;
	int64_t other_start_ns, other_end_ns;
};

/* other = time + offset_ns + drift * (time - at_ns), where time is the first clock's. drift has no
 * unit. */
struct clock_line {
	int64_t at_ns;
	double offset_ns, drift;
	/* Twice the standard deviation of the points' distances from the line, estimated from the
	 * median distance. At most bound_ns. */
	double uncertainty_ns;
	/* The most that the line can be off. If it were off by more, a collective would have ended
	 * on one machine before it began on the other. */
	double bound_ns;
	size_t point_count;
};

enum clock_line_status {
	CLOCK_LINE_FITS,
	CLOCK_LINE_FEW,	  /* fewer than CLOCK_POINTS_LEAST points */
	CLOCK_LINE_BROKEN /* no line fits, or drift is 1 % or more: a clock was set meanwhile, or the
			     points are not of the same collectives */
};

/* Fits *line to the points, and sorts the points. Use *line only after CLOCK_LINE_FITS. The points'
 * times must be from 0 to INT64_MAX / 2. Up to a quarter of the points may be wrong. The fit begins
 * with Theil's slope, over pairs of points that are half of the list apart. Then it does least
 * squares, in which a point counts less the further it is from the line (Tukey's biweight). */
enum clock_line_status clock_line_fit(struct clock_point *points, size_t count,
				      struct clock_line *line);

/* clock_line_back() returns the first clock's time when the other clock showed other_ns.
 * clock_line_there() returns the other clock's time when the first clock showed ns. Times and
 * results are from 0 to INT64_MAX / 2. */
int64_t clock_line_back(const struct clock_line *line, int64_t other_ns);
int64_t clock_line_there(const struct clock_line *line, int64_t ns);

/* A duration of the line as an integer, cut to +-INT64_MAX / 4: a damaged file can make the
 * duration huge. */
int64_t clock_line_ns(double ns);

#endif
