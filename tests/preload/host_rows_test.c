/* How many rows looks at threads can make, and what becomes of those that nobody stores in time. */
#include <string.h>

#include "cmocka_test.h"
#include "base/losses.h"
#include "host/found_stack.h"
#include "host/period.h"
#include "host/row_queue.h"

#define SECOND_NS INT64_C(1000000000)
#define JUDGED_NS 250000000

enum { ROOM = 8192, MANY = 20000 };

static uint64_t lost, stored;
static struct host_states_row last;

void losses_count(enum loss loss, uint64_t count)
{
	assert_int_equal(loss, LOSS_HOST_STATE);
	lost += count;
}

/* Rows come in the order in which they were pushed. */
void store_host_state(struct store *store, struct host_states_row *row, struct atom *site,
		      const char *name)
{
	assert_true(!stored || row->start_ns > last.start_ns);
	last = *row;
	stored++;
}

static void push_rows(int count)
{
	static int64_t time_ns;
	struct watched thread = {.id = 7};

	for (int i = 0; i < count; i++) {
		thread.row = (struct watched_row){.start_ns = ++time_ns, .looks = 3};
		row_queue_push(&thread, time_ns + 1);
		assert_int_equal(thread.row.looks, 0);
	}
}

TEST(rows_beyond_the_room_are_counted)
{
	lost = stored = 0;
	push_rows(ROOM + 5);
	assert_int_equal(lost, 5 * 3);
	row_queue_store(NULL);
	assert_int_equal(stored, ROOM);
	assert_int_equal(last.thread_id, 7);
	assert_int_equal(last.end_ns, last.start_ns + 1);
	/* There is room again, across the queue's end. */
	for (int i = 0; i < MANY / 100; i++) {
		push_rows(100);
		row_queue_store(NULL);
	}
	assert_int_equal(stored, ROOM + MANY);
	assert_int_equal(lost, 5 * 3);
}

/* Looks 10 ms apart: the sample that the last one asked for came soon behind it. */
TEST(a_sample_tells_since_when_a_thread_is_elsewhere)
{
	struct atom *before = (struct atom *)16, *elsewhere = (struct atom *)32;
	const struct task_look runs = {.state = HOST_STATE_RUNNING};
	const struct task_look waits = {.state = HOST_STATE_INPUT};
	struct watched thread = {
		.native = {.runs = elsewhere, .runs_ns = 10020},
		.row = {.look = runs, .site = before, .start_ns = 5000, .looks = 1}};

	assert_int_equal(found_stack_since_ns(&thread, &runs, elsewhere, 20000), 10020);
	/* It waits now, or Python has told where it is: found by the look itself. */
	assert_int_equal(found_stack_since_ns(&thread, &waits, elsewhere, 20000), 20000);
	assert_int_equal(found_stack_since_ns(&thread, &runs, before, 20000), 20000);
	/* A sample from before the row, or none. */
	thread.row.start_ns = 10030;
	assert_int_equal(found_stack_since_ns(&thread, &runs, elsewhere, 20000), 20000);
	thread.row.start_ns = 5000;
	assert_int_equal(found_stack_since_ns(&thread, &runs, NULL, 20000), 20000);
	/* It waited until now. */
	thread.row.look = waits;
	assert_int_equal(found_stack_since_ns(&thread, &runs, elsewhere, 20000), 20000);
	thread.row.looks = 0;
	assert_int_equal(found_stack_since_ns(&thread, &runs, elsewhere, 20000), 20000);
}

TEST(a_row_without_looks_is_none)
{
	struct watched thread = {.row = {.start_ns = 1}};
	const uint64_t before = row_queue_pushed();

	row_queue_push(&thread, 2);
	assert_int_equal(row_queue_pushed(), before);
}

/* The rows after so many seconds in which each look finds each thread elsewhere, for cpu_percent of a
 * processor at the first period. *period_ns: the last one. */
static uint64_t rows_after(int seconds, int threads, int64_t cpu_percent, int64_t *period_ns)
{
	int64_t time_ns = 0, judged_ns = 0, cpu_ns = 0;
	uint64_t rows = 0;

	*period_ns = PERIOD_FIRST_NS;
	while (time_ns < seconds * SECOND_NS) {
		rows += (uint64_t)threads;
		cpu_ns += PERIOD_FIRST_NS * cpu_percent / 100;
		time_ns += *period_ns;
		if (time_ns - judged_ns < JUDGED_NS)
			continue;
		*period_ns = period_judged_ns(&period_of_trace, *period_ns, rows, cpu_ns,
					      time_ns - judged_ns);
		judged_ns = time_ns;
		cpu_ns = 0;
	}
	return rows;
}

TEST(a_cheap_look_comes_each_half_millisecond)
{
	int64_t period_ns;

	assert_int_equal(rows_after(10, 1, 1, &period_ns), 10 * SECOND_NS / PERIOD_FIRST_NS);
	assert_int_equal(period_ns, PERIOD_FIRST_NS);
}

TEST(looks_take_two_percent)
{
	int64_t period_ns;

	rows_after(10, 1, 8, &period_ns);
	assert_int_equal(period_ns, 4 * PERIOD_FIRST_NS);
	/* Never so rare that a run of a second has none. */
	rows_after(10, 1, 100000, &period_ns);
	assert_int_equal(period_ns, 50000000);
	/* And nearer again once they cost less than a quarter of that. */
	for (int i = 0; i < 20; i++)
		period_ns = period_judged_ns(&period_of_trace, period_ns, 0, 0, SECOND_NS);
	assert_int_equal(period_ns, PERIOD_FIRST_NS);
	assert_int_equal(period_judged_ns(&period_of_trace, 4000000, 0, 10000000, SECOND_NS),
			 4000000);
	assert_int_equal(period_judged_ns(&period_of_trace, 4000000, 0, 4000000, SECOND_NS),
			 2000000);
	assert_int_equal(period_judged_ns(&period_of_trace, 4000000, 0, 21000000, SECOND_NS),
			 8000000);
	/* A whole processor: down to four times what is allowed at once. */
	assert_int_equal(
		period_judged_ns(&period_of_trace, PERIOD_FIRST_NS, 0, SECOND_NS, SECOND_NS),
		16 * PERIOD_FIRST_NS);
	assert_int_equal(
		period_judged_ns(&period_of_trace, PERIOD_FIRST_NS, 0, 160000000, SECOND_NS),
		2 * PERIOD_FIRST_NS);
}

/* For days, each look takes a thread that runs a little time. */
TEST(looks_of_the_watch_mode_are_10_ms_apart)
{
	const int64_t shortest_ns = period_of_watch.shortest_ns;

	assert_int_equal(shortest_ns, 10000000);
	assert_int_equal(period_judged_ns(&period_of_watch, PERIOD_FIRST_NS, 0, 0, SECOND_NS),
			 shortest_ns);
	assert_int_equal(period_judged_ns(&period_of_watch, shortest_ns, 0, 0, SECOND_NS),
			 shortest_ns);
	assert_int_equal(
		period_judged_ns(&period_of_watch, shortest_ns, 0, SECOND_NS / 90, SECOND_NS),
		2 * shortest_ns);
}

/* Each doubling of the time adds PERIOD_ROWS. */
TEST(rows_grow_with_the_logarithm_of_the_time)
{
	int64_t period_ns;
	const uint64_t hour = rows_after(3600, 1, 1, &period_ns);
	uint64_t before = 0, rows;

	/* 0.5 ms for 33 s, 1 ms for 66 s, ...: 32 ms from the 35th minute to the 70th. */
	assert_in_range(hour, 6 * PERIOD_ROWS, 7 * PERIOD_ROWS);
	assert_int_equal(period_ns, 64 * PERIOD_FIRST_NS);
	for (int seconds = 3600; seconds <= 3600 << 7; seconds *= 2) {
		rows = rows_after(seconds, 64, 1, &period_ns);
		/* And what comes between two judgements. */
		assert_true(!before || rows - before < PERIOD_ROWS + PERIOD_ROWS / 4);
		before = rows;
	}
	assert_true(before < 21 * PERIOD_ROWS);
}

TEST(the_longest_period_is_nine_minutes)
{
	assert_int_equal(
		period_judged_ns(&period_of_trace, PERIOD_FIRST_NS, UINT64_MAX, 0, SECOND_NS),
		(int64_t)PERIOD_FIRST_NS << 20);
}

RUN_TESTS(NULL, NULL)
