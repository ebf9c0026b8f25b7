/* The recorder on and off: pauses, windows, and what calls cost. */
#include "recorder_calls.h"

TEST_WITH(test_pause_and_stop, set_up, NULL)
{
	struct recorder_call call;

	assert_true(make_call(1));
	assert_true(enter(&call));
	recorder_pause(true);
	assert_true(recorder_is_on());
	/* It began before. */
	assert_non_null(recorder_leave(2, 0, clock_now_ns(), &call));
	recorder_commit();
	assert_false(make_call(3));
	recorder_pause(false);
	assert_true(make_call(4));
	assert_true(enter(&call));
	assert_true(recorder_stop());
	assert_false(recorder_stop());
	assert_null(recorder_leave(5, 0, clock_now_ns(), &call));
	assert_int_equal(recorder_thread.at.depth, 0);
	recorder_pause(false);
	assert_false(recorder_begin());
	assert_false(make_call(6));
	recorder_host_function(&(struct host_function_run){.start_ns = 1});
	assert_int_equal(first_calls, 1);
	assert_int_equal(next_record(recorder_rings())->function, 1);
	assert_int_equal(next_record(recorder_rings())->function, 2);
	assert_int_equal(next_record(recorder_rings())->function, 4);
	assert_null(next_record(recorder_rings()));
}

static void expect_change(bool opens, enum window_cause cause)
{
	struct window_change change;

	assert_true(windows_next_change(&change));
	assert_int_equal(change.opens, opens);
	assert_int_equal(change.cause, cause);
	assert_in_range(change.time_ns, 1, clock_now_ns());
}

#define MEASURED_CALLS 10000

/* As the listener does. */
static void call_back(bool is_entry)
{
	struct cost_callback callback;

	if (call_cost_callback(&callback, is_entry, recorder_thread.at.depth == 0))
		call_cost_callback_end(&callback);
}

static void make_measured_call(bool has_wrapper)
{
	struct recorder_call call = {0};
	int64_t start_ns;

	if (has_wrapper)
		assert_true(enter(&call));
	else
		call.caller = CALLER_HERE();
	start_ns = clock_now_ns();
	call_back(true);
	if (!has_wrapper)
		start_ns = clock_now_ns();
	if (has_wrapper)
		call_back(false);
	if (has_wrapper ? recorder_leave(1, 0, start_ns, &call)
			: recorder_driver_record(1, 0, start_ns, 0, 0, &call.caller))
		recorder_commit();
}

/* One call in 33 to 96 is measured, not the first ones, and not at equal distances. A thread that is
 * interrupted while it is measured leaves that one out. */
static void check_measured(bool has_wrapper)
{
	int count = 0, last = -1, nearest = MEASURED_CALLS, farthest = 0;
	const struct record *record;

	assert_true(make_call(0)); /* makes the ring */
	call_cost = (struct call_cost){0};
	for (int i = 0; i < MEASURED_CALLS; i++)
		make_measured_call(has_wrapper);
	next_record(recorder_thread.ring);
	for (int i = 0; (record = next_record(recorder_thread.ring)); i++) {
		if (!(record->has & RECORD_HAS_TOOL))
			continue;
		assert_true(i > 8 && (last < 0 || i - last > 32));
		assert_true(record->tool_entry_ns <= 10000);
		assert_true(has_wrapper ? record->tool_entry_ns <= record->tool_inside_ns
					: record->tool_inside_ns == 0);
		if (count++ && i - last < nearest)
			nearest = i - last;
		if (count > 1 && i - last > farthest)
			farthest = i - last;
		last = i;
	}
	assert_in_range(count, 2, MEASURED_CALLS / 33 + 1);
	print_message("%d of %d calls measured\n", count, MEASURED_CALLS);
	assert_true(count < 4 || nearest < farthest);
}

TEST_WITH(test_some_calls_are_measured, set_up, NULL)
{
	check_measured(true);
}

TEST_WITH(test_some_driver_calls_are_measured, set_up, NULL)
{
	check_measured(false);
}

static int set_up_windows(void **state)
{
	struct window_change change;

	set_up(state);
	windows_close(WINDOW_CALL);
	windows_after_fork();
	while (windows_next_change(&change))
		;
	options.start = "now";
	return 0;
}

TEST_WITH(test_windows_turn_the_recorder_on_and_off, set_up_windows, NULL)
{
	struct window_change change;

	setenv("STREAMTRACE_SIGNAL", "USR2", true);
	options_read();
	windows_initialize();
	windows_begin();
	assert_true(recorder_begin());
	assert_false(make_call(1));
	windows_apply();
	assert_true(make_call(2));
	windows_open(WINDOW_CALL); /* it is open */
	windows_close(WINDOW_PROFILER);
	assert_false(make_call(3));
	raise(SIGUSR2);
	assert_true(make_call(4));
	raise(SIGUSR2);
	expect_change(true, WINDOW_START);
	expect_change(false, WINDOW_PROFILER);
	expect_change(true, WINDOW_SIGNAL);
	expect_change(false, WINDOW_SIGNAL);
	assert_false(windows_next_change(&change));
	assert_false(windows_follow_profiler());
	signal(SIGUSR2, SIG_DFL);
}

TEST_WITH(test_windows_before_the_tracing_are_not_told, set_up_windows, NULL)
{
	struct window_change change;

	options.start = "paused";
	windows_initialize();
	assert_true(windows_follow_profiler());
	windows_open(WINDOW_CALL);
	windows_close(WINDOW_CALL);
	windows_begin();
	assert_false(windows_next_change(&change));
	windows_open(WINDOW_CALL);
	windows_after_fork();
	windows_begin();
	expect_change(true, WINDOW_START);
	assert_false(windows_next_change(&change));
}

/* Those that nobody has taken are not overwritten. */
TEST_WITH(test_windows_wait_for_the_writer, set_up_windows, NULL)
{
	struct window_change change;
	int count = 0;

	windows_begin();
	recorder_begin();
	for (int i = 0; i < 1000; i++) {
		windows_open(WINDOW_CALL);
		windows_close(WINDOW_CALL);
	}
	for (; windows_next_change(&change); count++)
		assert_int_equal(change.opens, count % 2 == 0);
	assert_int_equal(count, 256);
	windows_open(WINDOW_CALL);
	expect_change(true, WINDOW_CALL);
}

static int64_t next_start_ns(void)
{
	struct window_change change;

	assert_true(windows_next_change(&change));
	assert_true(change.opens);
	return change.time_ns;
}

TEST_WITH(test_a_window_waits_until_all_is_on_again, set_up_windows, NULL)
{
	int64_t before_ns = clock_now_ns(), start_ns;

	windows_begin();
	recorder_begin();
	assert_true(windows_suspend());
	resume_at = 3;
	windows_open(WINDOW_CALL);
	assert_int_equal(wakes, 3);
	assert_true(make_call(1));
	start_ns = next_start_ns();
	assert_in_range(start_ns, before_ns, next_record(recorder_rings())->start_ns);
	/* Open, it is no time to suspend. */
	assert_false(windows_suspend());
	assert_true(make_call(2));
	windows_close(WINDOW_CALL);
	assert_true(windows_are_wanted());
	assert_false(windows_suspend());
	expect_change(false, WINDOW_CALL);
	assert_false(windows_are_wanted());
	assert_true(windows_suspend());
	assert_false(make_call(3));
}

/* As in a signal handler that interrupted what the writer waits for. */
TEST_WITH(test_a_window_that_is_not_resumed_begins_later, set_up_windows, NULL)
{
	struct window_change change;
	int64_t resumed_ns;

	windows_begin();
	recorder_begin();
	assert_true(windows_suspend());
	windows_open(WINDOW_CALL);
	assert_int_not_equal(wakes, 0);
	assert_false(make_call(1));
	assert_true(windows_are_wanted());
	assert_false(windows_next_change(&change));
	resumed_ns = clock_now_ns();
	windows_resume();
	assert_true(make_call(2));
	assert_in_range(next_start_ns(), resumed_ns, clock_now_ns());
	windows_close(WINDOW_CALL);
	expect_change(false, WINDOW_CALL);
}

RUN_TESTS(NULL, NULL)
