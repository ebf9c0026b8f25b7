#include "trial/trial_pairs.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "facts/trial_page.h"

#include <math.h>
#include <stdlib.h>

/* An interval is narrow if it is narrower than this share of the saving. */
#define NARROW_SHARE 0.2
/* Of the resamples: any constant. */
#define BOOTSTRAP_SEED UINT64_C(32)

typedef VECTOR(int64_t) ns_list;

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t draw_number(uint64_t *state)
{
	uint64_t number = *state += UINT64_C(0x9e3779b97f4a7c15);

	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

/* The quantile of Student's t that leaves half of what is outside the confidence above it: Hill's series
 * (Abramowitz and Stegun 26.7.5), within 0.2 % from 5 degrees of freedom on. */
static double student_quantile(double degrees)
{
	const double z = 1.959963984540054; /* of the normal distribution, at 97.5 % */
	const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, z9 = z7 * z * z;

	return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * pow(degrees, 2)) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * pow(degrees, 3)) +
	       (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * pow(degrees, 4));
}

/* The share of resampled medians that is left out at each end. */
static double expanded_share(size_t count)
{
	const double pairs = (double)count;
	const double quantile = sqrt(pairs / (pairs - 1)) * student_quantile(pairs - 1);

	return erfc(quantile / sqrt(2)) / 2;
}

/* The mean of the middle two if count is even. */
static int64_t middle_of(int64_t *times, size_t count)
{
	sort_ns(times, count);
	return count % 2 ? times[count / 2]
			 : times[count / 2 - 1] + (times[count / 2] - times[count / 2 - 1]) / 2;
}

struct trial_interval trial_interval_of(int64_t *differences, size_t count)
{
	struct trial_interval interval = {.pairs = count};
	int64_t *medians, *drawn;
	uint64_t state = BOOTSTRAP_SEED;
	size_t left_out;

	if (!count)
		return interval;
	interval.estimate_ns = middle_of(differences, count);
	interval.low_ns = differences[0];
	interval.high_ns = differences[count - 1];
	if (count < 3)
		return interval;
	medians = memory_array(BOOTSTRAP_RESAMPLES, sizeof(*medians));
	drawn = memory_array(count, sizeof(*drawn));
	for (size_t i = 0; i < BOOTSTRAP_RESAMPLES; i++) {
		for (size_t k = 0; k < count; k++)
			drawn[k] = differences[draw_number(&state) % count];
		medians[i] = middle_of(drawn, count);
	}
	sort_ns(medians, BOOTSTRAP_RESAMPLES);
	left_out = (size_t)(BOOTSTRAP_RESAMPLES * expanded_share(count));
	interval.low_ns = medians[left_out];
	interval.high_ns = medians[BOOTSTRAP_RESAMPLES - 1 - left_out];
	free(drawn);
	free(medians);
	return interval;
}

/* The run's time with the fixes ready. */
static int64_t ready_ns(const struct trial_time *time)
{
	return time->ns - time->late_set_up_ns;
}

/* The run at a place of a block. */
static const struct trial_time *run_at(const struct trial_times *times, size_t block, size_t place)
{
	return &times->items[TRIAL_CHECK_RUNS + block * TRIAL_BLOCK + place];
}

static size_t whole_blocks(const struct trial_times *times)
{
	return times->count < TRIAL_CHECK_RUNS ? 0
					       : (times->count - TRIAL_CHECK_RUNS) / TRIAL_BLOCK;
}

/* Two pairs of the block, as if its inner or outer runs had the fixes. */
static void add_pairs(const struct trial_times *times, size_t block, bool inner_is_fixed,
		      ns_list *pairs)
{
	for (size_t half = 0; half < TRIAL_BLOCK; half += 2) {
		const struct trial_time *outer = run_at(times, block, half ? 3 : 0);
		const struct trial_time *inner = run_at(times, block, half ? 2 : 1);

		*vector_add(pairs) = inner_is_fixed ? ready_ns(outer) - ready_ns(inner)
						    : ready_ns(inner) - ready_ns(outer);
	}
}

/* The block's untouched runs. Their order alternates, as they are around the others or between them. */
static void add_control_pair(const struct trial_times *times, size_t block, ns_list *pairs)
{
	const bool is_outer = !trial_is_fixed_at(block, 0);
	const struct trial_time *first = run_at(times, block, is_outer ? 0 : 1);
	const struct trial_time *second = run_at(times, block, is_outer ? 3 : 2);
	const bool is_reversed = block / 2 % 2;

	*vector_add(pairs) = is_reversed ? second->ns - first->ns : first->ns - second->ns;
}

static struct trial_interval take_interval(ns_list *pairs)
{
	const struct trial_interval interval = trial_interval_of(pairs->items, pairs->count);

	vector_free(pairs);
	return interval;
}

static struct trial_interval find_saved(const struct trial_times *times)
{
	ns_list pairs = {0};

	for (size_t block = 1; block < whole_blocks(times); block++)
		add_pairs(times, block, trial_is_fixed_at(block, 1), &pairs);
	return take_interval(&pairs);
}

static struct trial_interval find_control(const struct trial_times *times)
{
	ns_list pairs = {0};

	if (whole_blocks(times))
		add_pairs(times, 0, true, &pairs);
	for (size_t block = 1; block < whole_blocks(times); block++)
		add_control_pair(times, block, &pairs);
	return take_interval(&pairs);
}

/* Of the runs of whole blocks. */
static int64_t median_of(const struct trial_times *times, bool is_fixed,
			 int64_t (*time_of)(const struct trial_time *))
{
	ns_list found = {0};
	int64_t median;

	for (size_t i = TRIAL_CHECK_RUNS; i < times->count; i++)
		if (times->items[i].is_fixed == is_fixed)
			*vector_add(&found) = time_of(&times->items[i]);
	median = found.count ? middle_of(found.items, found.count) : 0;
	vector_free(&found);
	return median;
}

static int64_t cuda_ns(const struct trial_time *time)
{
	return time->ns;
}

static int64_t starting_ns(const struct trial_time *time)
{
	return time->start_ns;
}

static int64_t whole_ns(const struct trial_time *time)
{
	return time->wall_ns;
}

static int64_t getting_ready_ns(const struct trial_time *time)
{
	return time->set_up_ns;
}

static bool contains_zero(const struct trial_interval *interval)
{
	return interval->low_ns <= 0 && interval->high_ns >= 0;
}

/* By more than what no report lists: five pairs have one sign by chance in one of 16 trials. */
static bool control_differs(const struct trial_figures *figures)
{
	const double little = FOLD_SHARE * (double)figures->untouched_ns;

	return (double)figures->control.low_ns > little ||
	       (double)figures->control.high_ns < -little;
}

static enum trial_finding judge_figures(const struct trial_figures *figures)
{
	if (figures->saved.pairs < TRIAL_LEAST_PAIRS)
		return TRIAL_FEW_PAIRS;
	if (control_differs(figures))
		return TRIAL_CONTROL;
	if (contains_zero(&figures->saved))
		return TRIAL_SAME;
	return figures->saved.low_ns > 0 ? TRIAL_SAVES : TRIAL_COSTS;
}

struct trial_figures trial_figures_of(const struct trial_times *times)
{
	struct trial_figures figures = {
		.saved = find_saved(times),
		.control = find_control(times),
		.untouched_ns = median_of(times, false, cuda_ns),
		.fixed_ns = median_of(times, true, cuda_ns),
		.untouched_start_ns = median_of(times, false, starting_ns),
		.fixed_start_ns = median_of(times, true, starting_ns),
		.untouched_wall_ns = median_of(times, false, whole_ns),
		.fixed_wall_ns = median_of(times, true, whole_ns),
		.set_up_ns = median_of(times, true, getting_ready_ns),
	};

	figures.finding = judge_figures(&figures);
	return figures;
}

bool trial_is_decided(const struct trial_times *times)
{
	const struct trial_interval saved = find_saved(times);
	const double width = (double)(saved.high_ns - saved.low_ns);
	const double little = FOLD_SHARE * (double)median_of(times, false, cuda_ns);

	if (saved.pairs < TRIAL_LEAST_PAIRS)
		return false;
	return width < NARROW_SHARE * fabs((double)saved.estimate_ns) ||
	       ((double)saved.high_ns < little && (double)saved.low_ns > -little);
}

enum trial_next trial_next(const struct trial_times *times, const struct trial_limits *limits,
			   int64_t elapsed_ns)
{
	const size_t counted =
		times->count < TRIAL_CHECK_RUNS ? 0 : times->count - TRIAL_CHECK_RUNS;
	const size_t block = counted / TRIAL_BLOCK, place = counted % TRIAL_BLOCK;
	int64_t longest_ns = times->count ? 0 : limits->known_ns;

	for (size_t i = 0; i < times->count; i++)
		longest_ns = max_ns(longest_ns, times->items[i].wall_ns);
	if (times->count >= limits->runs || elapsed_ns + longest_ns > limits->time_ns)
		return TRIAL_END;
	if (times->count < TRIAL_CHECK_RUNS)
		return times->count + 1 == TRIAL_CHECK_RUNS ? TRIAL_RUN_FIXED : TRIAL_RUN_UNTOUCHED;
	if (block && !place && trial_is_decided(times))
		return TRIAL_END;
	return trial_is_fixed_at(block, place) ? TRIAL_RUN_FIXED : TRIAL_RUN_UNTOUCHED;
}
