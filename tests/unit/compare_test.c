/* Whether a finding is new, worse, the same, less or gone: by arithmetic. Times are ns of a run of
 * 1000. */
#include "cmocka_test.h"
#include "gate/compare.h"

#define MOST 8

struct side {
	struct compare_run runs[MOST];
	struct compare_side side;
};

/* So many traces in which the finding is in `found` of `calls` calls, of 10 bytes each, and saves
 * that much. */
static struct side *make(struct side *side, size_t traces, double calls, double found, double saved)
{
	for (size_t i = 0; i < traces; i++)
		side->runs[i] = (struct compare_run){.is_present = found > 0,
						     .is_shown = found > 0,
						     .pass = 1,
						     .calls = calls,
						     .call_bytes = 10 * calls,
						     .count = found,
						     .bytes = 10 * found,
						     .streams = 1,
						     .saved_ns = saved,
						     .low_ns = saved,
						     .high_ns = saved,
						     .run_ns = 1000};
	side->side = (struct compare_side){side->runs, traces};
	return side;
}

/* The same with what each of the traces saves. */
static void set_saved(struct side *side, const double *saved)
{
	for (size_t i = 0; i < side->side.count; i++)
		side->runs[i].saved_ns = side->runs[i].low_ns = side->runs[i].high_ns = saved[i];
}

static enum compare_by by;

static enum gate_verdict compare(struct side *base, struct side *head)
{
	return compare_sides(&base->side, &head->side, &by);
}

static struct side a, b;

TEST(test_calls)
{
	assert_int_equal(compare(make(&a, 1, 49, 49, 100), make(&b, 1, 98, 98, 100)), GATE_WORSE);
	assert_int_equal(by, COMPARE_CALLS);
	/* More waits in the same calls: chance. */
	assert_int_equal(compare(make(&a, 1, 100, 60, 100), make(&b, 1, 100, 75, 150)), GATE_SAME);
	/* More calls, none of which waits. */
	assert_int_equal(compare(make(&a, 1, 100, 20, 100), make(&b, 1, 120, 20, 100)), GATE_SAME);
	/* A loop that ends by its data. */
	assert_int_equal(compare(make(&a, 1, 1000, 999, 9), make(&b, 1, 1009, 1008, 9)), GATE_SAME);
	assert_int_equal(compare(make(&a, 1, 1000, 999, 9), make(&b, 1, 1011, 1010, 9)),
			 GATE_WORSE);
	assert_int_equal(compare(make(&a, 1, 98, 98, 100), make(&b, 1, 49, 49, 100)), GATE_LESS);
	/* In one trace of head there are no more than in one of base. */
	make(&a, 2, 100, 100, 100);
	make(&b, 2, 120, 120, 100);
	a.runs[1].calls = 120;
	a.runs[1].call_bytes = 1200;
	assert_int_equal(compare(&a, &b), GATE_SAME);
	/* In one trace of head alone. */
	make(&a, 2, 100, 100, 100);
	make(&b, 2, 100, 100, 100);
	b.runs[0].calls = b.runs[0].count = 120;
	assert_int_equal(compare(&a, &b), GATE_SAME);
}

TEST(test_bytes)
{
	make(&a, 1, 10, 10, 100);
	make(&b, 1, 10, 10, 100);
	b.runs[0].call_bytes *= 2;
	assert_int_equal(compare(&a, &b), GATE_SAME); /* of other calls there */
	b.runs[0].bytes *= 2;
	assert_int_equal(compare(&a, &b), GATE_WORSE);
	assert_int_equal(by, COMPARE_BYTES);
	a.runs[0].bytes = b.runs[0].bytes = 0;
	assert_int_equal(compare(&a, &b), GATE_SAME);
}

TEST(test_new)
{
	assert_int_equal(compare(make(&a, 1, 0, 0, 0), make(&b, 1, 5, 5, 100)), GATE_NEW);
	assert_int_equal(compare(make(&a, 1, 5, 5, 100), make(&b, 1, 0, 0, 0)), GATE_GONE);
	assert_int_equal(compare(make(&a, 1, 5, 0, 0), make(&b, 1, 5, 0, 0)), GATE_NONE);
	/* The same calls, which now lose 10 % of the run: only times can tell. */
	make(&a, 6, 5, 0, 0);
	assert_int_equal(compare(&a, make(&b, 6, 5, 5, 100)), GATE_UNDECIDED);
	b.runs[2].low_ns = 4;
	assert_int_equal(compare(&a, &b), GATE_SAME);
	b.runs[2].low_ns = 100;
	b.runs[1].pass = 2;
	assert_int_equal(compare(&a, &b), GATE_SAME);
	/* Base has it, but it saves too little to be listed. */
	make(&a, 1, 5, 5, 4);
	a.runs[0].is_shown = false;
	assert_int_equal(compare(&a, make(&b, 1, 5, 5, 8)), GATE_SAME);
	assert_int_equal(compare(&a, make(&b, 1, 5, 5, 9)), GATE_UNDECIDED);
	assert_int_equal(compare(&a, make(&b, 1, 10, 10, 9)), GATE_WORSE);
	/* The other way round: still there, in the same calls. */
	make(&a, 1, 5, 5, 8);
	make(&b, 1, 5, 5, 4);
	b.runs[0].is_shown = false;
	assert_int_equal(compare(&a, &b), GATE_SAME);
	/* Gone by 0.5 % of the run, if all of base list it and none of head. */
	make(&a, 2, 5, 5, 9);
	make(&b, 2, 5, 5, 4);
	b.runs[0].is_shown = b.runs[1].is_shown = false;
	assert_int_equal(compare(&a, &b), GATE_GONE);
	b.runs[1].saved_ns = 4.5;
	assert_int_equal(compare(&a, &b), GATE_SAME);
	b.runs[1].saved_ns = 4;
	a.runs[1].is_shown = false;
	assert_int_equal(compare(&a, &b), GATE_SAME);
	assert_int_equal(compare(make(&a, 7, 5, 0, 0), make(&b, 7, 5, 5, 100)), GATE_NEW);
	assert_int_equal(by, COMPARE_TIME);
}

TEST(test_not_in_all_traces)
{
	make(&a, 3, 0, 0, 0);
	make(&b, 3, 5, 5, 100);
	b.runs[0].is_shown = b.runs[0].is_present = false;
	b.runs[0].count = 0;
	assert_int_equal(compare(&a, &b), GATE_NEW); /* the calls are in all */
	b.runs[1].is_shown = false;
	assert_int_equal(compare(&a, &b), GATE_SAME);
	assert_int_equal(compare(&b, &a), GATE_SAME);
}

TEST(test_streams)
{
	make(&a, 1, 10, 10, 2);
	make(&b, 1, 10, 10, 300);
	a.runs[0].is_shown = false;
	a.runs[0].streams = 3;
	assert_int_equal(compare(&a, &b), GATE_WORSE);
	assert_int_equal(by, COMPARE_STREAMS);
	a.runs[0].high_ns = 301;
	assert_int_equal(compare(&a, &b), GATE_SAME);
}

TEST(test_times)
{
	const double low[] = {100, 110, 120, 100, 110, 105, 115},
		     high[] = {200, 210, 220, 200, 210, 205, 215};
	const double touching[] = {200, 210, 120, 200, 210, 205, 215};
	const double apart_by_4[] = {124, 145, 146, 146, 144, 143, 142};
	const double wide[] = {130, 131, 132, 200, 298, 299, 300},
		     modes[] = {100, 100, 300, 300, 100, 100, 100};
	const double other_modes[] = {300, 300, 100, 300, 300, 300, 300};

	make(&a, 7, 10, 10, 0);
	make(&b, 7, 10, 10, 0);
	set_saved(&a, low);
	set_saved(&b, high);
	assert_int_equal(compare(&a, &b), GATE_WORSE);
	assert_int_equal(by, COMPARE_TIME);
	assert_int_equal(compare(&b, &a), GATE_LESS);
	a.side.count = 6;
	assert_int_equal(compare(&a, &b), GATE_SAME);
	a.side.count = 7;
	set_saved(&b, touching);
	assert_int_equal(compare(&a, &b), GATE_SAME);
	set_saved(&b, apart_by_4); /* 0.4 % of the run */
	assert_int_equal(compare(&a, &b), GATE_SAME);
	set_saved(&b, wide); /* by 90, and it varies by 170 */
	assert_int_equal(compare(&a, &b), GATE_SAME);
	set_saved(&a, modes);
	set_saved(&b, other_modes);
	assert_int_equal(compare(&a, &b), GATE_SAME);
}

RUN_TESTS(NULL, NULL)
