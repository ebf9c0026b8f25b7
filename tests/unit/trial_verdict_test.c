/*
 * What a trial says first, of runs that are made up: results that differ, calls that were not changed, runs that failed.
 */
#include "trial/trial.h"

#include "cmocka_test.h"

#include <stdlib.h>
#include <string.h>

static struct trial_page page;

static bool hashes_all;

static void add_run(struct trial_results *results, bool is_fixed, size_t count,
		    const uint64_t *hashes)
{
	memset(&page, 0, sizeof(page));
	page.hashes_all = hashes_all;
	page.result_count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		page.results[i] = hashes[i];
	trial_results_add(results, &page, is_fixed);
}

#define RUN(is_fixed, ...)                                                                         \
	add_run(&results, is_fixed, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),          \
		(uint64_t[]){__VA_ARGS__})

TEST(test_same_results)
{
	struct trial_results results = {0};
	struct trial_comparison comparison;

	RUN(false, 11, 0, 13);
	RUN(false, 11, 0, 13);
	RUN(true, 11, 0, 13);
	comparison = trial_results_compare(&results);
	assert_int_equal(comparison.compared, 2);
	assert_int_equal(comparison.varying, 0);
	assert_int_equal(comparison.different, 0);
	RUN(true, 11, 0, 14);
	RUN(true, 11, 0, 13);
	assert_int_equal(trial_results_compare(&results).different, 3);
	trial_results_free(&results);
}

/* Bytes that were overwritten before they could be hashed are no others. */
TEST(test_results_without_a_hash)
{
	struct trial_results results = {0};

	RUN(false, 11, 0, 13);
	RUN(false, 11, 12, 13);
	RUN(true, 0, 12, 0);
	assert_int_equal(trial_results_compare(&results).compared, 1);
	assert_int_equal(trial_results_compare(&results).different, 0);
	RUN(true, 11, 14, 0);
	assert_int_equal(trial_results_compare(&results).compared, 2);
	assert_int_equal(trial_results_compare(&results).different, 2);
	trial_results_free(&results);
}

/* Runs whose results are hashed by all bytes and those of some are compared among themselves. */
TEST(test_hashes_of_two_kinds)
{
	struct trial_results results = {0};

	hashes_all = true;
	RUN(false, 11, 12);
	RUN(true, 11, 12);
	hashes_all = false;
	RUN(false, 21, 22);
	RUN(true, 21, 22);
	assert_int_equal(trial_results_compare(&results).compared, 2);
	assert_int_equal(trial_results_compare(&results).different, 0);
	hashes_all = true;
	RUN(true, 11, 13);
	assert_int_equal(trial_results_compare(&results).different, 2);
	hashes_all = false;
	RUN(true, 23, 22);
	assert_int_equal(trial_results_compare(&results).different, 1);
	trial_results_free(&results);
}

/* A program that differs from itself there, be that seen only later. */
TEST(test_varying_results)
{
	struct trial_results results = {0};
	struct trial_comparison comparison;

	RUN(false, 11, 12, 13);
	RUN(true, 11, 22, 13);
	assert_int_equal(trial_results_compare(&results).different, 2);
	RUN(false, 11, 32, 13);
	comparison = trial_results_compare(&results);
	assert_int_equal(comparison.different, 0);
	assert_int_equal(comparison.compared, 2);
	assert_int_equal(comparison.varying, 1);
	assert_false(comparison.count_varies);
	trial_results_free(&results);
}

TEST(test_numbers_of_results)
{
	struct trial_results results = {0};

	RUN(false, 11, 12);
	RUN(true, 11, 12, 13);
	assert_int_equal(trial_results_compare(&results).different, 3);
	RUN(false, 11);
	assert_int_equal(trial_results_compare(&results).different, 0);
	assert_true(trial_results_compare(&results).count_varies);
	trial_results_free(&results);
}

/* More than the page has room for. */
TEST(test_most_results)
{
	struct trial_results results = {0};

	page.result_count = UINT32_MAX;
	trial_results_add(&results, &page, false);
	assert_int_equal(results.count, TRIAL_MOST_RESULTS);
	trial_results_free(&results);
}

/* A trial that saves 20 us at two places: 5 us of each of 4 calls, for 12 us to set up. */
static struct trial_place places[] = {{.fix = TRIAL_HELD_FREE}, {.fix = TRIAL_PINNED_RING}};
static struct trial_count counts[] = {{.calls = 6, .applied = 4, .refusals = 2},
				      {.calls = 3, .refusals = 4}};

static struct trial make_trial(void)
{
	return (struct trial){
		.plan.places = {places, 2, 2},
		.predicted = {10000, 15000, 20000},
		.figures = {.finding = TRIAL_SAVES,
			    .saved = {18000, 20000, 22000, 6},
			    .set_up_ns = 12000},
		.counts = counts,
	};
}

TEST(test_saving)
{
	struct trial trial = make_trial();
	struct trial_count counted = trial_counted(&trial);

	assert_int_equal(trial_verdict_of(&trial), VERDICT_SAVES);
	assert_string_equal(trial_verdict_name(VERDICT_SAVES), "saves");
	assert_int_equal(counted.calls, 9);
	assert_int_equal(counted.applied, 4);
	assert_int_equal(counted.refusals, 6);
	assert_int_equal(trial_payback_of(&trial).calls, 3);
	assert_int_equal(trial_payback_of(&trial).runs, 1);
	assert_int_equal(trial_side_of(&trial), SIDE_INSIDE);
	trial.figures.saved.estimate_ns = 20001;
	assert_int_equal(trial_side_of(&trial), SIDE_ABOVE);
	trial.figures.saved.estimate_ns = 9999;
	assert_int_equal(trial_side_of(&trial), SIDE_BELOW);
	trial.figures.saved.estimate_ns = -1;
	assert_int_equal(trial_payback_of(&trial).calls, 0);
}

/* Nothing is claimed of runs that failed, changed nothing or have other results. */
TEST(test_obstacles)
{
	struct trial_count none[2] = {{.calls = 6}};
	struct trial trial = make_trial();

	trial.results.different = 1;
	assert_int_equal(trial_verdict_of(&trial), VERDICT_RESULTS_DIFFER);
	assert_false(trial_has_saving(trial_verdict_of(&trial)));
	trial.counts = none;
	assert_int_equal(trial_verdict_of(&trial), VERDICT_NOT_APPLIED);
	trial.end = TRIAL_HUNG;
	assert_int_equal(trial_verdict_of(&trial), VERDICT_FAILED);
	trial.end = TRIAL_UNSTEADY;
	assert_int_equal(trial_verdict_of(&trial), VERDICT_UNSTEADY);
	trial.end = TRIAL_NOT_SEEN;
	assert_int_equal(trial_verdict_of(&trial), VERDICT_NOT_SEEN);
	trial.plan.places.count = 0;
	assert_int_equal(trial_verdict_of(&trial), VERDICT_REFUSED);
}

/* What the environment changes is not counted at calls. */
TEST(test_environment)
{
	struct trial_place eager = {.fix = TRIAL_EAGER_LOADING};
	struct trial_count none = {0};
	struct trial trial = make_trial();

	trial.plan.places.items = &eager;
	trial.plan.places.count = 1;
	trial.counts = &none;
	assert_int_equal(trial_verdict_of(&trial), VERDICT_SAVES);
	assert_string_equal(trial_plan_environment(&trial.plan).words[0], "CUDA_MODULE_LOADING");
	assert_string_equal(trial_plan_environment(&trial.plan).words[1], "EAGER");
	assert_null(trial_plan_environment(&trial.plan).words[2]);
}

RUN_TESTS(NULL, NULL)
