/*
 * The protocol of a trial on times that are made up: the order of runs, when it ends, and what the times say.
 */
#include "trial/trial_pairs.h"

#include "cmocka_test.h"

#include <string.h>

#define RUN_NS INT64_C(100000000)

/* What each run takes: RUN_NS, less what the fixes save, more what comes with time, and by chance. */
struct program {
	int64_t saves_ns, set_up_ns, drift_ns, noise_ns;
	uint64_t seed;
};

static struct trial_time runs[512];

/* About normal, of deviation 1. */
static double draw_normal(uint64_t *seed)
{
	double sum = 0;

	for (int i = 0; i < 12; i++) {
		*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		sum += (double)(*seed >> 33) / 2147483648.0;
	}
	return sum - 6;
}

static struct trial_times run_trial(struct program program, size_t most)
{
	const struct trial_limits limits = {.time_ns = INT64_MAX, .runs = most};
	struct trial_times times = {.items = runs};
	enum trial_next next;

	while ((next = trial_next(&times, &limits, 0)) != TRIAL_END) {
		struct trial_time *run = &runs[times.count];
		const bool is_fixed = next == TRIAL_RUN_FIXED;

		*run = (struct trial_time){.is_fixed = is_fixed,
					   .start_ns = is_fixed ? 2 * RUN_NS : RUN_NS,
					   .set_up_ns = is_fixed ? 2 * program.set_up_ns : 0,
					   .late_set_up_ns = is_fixed ? program.set_up_ns : 0};
		run->ns = RUN_NS + (int64_t)times.count * program.drift_ns +
			  (int64_t)((double)program.noise_ns * draw_normal(&program.seed)) -
			  (is_fixed ? program.saves_ns - program.set_up_ns : 0);
		run->wall_ns = run->ns + RUN_NS;
		times.count++;
	}
	return times;
}

static void check_order(const struct trial_times *times, const char *expected)
{
	assert_int_equal(times->count, strlen(expected));
	for (size_t i = 0; i < times->count; i++)
		assert_int_equal(times->items[i].is_fixed, expected[i] == 'B');
}

/* Three runs to warm up and compare, the control, then blocks; six pairs at least. */
TEST(test_order)
{
	struct trial_times times = run_trial((struct program){.saves_ns = RUN_NS / 4}, 100);

	check_order(&times, "AAB"
			    "AAAA"
			    "ABBA"
			    "BAAB"
			    "ABBA");
	times = run_trial((struct program){.saves_ns = RUN_NS / 4}, 9);
	check_order(&times, "AAB"
			    "AAAA"
			    "AB");
	assert_int_equal(trial_figures_of(&times).finding, TRIAL_FEW_PAIRS);
	assert_int_equal(trial_figures_of(&times).saved.pairs, 0);
}

/* The first runs are the slowest, and not counted. */
TEST(test_warm_up)
{
	struct trial_times times = run_trial((struct program){.saves_ns = RUN_NS / 4}, 100);
	struct trial_figures figures;

	for (size_t i = 0; i < TRIAL_CHECK_RUNS; i++)
		runs[i].ns = 10 * RUN_NS;
	figures = trial_figures_of(&times);
	assert_int_equal(figures.finding, TRIAL_SAVES);
	assert_int_equal(figures.control.high_ns, 0);
	assert_int_equal(figures.untouched_ns, RUN_NS);
}

TEST(test_saving)
{
	struct trial_times times =
		run_trial((struct program){.saves_ns = RUN_NS / 4, .set_up_ns = RUN_NS / 10}, 100);
	struct trial_figures figures = trial_figures_of(&times);

	assert_int_equal(figures.finding, TRIAL_SAVES);
	assert_int_equal(figures.saved.pairs, 6);
	assert_int_equal(figures.saved.estimate_ns, RUN_NS / 4);
	assert_int_equal(figures.saved.low_ns, RUN_NS / 4);
	assert_int_equal(figures.control.pairs, 5);
	assert_int_equal(figures.set_up_ns, RUN_NS / 5);
	assert_int_equal(figures.untouched_start_ns, RUN_NS);
	assert_int_equal(figures.fixed_start_ns, 2 * RUN_NS);
	assert_int_equal(figures.fixed_ns, RUN_NS - RUN_NS / 4 + RUN_NS / 10);
	assert_int_equal(figures.untouched_wall_ns, 2 * RUN_NS);
	times = run_trial((struct program){.saves_ns = -RUN_NS / 4}, 100);
	assert_int_equal(trial_figures_of(&times).finding, TRIAL_COSTS);
}

/* What saves nothing is decided early; what noise hides goes on to the last run, and nothing is said of it. */
TEST(test_end)
{
	struct trial_times times =
		run_trial((struct program){.noise_ns = RUN_NS / 10000, .seed = 2}, 100);

	assert_int_equal(times.count, 19);
	assert_int_equal(trial_figures_of(&times).finding, TRIAL_SAME);
	times = run_trial(
		(struct program){.noise_ns = RUN_NS / 10, .saves_ns = RUN_NS / 100, .seed = 1},
		100);
	assert_int_equal(times.count, 100);
	assert_int_equal(trial_figures_of(&times).finding, TRIAL_SAME);
	/* More pairs make it narrow. */
	times = run_trial(
		(struct program){.noise_ns = RUN_NS / 30, .saves_ns = RUN_NS / 5, .seed = 4}, 500);
	assert_in_range(times.count, 23, 200);
	assert_int_equal(trial_figures_of(&times).finding, TRIAL_SAVES);
}

/* No run begins that would end behind the limit. */
TEST(test_time)
{
	const struct trial_limits limits = {
		.time_ns = 10 * RUN_NS, .runs = 100, .known_ns = 3 * RUN_NS};
	struct trial_times times = {.items = runs, .count = 1};

	runs[0] = (struct trial_time){.ns = RUN_NS, .wall_ns = 2 * RUN_NS};
	assert_int_equal(trial_next(&times, &limits, 8 * RUN_NS), TRIAL_RUN_UNTOUCHED);
	assert_int_equal(trial_next(&times, &limits, 8 * RUN_NS + 1), TRIAL_END);
	/* What is known of the first one. */
	times.count = 0;
	assert_int_equal(trial_next(&times, &limits, 7 * RUN_NS), TRIAL_RUN_UNTOUCHED);
	assert_int_equal(trial_next(&times, &limits, 7 * RUN_NS + 1), TRIAL_END);
}

/* A machine that gets slower, or faster, at a constant rate: neither the control nor the saving shows it. */
TEST(test_drift)
{
	struct trial_times times =
		run_trial((struct program){.saves_ns = RUN_NS / 4, .drift_ns = RUN_NS / 100}, 100);
	struct trial_figures figures = trial_figures_of(&times);

	assert_int_equal(figures.finding, TRIAL_SAVES);
	assert_int_equal(figures.saved.estimate_ns, RUN_NS / 4);
	times = run_trial((struct program){.drift_ns = -RUN_NS / 100}, 100);
	assert_int_equal(trial_figures_of(&times).finding, TRIAL_SAME);
}

/* Runs that alternate by themselves, as the untouched ones of the control do. */
TEST(test_control)
{
	struct trial_times times = run_trial((struct program){.saves_ns = RUN_NS / 4}, 100);
	struct trial_figures figures;
	/* Slower untouched runs: two in the control, the first in block 1, the second in blocks 2 and 3. */
	static const size_t slower[] = {3, 6, 7, 13, 18};

	for (size_t i = 0; i < sizeof(slower) / sizeof(*slower); i++)
		runs[slower[i]].ns += RUN_NS / 50;
	figures = trial_figures_of(&times);
	assert_int_equal(figures.control.pairs, 5);
	assert_true(figures.control.low_ns > 0);
	assert_int_equal(figures.finding, TRIAL_CONTROL);
	/* Less than what any report lists. */
	for (size_t i = 0; i < times.count; i++)
		if (!runs[i].is_fixed)
			runs[i].ns = RUN_NS + (runs[i].ns - RUN_NS) / 5;
	assert_true(trial_figures_of(&times).control.low_ns > 0);
	assert_int_equal(trial_figures_of(&times).finding, TRIAL_SAVES);
}

/* Times by hand: 6 differences, of which the least and the most are the interval. */
TEST(test_interval)
{
	int64_t differences[] = {60, 10, 50, 20, 40, 30};
	struct trial_interval interval = trial_interval_of(differences, 6);

	assert_int_equal(interval.low_ns, 10);
	assert_int_equal(interval.estimate_ns, 35);
	assert_int_equal(interval.high_ns, 60);
	interval = trial_interval_of(differences, 0);
	assert_int_equal(interval.pairs, 0);
	interval = trial_interval_of(differences, 1);
	assert_int_equal(interval.low_ns, 10);
	assert_int_equal(interval.high_ns, 10);
}

/* 95 % of intervals contain what is true, with few pairs and with many. */
static void check_coverage(size_t pairs)
{
	enum { TRIALS = 200 };
	uint64_t seed = pairs;
	int64_t differences[64];
	int contain = 0;

	for (int i = 0; i < TRIALS; i++) {
		struct trial_interval interval;

		for (size_t k = 0; k < pairs; k++)
			differences[k] = (int64_t)(1000000 + 100000 * draw_normal(&seed));
		interval = trial_interval_of(differences, pairs);
		contain += interval.low_ns <= 1000000 && interval.high_ns >= 1000000;
	}
	/* The deviation of their share is 1.5 %. */
	assert_in_range(contain * 1000 / TRIALS, 910, 995);
}

TEST(test_coverage)
{
	check_coverage(6);
	check_coverage(12);
}

RUN_TESTS(NULL, NULL)
