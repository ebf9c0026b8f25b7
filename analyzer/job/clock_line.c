#include "job/clock_line.h"

#include "base/median.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS 20
#define TUKEY                                                                                      \
	4.685 /* in standard deviations: 95 % as good as least squares where nothing is wrong */
#define MAD_TO_SIGMA 1.4826 /* of a normal distribution */

/* A point, relative to the first one. */
struct relative {
	double at, apart;   /* ns; the other clock's lead */
	double least, most; /* of the lead, for no end to be before a start */
	double weight;
};

struct fitting {
	struct relative *items;
	double *scratch;
	size_t count;
	double offset, drift;
};

static int compare_points(const void *a, const void *b)
{
	const struct clock_point *x = a, *y = b;

	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return (x->other_end_ns > y->other_end_ns) - (x->other_end_ns < y->other_end_ns);
}

static double median_of(double *values, size_t count)
{
	double upper = nth_of(values, count, count / 2), lower = -INFINITY;

	if (count % 2)
		return upper;
	for (size_t i = 0; i < count / 2; i++)
		lower = fmax(lower, values[i]);
	return (lower + upper) / 2;
}

static double point_distance(const struct fitting *fitting, size_t i)
{
	const struct relative *point = &fitting->items[i];

	return point->apart - fitting->offset - fitting->drift * point->at;
}

/* Of points half of them apart, so that each counts once. */
static void guess_line(struct fitting *fitting)
{
	size_t half = fitting->count / 2, slopes = 0;

	for (size_t i = 0; i + half < fitting->count; i++) {
		const struct relative *a = &fitting->items[i], *b = &fitting->items[i + half];

		if (b->at > a->at)
			fitting->scratch[slopes++] = (b->apart - a->apart) / (b->at - a->at);
	}
	fitting->drift = slopes ? median_of(fitting->scratch, slopes) : 0;
	fitting->offset = 0;
	for (size_t i = 0; i < fitting->count; i++)
		fitting->scratch[i] = point_distance(fitting, i);
	fitting->offset = median_of(fitting->scratch, fitting->count);
}

/* The standard deviation by the median distance: 1 ns at least, a clock's step. */
static double point_spread(struct fitting *fitting)
{
	for (size_t i = 0; i < fitting->count; i++)
		fitting->scratch[i] = fabs(point_distance(fitting, i));
	return fmax(MAD_TO_SIGMA * median_of(fitting->scratch, fitting->count), 1);
}

static void weigh_points(struct fitting *fitting)
{
	double limit = TUKEY * point_spread(fitting);

	for (size_t i = 0; i < fitting->count; i++) {
		double share = point_distance(fitting, i) / limit;

		fitting->items[i].weight =
			fabs(share) < 1 ? (1 - share * share) * (1 - share * share) : 0;
	}
}

/* Least squares. At least half of the points have a weight. */
static void improve_line(struct fitting *fitting)
{
	double sum = 0, at = 0, apart = 0, square = 0, product = 0;
	size_t i;

	for (i = 0; i < fitting->count; i++) {
		const struct relative *point = &fitting->items[i];

		sum += point->weight;
		at += point->weight * point->at;
		apart += point->weight * point->apart;
	}
	at /= sum;
	apart /= sum;
	for (i = 0; i < fitting->count; i++) {
		const struct relative *point = &fitting->items[i];

		square += point->weight * (point->at - at) * (point->at - at);
		product += point->weight * (point->at - at) * (point->apart - apart);
	}
	fitting->drift = square > 0 ? product / square : 0;
	fitting->offset = apart - fitting->drift * at;
}

/* How far the line can be off before a collective ends on one machine before it begins on the other. Points
 * with weight 0, which are wrong, do not count. Negative: the line breaks that rule already. */
static double find_bound(const struct fitting *fitting)
{
	double least = -INFINITY, most = INFINITY;

	for (size_t i = 0; i < fitting->count; i++) {
		const struct relative *point = &fitting->items[i];
		double line = fitting->offset + fitting->drift * point->at;

		if (point->weight <= 0)
			continue;
		least = fmax(least, point->least - line);
		most = fmin(most, point->most - line);
	}
	return least > 0 || most < 0 ? -1 : fmax(-least, most);
}

static void take_points(struct fitting *fitting, const struct clock_point *points, size_t count)
{
	*fitting = (struct fitting){.items = memory_array(count, sizeof(*fitting->items)),
				    .scratch = memory_array(count, sizeof(*fitting->scratch)),
				    .count = count};
	for (size_t i = 0; i < count; i++) {
		const struct clock_point *point = &points[i];

		fitting->items[i] = (struct relative){
			.at = (double)(point->end_ns - points[0].end_ns),
			.apart = (double)(point->other_end_ns - point->end_ns),
			.least = (double)(point->other_start_ns - point->end_ns),
			.most = (double)(point->other_end_ns - point->start_ns),
		};
	}
}

enum clock_line_status clock_line_fit(struct clock_point *points, size_t count,
				      struct clock_line *line)
{
	struct fitting fitting;
	double bound;

	*line = (struct clock_line){.point_count = count};
	if (count < CLOCK_POINTS_LEAST)
		return CLOCK_LINE_FEW;
	qsort(points, count, sizeof(*points), compare_points);
	take_points(&fitting, points, count);
	guess_line(&fitting);
	for (int i = 0; i < ROUNDS; i++) {
		weigh_points(&fitting);
		improve_line(&fitting);
	}
	weigh_points(&fitting);
	bound = find_bound(&fitting);
	line->at_ns = points[0].end_ns;
	line->offset_ns = fitting.offset;
	line->drift = fitting.drift;
	line->bound_ns = bound;
	line->uncertainty_ns = fmin(2 * point_spread(&fitting), bound);
	free(fitting.items);
	free(fitting.scratch);
	return bound < 0 || fabs(line->drift) >= 0.01 ? CLOCK_LINE_BROKEN : CLOCK_LINE_FITS;
}

int64_t clock_line_ns(double ns)
{
	const double most = (double)(INT64_MAX / 4);

	return (int64_t)fmax(fmin(ns, most), -most);
}

/* From 0 to INT64_MAX / 2, as times are. */
static int64_t move_time(int64_t time_ns, double by_ns)
{
	int64_t moved_ns = time_ns + clock_line_ns(by_ns);

	return moved_ns < 0 ? 0 : moved_ns > INT64_MAX / 2 ? INT64_MAX / 2 : moved_ns;
}

int64_t clock_line_there(const struct clock_line *line, int64_t ns)
{
	return move_time(ns, line->offset_ns + line->drift * (double)(ns - line->at_ns));
}

int64_t clock_line_back(const struct clock_line *line, int64_t other_ns)
{
	double since_ns = (double)(other_ns - line->at_ns) - line->offset_ns;

	return move_time(line->at_ns, since_ns / (1 + line->drift));
}
