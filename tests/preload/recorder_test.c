/* Calls, from a wrapper to a record. */
#include "recorder_calls.h"

/* By another library's constructor. The first test: hooks stay. */
TEST(test_a_call_before_the_hooks_is_noted)
{
	assert_false(make_call(1));
	assert_int_equal(recorder_state, RECORDER_IDLE);
	assert_null(recorder_rings());
	assert_false(recorder_set_hooks(&hooks));
	assert_true(make_call(1));
}

TEST_WITH(test_the_first_call_starts_once, set_up, NULL)
{
	errno = ENOENT;
	assert_true(make_call(1));
	assert_true(make_call(2));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(first_calls, 1);
	assert_int_equal(first_records, 1);
	assert_int_equal(wakes, 0);
}

static void call_while_starting(void)
{
	if (++first_calls == 1)
		assert_false(make_call(9));
	on_first_call();
}

/* In a signal handler that has interrupted the start. */
TEST_WITH(test_a_call_while_it_starts_does_not_wait, set_up, NULL)
{
	static const struct recorder_hooks calling = {call_while_starting, on_first_record,
						      on_wake};

	recorder_set_hooks(&calling);
	assert_true(make_call(1));
	assert_int_equal(first_calls, 2);
	assert_int_equal(losses_take(LOSS_EARLY_CALL), 1);
	assert_int_equal(next_record(recorder_rings())->function, 1);
	assert_null(next_record(recorder_rings()));
}

static void refuse(void)
{
	first_calls++;
}

TEST_WITH(test_it_stays_idle_where_nothing_starts, set_up, NULL)
{
	static const struct recorder_hooks refusing = {refuse, on_first_record, on_wake};

	recorder_set_hooks(&refusing);
	assert_false(make_call(1));
	assert_false(make_call(1));
	assert_int_equal(first_calls, 2);
	assert_null(recorder_rings());
	recorder_stop();
	assert_false(make_call(1));
	assert_int_equal(first_calls, 2);
}

TEST_WITH(test_records_come_in_order, set_up, NULL)
{
	int64_t before_ns = clock_now_ns();
	const struct record *record;
	uint64_t serial = 0;

	for (int i = 0; i < 1000; i++) {
		struct recorder_call call;
		struct record *filled;

		assert_true(enter(&call));
		filled = recorder_leave(i % 7, -i, before_ns + i, &call);
		assert_non_null(filled);
		filled->has |= RECORD_HAS_SIZE;
		filled->size_bytes = (uint64_t)i;
		recorder_commit();
	}
	for (int i = 0; i < 1000; i++) {
		record = next_record(recorder_rings());
		assert_non_null(record);
		assert_int_equal(record->kind, RECORD_CALL);
		assert_int_equal(record->function, i % 7);
		assert_int_equal(record->result, -i);
		assert_int_equal(record->start_ns, before_ns + i);
		assert_in_range(record->end_ns, before_ns, clock_now_ns());
		assert_int_equal(record->has, RECORD_HAS_SIZE);
		assert_int_equal(record->size_bytes, i);
		assert_null(record->arguments);
		assert_int_equal(record->serial, i ? serial + 1 : 0);
		serial = record->serial;
	}
	assert_null(next_record(recorder_rings()));
	assert_int_equal(recorder_rings()->thread_id, gettid());
}

static __attribute__((noinline)) void call_twice(void)
{
	/* One call site: the loop is not to be unrolled. */
	volatile int count = 2;

	for (int i = 0; i < count; i++)
		assert_true(make_call(1));
}

TEST_WITH(test_a_record_has_its_call_site, set_up, NULL)
{
	const struct atom *site;

	call_twice();
	assert_true(make_call(1));
	site = next_record(recorder_rings())->site;
	assert_int_equal(site->kind, ATOM_STACK);
	assert_in_range(site->frame_count, 2, 64);
	assert_in_range(MODULE_ADDRESS(site->words[0]), (uint64_t)call_twice,
			(uint64_t)call_twice + 1000);
	assert_ptr_equal(next_record(recorder_rings())->site, site);
	assert_ptr_not_equal(next_record(recorder_rings())->site, site);
}

TEST_WITH(test_the_runtime_inside_itself_is_left_out, set_up, NULL)
{
	struct recorder_call outer, inner = {0}, own = {0};

	walk_leave_out("libcmocka");
	inner.caller.return_address = (uint64_t)dlsym(RTLD_DEFAULT, "_cmocka_run_group_tests");
	assert_true(walk_is_left_out(inner.caller.return_address));
	assert_true(enter(&outer));
	assert_false(recorder_enter(&inner, 2));
	/* Out of a call by siglongjmp(), the program's next one is its own. */
	own.caller.return_address = (uint64_t)call_twice;
	assert_true(recorder_enter(&own, 2));
	assert_int_equal(own.outer.depth, 1);
	assert_non_null(recorder_leave(2, 0, clock_now_ns(), &own));
	recorder_commit();
	assert_non_null(recorder_leave(1, 0, clock_now_ns(), &outer));
	recorder_commit();
	assert_int_equal(next_record(recorder_rings())->function, 2);
	assert_int_equal(next_record(recorder_rings())->function, 1);
	assert_int_equal(recorder_thread.at.depth, 0);
}

TEST_WITH(test_correlations_belong_to_their_call, set_up, NULL)
{
	struct recorder_call call;
	const struct record *record;

	assert_true(enter(&call));
	assert_true(recorder_correlate(10, 3, false));
	assert_true(recorder_correlate(11, 1, true));
	assert_true(recorder_correlate(12, 1, true));
	assert_true(recorder_correlate(13, 1, false));
	recorder_leave(1, 0, clock_now_ns(), &call);
	recorder_commit();
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_CORRELATION);
	assert_int_equal(record->correlation, 12);
	assert_int_equal(record->serial, 0);
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_CALL);
	assert_int_equal(record->has, RECORD_HAS_CORRELATION);
	assert_int_equal(record->correlation, 11);
	assert_int_equal(record->context, 3);
	assert_int_equal(record->serial, 0);

	assert_true(enter(&call));
	assert_true(recorder_correlate(20, 1, false));
	recorder_leave(1, 0, clock_now_ns(), &call);
	recorder_commit();
	assert_int_equal(next_record(recorder_rings())->correlation, 20);
}

TEST_WITH(test_a_driver_call_has_its_own_record, set_up, NULL)
{
	struct caller caller = CALLER_HERE();
	const struct record *record;

	assert_true(make_call(1));
	next_record(recorder_rings());
	assert_false(recorder_correlate(30, 1, true));
	recorder_graph_node(
		&(struct graph_node){.id = 5, .source_id = 4, .graph_id = 3, .kind = 2});
	assert_non_null(recorder_driver_record(100, 1, 5, 30, 1, &caller));
	recorder_commit();
	recorder_graph_node(&(struct graph_node){.id = 6});
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_GRAPH_NODE);
	assert_int_equal(record->object, 5);
	assert_int_equal(record->src, 4);
	assert_int_equal(record->correlation, 3);
	assert_int_equal(record->result, 2);
	assert_int_equal(record->serial, 1);
	record = next_record(recorder_rings());
	assert_int_equal(record->function, 100);
	assert_int_equal(record->correlation, 30);
	assert_int_equal(record->serial, 1);
	assert_int_equal(next_record(recorder_rings())->serial, RECORD_NO_CALL);
	assert_int_equal(recorder_thread.at.depth, 0);
}

TEST_WITH(test_a_host_function_is_no_call, set_up, NULL)
{
	const struct record *record;

	assert_true(make_call(1));
	next_record(recorder_rings());
	recorder_host_function(&(struct host_function_run){
		.start_ns = 1, .function = 2, .stream = 3, .correlation = 4});
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_HOST_FUNCTION);
	assert_int_equal(record->start_ns, 1);
	assert_in_range(record->end_ns, 2, clock_now_ns());
	assert_int_equal(record->object, 2);
	assert_int_equal(record->stream, 3);
	assert_int_equal(record->correlation, 4);
}

static bool is_recorded_in_handler;

static void call_in_handler(int number)
{
	is_recorded_in_handler = make_call(9);
}

/* Between a call's begin and its end a handler's call is recorded; while the record is filled in it
 * is not, for it would be filled in twice. */
TEST_WITH(test_a_signal_handler_calls, set_up, NULL)
{
	const struct record *record;
	struct recorder_call call;
	struct record *filled;

	/* The thread has its ring: what takes that is not for a handler. */
	assert_true(make_call(1));
	next_record(recorder_rings());
	signal(SIGUSR1, call_in_handler);
	assert_true(enter(&call));
	recorder_correlate(40, 1, true);
	raise(SIGUSR1);
	assert_true(is_recorded_in_handler);
	assert_int_equal(recorder_thread.at.depth, 1);
	filled = recorder_leave(1, 0, clock_now_ns(), &call);
	assert_int_equal(recorder_thread.at.depth, 2);
	raise(SIGUSR1);
	assert_false(is_recorded_in_handler);
	assert_int_equal(losses_take(LOSS_HANDLER_CALL), 1);
	assert_int_equal(filled->function, 1);
	recorder_commit();
	assert_int_equal(recorder_thread.at.depth, 0);
	record = next_record(recorder_rings());
	assert_int_equal(record->function, 9);
	assert_int_equal(record->has, 0);
	record = next_record(recorder_rings());
	assert_int_equal(record->function, 1);
	assert_int_equal(record->correlation, 40);
	assert_null(next_record(recorder_rings()));
	signal(SIGUSR1, SIG_DFL);
}

static void tell_in_handler(int number)
{
	recorder_correlate(41, 1, true);
	recorder_correlate(42, 1, true);
	recorder_host_function(&(struct host_function_run){.start_ns = 1});
}

/* What CUPTI tells of a handler's calls does not get into the record that is being filled in. */
TEST_WITH(test_a_signal_handler_makes_operations, set_up, NULL)
{
	const struct record *record;
	struct recorder_call call;

	assert_true(make_call(1));
	next_record(recorder_rings());
	signal(SIGUSR1, tell_in_handler);
	assert_true(enter(&call));
	recorder_correlate(40, 1, true);
	assert_non_null(recorder_leave(1, 0, clock_now_ns(), &call));
	raise(SIGUSR1);
	recorder_commit();
	record = next_record(recorder_rings());
	assert_int_equal(record->kind, RECORD_CALL);
	assert_int_equal(record->correlation, 40);
	assert_null(next_record(recorder_rings()));
	assert_int_equal(losses_take(LOSS_CORRELATION), 2);
	assert_int_equal(losses_take(LOSS_HOST_FUNCTION), 1);
	signal(SIGUSR1, SIG_DFL);
}

/* As a signal handler can: the child goes on in the middle of a call of the parent's. */
TEST_WITH(test_a_forked_child_goes_on_in_a_call, set_up, NULL)
{
	struct recorder_call call;
	int status;
	pid_t child;

	assert_true(make_call(1));
	assert_true(enter(&call));
	assert_non_null(recorder_leave(2, 0, clock_now_ns(), &call));
	child = fork();
	if (!child)
		recorder_after_fork();
	recorder_commit();
	if (!child)
		_exit(make_call(3) && function_of_first(recorder_rings()) == 3 ? 0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(next_record(recorder_rings())->function, 1);
	assert_int_equal(next_record(recorder_rings())->function, 2);
}

RUN_TESTS(NULL, NULL)
