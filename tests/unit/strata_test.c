/* Which slices are alike. */
#include "cmocka_test.h"
#include "long_run.h"
#include "sample/strata.h"

#include <stdlib.h>

enum { ITERATIONS = 150000, MS = 1000000 };

struct grouped {
	struct slice *slices;
	uint32_t *of;
	size_t count, strata;
};

static struct grouped group(const struct trace *trace)
{
	struct grouped grouped;

	grouped.slices = slices_cut(trace, &grouped.count);
	grouped.of = strata_find(trace, grouped.slices, grouped.count, &grouped.strata);
	return grouped;
}

static void release(struct grouped *grouped)
{
	free(grouped->of);
	free(grouped->slices);
}

static size_t members(const struct grouped *grouped, uint32_t stratum)
{
	size_t found = 0;

	for (size_t i = 0; i < grouped->count; i++)
		found += grouped->of[i] == stratum;
	return found;
}

static size_t slice_of(const struct grouped *grouped, uint32_t call)
{
	size_t slice = 0;

	while (grouped->slices[slice].end <= call)
		slice++;
	return slice;
}

TEST(test_equal_ones)
{
	struct long_run *run = long_run_make((size_t)2 * ITERATIONS);
	struct grouped grouped;
	int64_t now_ns = 0;

	for (size_t i = 0; i < ITERATIONS; i++)
		now_ns = long_run_iteration(run, 0, 0, now_ns, 8000, 10000);
	grouped = group(&run->trace);
	assert_int_equal(grouped.strata, 3);
	assert_int_equal(members(&grouped, grouped.of[0]), 1);
	assert_int_equal(members(&grouped, grouped.of[grouped.count - 1]), 1);
	assert_int_equal(members(&grouped, grouped.of[1]), grouped.count - 2);
	release(&grouped);
	long_run_free(run);
}

/* 50 ms in the middle of one slice, between two calls. */
TEST(test_one_with_a_stall)
{
	struct long_run *run = long_run_make((size_t)2 * ITERATIONS);
	struct grouped grouped;
	int64_t now_ns = 0;
	size_t stalled;

	for (size_t i = 0; i < ITERATIONS; i++)
		now_ns = long_run_iteration(run, 0, 0, now_ns, 8000,
					    i == ITERATIONS / 2 ? 50 * MS : 10000);
	grouped = group(&run->trace);
	stalled = slice_of(&grouped, ITERATIONS + 1);
	assert_int_equal(grouped.strata, 4);
	assert_int_equal(members(&grouped, grouped.of[stalled]), 1);
	assert_int_equal(members(&grouped, grouped.of[1]), grouped.count - 3);
	release(&grouped);
	long_run_free(run);
}

/* The same calls run another kernel in the second half, as long. */
TEST(test_two_phases)
{
	struct long_run *run = long_run_make((size_t)2 * ITERATIONS);
	struct grouped grouped;
	int64_t now_ns = 0;

	for (size_t i = 0; i < ITERATIONS; i++)
		now_ns = long_run_iteration(run, 0, i >= ITERATIONS / 2, now_ns, 8000, 10000);
	grouped = group(&run->trace);
	assert_int_not_equal(grouped.of[1], grouped.of[grouped.count - 2]);
	assert_true(members(&grouped, grouped.of[1]) > grouped.count / 3);
	assert_true(members(&grouped, grouped.of[grouped.count - 2]) > grouped.count / 3);
	release(&grouped);
	long_run_free(run);
}

/* More kinds than there are strata: the last slice still has one to itself, and the first. */
TEST(test_all_different)
{
	enum { KINDS = 100, EACH = 2304 };
	struct long_run *run = long_run_make((size_t)2 * KINDS * EACH);
	struct grouped grouped;
	int64_t now_ns = 0;

	for (uint32_t i = 0; i < KINDS * EACH; i++)
		now_ns = long_run_iteration(run, 2 * (i / EACH), i / EACH, now_ns, 8000, 10000);
	grouped = group(&run->trace);
	assert_int_equal(grouped.strata, 64);
	for (size_t i = 0; i < grouped.count; i++)
		assert_true(grouped.of[i] < grouped.strata);
	assert_int_equal(members(&grouped, grouped.of[0]), 1);
	assert_int_equal(members(&grouped, grouped.of[grouped.count - 1]), 1);
	release(&grouped);
	long_run_free(run);
}

RUN_TESTS(NULL, NULL)
