/* The stated range of a saving (findings/range.h), by arithmetic: its ends are 23 % of the estimate or of the
 * idle time from the estimate, at most half of it, or where the replays' are if that is further. Times are ns. */
#include "cmocka_test.h"
#include "findings/analysis.h"
#include "findings/interval_private.h"

static struct analysis analysis_with(struct idle *idle, int64_t idle_ns, int64_t untraced_ns)
{
	*idle = (struct idle){.all = {.idle_ns = idle_ns + 700}};
	idle->all.rows[IDLE_START].ns = 500; /* set-up does not count */
	idle->all.rows[IDLE_END].ns = 200;
	return (struct analysis){.check = {.has_estimates = true, .untraced_ns = untraced_ns},
				 .idle = idle};
}

static void assert_stated(const struct analysis *analysis, struct interval saved, int64_t low_ns,
			  int64_t high_ns)
{
	struct stated stated = range_stated(analysis, &saved);

	assert_int_equal(stated.low_ns, low_ns);
	assert_int_equal(stated.estimate_ns, saved.estimate_ns);
	assert_int_equal(stated.high_ns, high_ns);
}

TEST(busy_gpu)
{
	struct idle idle;
	const struct analysis analysis = analysis_with(&idle, 100, 10000);

	assert_stated(&analysis, (struct interval){900, 1000, 1100}, 770, 1230);
	assert_stated(&analysis, (struct interval){500, 1000, 1240}, 500, 1240);
}

TEST(idle_gpu)
{
	struct idle idle;
	const struct analysis analysis = analysis_with(&idle, 2000, 10000);

	assert_stated(&analysis, (struct interval){900, 1000, 1100}, 540, 1460);
	/* No more than half of the estimate. */
	assert_stated(&analysis, (struct interval){100, 100, 300}, 50, 300);
	/* Three times, not a nanosecond more. */
	assert_stated(&analysis, (struct interval){101, 101, 101}, 51, 151);
}

TEST(ends_stay_within_run)
{
	struct idle idle;
	const struct analysis analysis = analysis_with(&idle, 0, 1750) /* 1050 without set-up */;

	assert_stated(&analysis, (struct interval){100, 1000, 1000}, 100, 1050);
	assert_stated(&analysis, (struct interval){0, 1000, 1060}, 0, 1060);
}

TEST(nothing_to_widen)
{
	struct idle idle;
	struct analysis analysis = analysis_with(&idle, 2000, 10000);

	assert_stated(&analysis, (struct interval){0, 0, 0}, 0, 0);
	assert_stated(&analysis, (struct interval){0, 0, 40}, 0, 40);
	analysis.check.has_estimates = false;
	assert_stated(&analysis, (struct interval){0, 1000, 1000}, 0, 1000);
}

/* A wait of 7 ms in all whose fix saves 20 ms: 13 ms are the host's work, which then overlaps. */
TEST(terms_of_a_saving)
{
	struct finding finding = {.blocked_ns = 7000, .lost = {0, 20000, 30000}};

	assert_int_equal(range_terms(&finding).own_ns, 7000);
	assert_int_equal(range_terms(&finding).overlap_ns, 13000);
	finding.blocked_ns = 20000;
	assert_int_equal(range_terms(&finding).own_ns, 20000);
	assert_int_equal(range_terms(&finding).overlap_ns, 0);
	finding.blocked_ns = 50000;
	assert_int_equal(range_terms(&finding).own_ns, 20000);
	assert_int_equal(range_terms(&finding).overlap_ns, 0);
}

/* Ten times the low end is narrow enough. */
TEST(wide_ranges_have_a_reason)
{
	struct finding finding = {.low_end = "the host may need it", .lost = {100, 500, 1000}};

	assert_null(range_doubt(&finding));
	finding.lost.high_ns = 1001;
	assert_string_equal(range_doubt(&finding), "the host may need it");
	finding.lost.low_ns = 0;
	assert_string_equal(range_doubt(&finding), "the host may need it");
	finding.low_end = NULL;
	assert_non_null(range_doubt(&finding));
	finding.lost = (struct stated){0, 0, 40};
	assert_null(range_doubt(&finding));
}

RUN_TESTS(NULL, NULL)
