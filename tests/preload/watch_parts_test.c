/* What the watch mode decides by: hours of steps in a moment, and what is kept in memory. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "base/options.h"
#include "watch/bounds.h"
#include "watch/call_period.h"
#include "watch/kept.h"
#include "watch/steps.h"
#include "watch/usual.h"

#define MS   INT64_C(1000000)
#define HOUR INT64_C(3600000000000)
#define SLOW 200 /* percent */

struct options options;

/* Between 0 and 1. */
static double chance(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Steps of 40 ms that differ by a third, and of which one in 50 takes half as long again. */
static int64_t usual_step(uint64_t *seed)
{
	const int64_t ns = (int64_t)(40 * MS * (0.85 + 0.3 * chance(seed)));

	return chance(seed) < 0.02 ? ns + ns / 2 : ns;
}

TEST(three_hours_of_steps_are_quiet)
{
	struct usual usual = {.count = 0};
	uint64_t seed = 7;

	for (int64_t passed = 0; passed < 3 * HOUR;) {
		const int64_t ns = usual_step(&seed);

		assert_in_range(usual_judge(&usual, ns, SLOW), STEP_UNJUDGED, STEP_NORMAL);
		passed += ns;
	}
	assert_in_range(usual_median_ns(&usual), 36 * MS, 46 * MS);
}

/* A slow drift, as of a program whose sequences get longer. */
TEST(a_drift_is_quiet)
{
	struct usual usual = {.count = 0};
	uint64_t seed = 8;

	for (int i = 0; i < 200000; i++)
		assert_in_range(
			usual_judge(&usual, usual_step(&seed) * (100000 + i) / 100000, SLOW),
			STEP_UNJUDGED, STEP_NORMAL);
}

/* Steps of 1 ms lose whole slices of the processor. */
TEST(short_steps_have_a_margin)
{
	struct usual usual = {.count = 0};

	for (int i = 0; i < 100000; i++)
		assert_in_range(usual_judge(&usual, i % 40 ? MS : 9 * MS, SLOW), STEP_UNJUDGED,
				STEP_NORMAL);
	assert_int_equal(usual_judge(&usual, 12 * MS, SLOW), STEP_SLOW_NEWS);
}

TEST(each_slow_step_is_found_once_it_is_known_what_is_usual)
{
	struct usual usual = {.count = 0};
	uint64_t seed = 9;
	int known = 0;

	/* The first one compiles for a minute. */
	assert_int_equal(usual_judge(&usual, 60000 * MS, SLOW), STEP_UNJUDGED);
	while (usual_judge(&usual, usual_step(&seed), SLOW) == STEP_UNJUDGED)
		known++;
	assert_int_equal(known, USUAL_FIRST - 1 + USUAL_LEAST);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(
			usual_judge(&usual, (int64_t)((100 + 1000 * chance(&seed)) * MS), SLOW),
			STEP_SLOW_NEWS);
		for (int j = 0; j < 20; j++)
			assert_int_equal(usual_judge(&usual, usual_step(&seed), SLOW), STEP_NORMAL);
	}
}

static int count_news(struct usual *usual, int64_t ns, int steps)
{
	int news = 0;

	for (int i = 0; i < steps; i++)
		news += usual_judge(usual, ns, SLOW) == STEP_SLOW_NEWS;
	return news;
}

/* Twice as many processes on the node: one event, and then what is usual is something else. */
TEST(another_regime_is_one_event)
{
	struct usual usual = {.count = 0};

	assert_int_equal(count_news(&usual, 40 * MS, 1000), 0);
	assert_int_equal(count_news(&usual, 130 * MS, 8), 1);
	assert_int_equal(usual_median_ns(&usual), 130 * MS);
	assert_int_equal(count_news(&usual, 130 * MS, 1000), 0);
	assert_int_equal(count_news(&usual, 300 * MS, 1), 1);
	assert_int_equal(count_news(&usual, 130 * MS, 100), 0);
	/* Back again: faster is no event, and slow is what was slow before. */
	assert_int_equal(count_news(&usual, 40 * MS, 100), 0);
	assert_int_equal(count_news(&usual, 130 * MS, 1), 1);
}

/* A step in ten that saves a checkpoint: the first ones only. */
TEST(what_comes_again_and_again_is_usual)
{
	struct usual usual = {.count = 0};
	int news = 0;

	count_news(&usual, 40 * MS, 100);
	for (int i = 0; i < 7000; i++)
		news += count_news(&usual, i % 7 ? 40 * MS : 400 * MS, 1);
	assert_in_range(news, 1, 10);
}

/* Likewise one in six by chance: not one in five of them is news. */
TEST(what_comes_again_by_chance_is_mostly_usual)
{
	struct usual usual = {.count = 0};
	uint64_t seed = 11;
	int news = 0, slow = 0;

	count_news(&usual, 40 * MS, 100);
	for (int i = 0; i < 60000; i++) {
		const bool is_slow = chance(&seed) < 1 / 6.0;

		slow += is_slow;
		news += count_news(&usual, is_slow ? 400 * MS : 40 * MS, 1);
	}
	assert_in_range(news, 1, slow / 5);
}

/* Others had the processors for a while, in which two of three steps were slow: one event, and that makes nothing usual. */
TEST(a_disturbance_that_is_over_hides_nothing)
{
	struct usual usual = {.count = 0};
	int news = 0;

	count_news(&usual, 40 * MS, 100);
	for (int i = 0; i < 24; i++)
		news += count_news(&usual, i % 3 ? 120 * MS : 40 * MS, 1);
	assert_int_equal(news, 1);
	count_news(&usual, 40 * MS, 40);
	assert_int_equal(count_news(&usual, 130 * MS, 1), 1);
}

/* How a step of so many ms is judged in which the thread was preempted, after some of 1 ms. */
static enum step_kind kind_of_preempted(int64_t took_ms, uint32_t times)
{
	struct watched_step begun = {.by = WATCH_STEPS_CALLED, .start_ns = HOUR, .thread_id = 1};

	steps_after_fork();
	for (; begun.number < 100; begun.number++) {
		steps_begin(&begun, SLOW);
		begun.start_ns += MS;
	}
	steps_begin(&begun, SLOW);
	begun.start_ns += took_ms * MS;
	begun.preempted = times;
	begun.number++;
	return steps_begin(&begun, SLOW)->kind;
}

/* Other programs take their slices of the processor. */
TEST(a_preempted_step_has_a_margin)
{
	assert_int_equal(kind_of_preempted(10, 0), STEP_NORMAL);
	assert_int_equal(kind_of_preempted(12, 0), STEP_SLOW_NEWS);
	assert_int_equal(kind_of_preempted(20, 1), STEP_NORMAL);
	assert_int_equal(kind_of_preempted(22, 1), STEP_SLOW_NEWS);
	assert_int_equal(kind_of_preempted(30, 2), STEP_NORMAL);
	assert_int_equal(kind_of_preempted(32, 50), STEP_SLOW_NEWS);
	steps_after_fork();
}

/* When a step is looked at as perhaps a slow one, after some of so many ms. */
static int64_t suspicious_after(int64_t usual_ms)
{
	struct watched_step begun = {.by = WATCH_STEPS_CALLED, .start_ns = HOUR, .thread_id = 1};

	steps_after_fork();
	for (; begun.number < 100; begun.number++) {
		steps_begin(&begun, SLOW);
		begun.start_ns += usual_ms * MS;
	}
	return steps_suspicious_ns(SLOW);
}

TEST(a_step_is_suspicious_halfway_to_a_slow_one)
{
	steps_after_fork();
	assert_int_equal(steps_suspicious_ns(SLOW), 0);
	assert_int_equal(suspicious_after(400), 600 * MS);
	/* 14 ms are slow beside 4: each step that takes 6 is not. */
	assert_int_equal(suspicious_after(4), 9 * MS);
	steps_after_fork();
}

/* A call each step, another one ten times in it, and one now and then. */
static int steps_of_period(int64_t step_ns, int steps, int64_t *first_number_ns)
{
	static const int sites[3];
	struct record call = {.kind = RECORD_CALL, .function = 3};
	int64_t now_ns = HOUR;
	uint64_t number, seed = 5;
	int found = 0;

	*first_number_ns = 0;
	for (int i = 0; i < steps; i++) {
		const int64_t begun_ns = now_ns;

		for (int j = 0; j < 10; j++) {
			call.start_ns = now_ns + j * 20000;
			call.site = (struct atom *)&sites[0];
			assert_false(call_period_see(&call, 1, &number));
		}
		now_ns += step_ns + (int64_t)(chance(&seed) * 0.2 * (double)step_ns);
		call.start_ns = (begun_ns + now_ns) / 2;
		call.site = (struct atom *)&sites[1];
		if (call_period_see(&call, 1, &number)) {
			assert_int_equal(number, found);
			if (!found++)
				*first_number_ns = call.start_ns - HOUR;
		}
		call.site = (struct atom *)&sites[2];
		if (chance(&seed) < 0.3)
			assert_false(call_period_see(&call, 1, &number));
	}
	return found;
}

TEST(the_period_of_calls_is_found)
{
	int64_t first_ns;

	/* Three seconds of steps, and then all of them. */
	assert_in_range(steps_of_period(20 * MS, 1000, &first_ns), 820, 870);
	assert_in_range(first_ns, 3000 * MS, 3100 * MS);
	call_period_forget();
	/* Long ones take as long as it takes to see 17 of them. */
	assert_in_range(steps_of_period(1000 * MS, 100, &first_ns), 75, 85);
	call_period_forget();
	/* What comes more often than each ms is no step. */
	assert_int_equal(steps_of_period(MS / 2, 20000, &first_ns), 0);
	call_period_forget();
}

/* A block of some calls, whose only note is its number. */
static void make_block(uint8_t memory[4096], uint32_t number)
{
	struct packed *packed = (void *)memory;
	struct packed_note *note = (struct packed_note *)(void *)(memory + 4096) - 1;

	memset(memory, 0, 4096);
	packed->bytes = 4096;
	packed->calls = 10;
	packed->record_bytes = 100 + number % 900;
	memset(packed->records, (int)(number & 0xff), packed->record_bytes);
	packed->note_count = 1;
	packed->last_start_ns = number;
	*note = (struct packed_note){.kind = PACKED_SERIAL, .value = number};
}

static uint32_t next_block, next_row, blocks, rows;

static void check_block(struct store *store, const struct packed *packed, uint32_t thread_id)
{
	const struct packed_note *note = packed_next_note(packed, NULL);

	assert_int_equal(thread_id, 7);
	assert_int_equal(note->value, next_block);
	assert_int_equal(packed->record_bytes, 100 + next_block % 900);
	assert_int_equal(packed->records[packed->record_bytes - 1], next_block & 0xff);
	assert_null(packed_next_note(packed, note));
	next_block++;
	blocks++;
}

static void check_row(struct store *store, const struct host_row *row)
{
	/* Of the oldest block that is gone the row may be there. */
	if (!rows)
		next_row = (uint32_t)row->row.start_ns;
	assert_int_equal(row->row.start_ns, next_row);
	if (next_row % 2)
		assert_string_equal(row->name, "/data/file");
	else
		assert_null(row->name);
	next_row++;
	rows++;
}

/* The newest ones are kept, in their order, across the memory's end; and what is missing is told. */
TEST(the_last_blocks_are_kept)
{
	enum { BYTES = 1 << 20, MANY = 20000 };
	_Alignas(64) uint8_t memory[4096];

	assert_true(kept_begin(BYTES));
	for (uint32_t i = 1; i <= MANY; i++) {
		const struct host_row row = {.row = {.start_ns = i},
					     .name = i % 2 ? "/data/file" : NULL};

		make_block(memory, i);
		kept_add_block((const void *)memory, 7);
		kept_add_row(&row);
		assert_in_range(kept_bytes(), 1, BYTES);
	}
	assert_in_range(kept_bytes(), BYTES - 2048, BYTES);
	next_block = (uint32_t)kept_since_ns() + 1;
	assert_in_range(next_block, 2, MANY);
	kept_take_all(check_block, check_row, NULL);
	assert_int_equal(next_block, MANY + 1);
	assert_int_equal(next_row, MANY + 1);
	assert_in_range(rows, blocks, blocks + 1);
	assert_int_equal(kept_bytes(), 0);
	kept_after_fork();
}

TEST(incidents_an_hour_and_bytes_a_day_are_bound)
{
	options.watch_hour = 2;
	options.watch_day = 1000;
	assert_int_equal(bounds_now(HOUR, "/proc"), BOUND_NONE);
	bounds_count(HOUR);
	bounds_count(HOUR + 10);
	assert_int_equal(bounds_now(HOUR + 20, "/proc"), BOUND_HOUR);
	assert_int_equal(bounds_now(2 * HOUR - 1, "/proc"), BOUND_HOUR);
	assert_int_equal(bounds_now(2 * HOUR, "/proc"), BOUND_NONE);
	bounds_count(2 * HOUR);
	assert_int_equal(bounds_now(2 * HOUR + 5, "/proc"), BOUND_HOUR);
	assert_int_equal(bounds_now(2 * HOUR + 10, "/proc"), BOUND_NONE);
	assert_true(bounds_add_bytes(2 * HOUR, 600));
	assert_false(bounds_add_bytes(5 * HOUR, 400));
	assert_int_equal(bounds_now(6 * HOUR, "/proc"), BOUND_DAY);
	assert_int_equal(bounds_now(25 * HOUR, "/proc"), BOUND_DAY);
	/* The first hour's bytes are forgotten. */
	assert_int_equal(bounds_now(26 * HOUR, "/proc"), BOUND_NONE);
	assert_true(bounds_add_bytes(26 * HOUR, 599));
	assert_int_equal(bounds_now(300 * HOUR, "/proc"), BOUND_NONE);
	assert_true(bounds_add_bytes(300 * HOUR, 999));
	options.watch_hour = 0;
	assert_int_equal(bounds_now(900 * HOUR, "/proc"), BOUND_HOUR);
	bounds_after_fork();
}

RUN_TESTS(NULL, NULL)
