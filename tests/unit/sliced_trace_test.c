/* Slices as a trace: what is in it, and what counts. Times are ns. */
#include "cmocka_test.h"
#include "long_run.h"
#include "sample/sliced_trace.h"

#include <stdlib.h>
#include <string.h>

/* A call each 100, which takes 10 and enqueues a kernel of 70 that starts 20 after it; but that of the third
 * ends at 330, that of the sixth at 620, and the next ones begin behind that. */
enum { CALLS = 9 };

static const struct slice slices[] = {
	{.run_up = 0, .first = 0, .end = 3},
	{.run_up = 2, .first = 3, .end = 6},
	{.run_up = 5, .first = 6, .end = 9},
};

static struct long_run *make_run(void)
{
	struct long_run *run = long_run_make(2 * CALLS);

	for (int64_t i = 0; i < CALLS; i++) {
		uint32_t call =
			long_run_call(run, LONG_RUN_LAUNCH, (uint32_t)i, i * 100, i * 100 + 10);
		int64_t start_ns = i * 100 + (i == 3 || i == 6 ? 40 : 20);
		int64_t end_ns = i == 2 || i == 5 ? i * 100 + 30 + 90 : start_ns + 50;

		/* The second one's in another stream, later. */
		long_run_kernel(run, call, i == 1, (uint32_t)i, i == 1 ? 210 : start_ns,
				i == 1 ? 260 : end_ns + (i == 2 ? 10 : 0));
	}
	return run;
}

/* An operation that no call is known of, behind those that are there. */
static void add_unknown(struct long_run *run, int64_t start_ns)
{
	struct trace_operation *operations = run->trace.operations;
	size_t at = run->trace.operation_count++;

	for (; at > 0 && operations[at - 1].start_ns > start_ns; at--) {
		operations[at] = operations[at - 1];
		if (operations[at].call)
			operations[at].call->operation = &operations[at];
	}
	operations[at] = (struct trace_operation){
		.start_ns = start_ns, .end_ns = start_ns + 5, .form = &run->operation_forms[2][9]};
}

TEST(test_calls)
{
	struct long_run *run = make_run();
	struct sliced_trace sliced =
		sliced_trace_make(&run->trace, slices, (const double[]){0, 2, 0}, 3);
	const struct trace *trace = &sliced.trace;

	assert_true(trace->is_sample);
	assert_int_equal(trace->call_count, 5);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(trace->calls[i].start_ns, 200 + 100 * (int64_t)i);
		assert_ptr_equal(trace->calls[i].form, run->trace.calls[2 + i].form);
		assert_ptr_equal(trace->calls[i].operation->call, &trace->calls[i]);
		assert_ptr_equal(trace->calls[i].operation->form,
				 run->trace.calls[2 + i].operation->form);
	}
	assert_int_equal(trace->calls[4].start_ns, 600);
	assert_int_equal(trace->calls[4].end_ns, 600);
	assert_null(trace->calls[4].operation);
	sliced_trace_free(&sliced);
	long_run_free(run);
}

/* Of the second call, which is left out, a kernel starts meanwhile; and one of no known call: neither is in. */
TEST(test_operations)
{
	static const int64_t starts_ns[] = {220, 340, 420, 520};
	struct long_run *run = make_run();
	struct sliced_trace sliced;
	const struct trace *trace = &sliced.trace;

	add_unknown(run, 310);
	add_unknown(run, 110);
	add_unknown(run, 730);
	sliced = sliced_trace_make(&run->trace, slices, (const double[]){0, 2, 0}, 3);
	assert_int_equal(trace->operation_count, 4);
	assert_int_equal(trace->matched_operations, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(trace->operations[i].start_ns, starts_ns[i]);
	assert_ptr_equal(trace->operations[0].call, &trace->calls[0]);
	assert_ptr_equal(trace->operations[3].call, &trace->calls[3]);
	sliced_trace_free(&sliced);
	long_run_free(run);
}

TEST(test_events_and_host_functions)
{
	struct long_run *run = make_run();
	struct trace_call *calls = run->trace.calls;
	struct trace_event_wait waits[] = {
		{.record_ns = 10, .wait_ns = 350},
		{.record_ns = 10, .wait_ns = 400, .waiting = &calls[4], .recording = &calls[0]},
		{.record_ns = 210, .wait_ns = 500, .waiting = &calls[5], .recording = &calls[2]},
		{.record_ns = 210, .wait_ns = 700, .waiting = &calls[7], .recording = &calls[2]},
		{.record_ns = 210, .wait_ns = 750},
	};
	struct trace_host_function functions[] = {
		{.start_ns = 150, .end_ns = 160},
		{.start_ns = 350, .end_ns = 360, .call = &calls[3], .node_call = &calls[0]},
		{.start_ns = 450, .end_ns = 460},
		{.start_ns = 850, .end_ns = 860, .call = &calls[8]},
	};
	struct sliced_trace sliced;
	const struct trace *trace = &sliced.trace;

	run->trace.event_waits = waits;
	run->trace.event_wait_count = 5;
	run->trace.host_functions = functions;
	run->trace.host_function_count = 4;
	sliced = sliced_trace_make(&run->trace, slices, (const double[]){0, 2, 0}, 3);
	assert_int_equal(trace->event_wait_count, 3);
	assert_null(trace->event_waits[0].waiting);
	assert_ptr_equal(trace->event_waits[1].waiting, &trace->calls[2]);
	assert_null(trace->event_waits[1].recording);
	assert_int_equal(trace->event_waits[1].record_ns, 10);
	assert_ptr_equal(trace->event_waits[2].waiting, &trace->calls[3]);
	assert_ptr_equal(trace->event_waits[2].recording, &trace->calls[0]);
	assert_int_equal(trace->host_function_count, 2);
	assert_ptr_equal(trace->host_functions[0].call, &trace->calls[1]);
	assert_ptr_equal(trace->host_functions[0].node_call, &calls[0]);
	assert_null(trace->host_functions[1].call);
	sliced_trace_free(&sliced);
	long_run_free(run);
}

/* From when the third call's kernel has ended, at 330, until the sixth's has, at 620; twice. */
TEST(test_window)
{
	struct long_run *run = make_run();
	struct sliced_trace sliced =
		sliced_trace_make(&run->trace, slices, (const double[]){0, 2, 0}, 3);
	const struct trace *trace = &sliced.trace;

	assert_int_equal(trace->window_count, 1);
	assert_int_equal(trace->windows[0].start_ns, 200);
	assert_int_equal(trace->windows[0].counted_ns, 330);
	assert_int_equal(trace->windows[0].end_ns, 620);
	assert_int_equal(trace->windows[0].counted_call, 1);
	assert_int_equal(trace->windows[0].end_call, 4);
	assert_int_equal(trace_recorded_ns(trace, 0), 0);
	assert_int_equal(trace_recorded_ns(trace, 330), 0);
	assert_int_equal(trace_recorded_ns(trace, 430), 200);
	assert_int_equal(trace_recorded_ns(trace, 620), 580);
	assert_int_equal(trace_recorded_ns(trace, INT64_MAX), 580);
	assert_int_equal(trace_recorded_between(trace, 320, 340), 20);
	assert_true(trace_weight(trace, 329) == 0);
	assert_true(trace_weight(trace, 330) == 2);
	assert_true(trace_weight(trace, 619) == 2);
	assert_true(trace_weight(trace, 620) == 0);
	assert_int_equal(trace_weigh_ns(trace, 400, 7), 14);
	assert_true(trace_weight_of_call(trace, 0) == 0);
	assert_true(trace_weight_of_call(trace, 1) == 2);
	assert_true(trace_weight_of_call(trace, 3) == 2);
	assert_true(trace_weight_of_call(trace, 4) == 0);
	assert_true(trace_window_of(trace, &trace->operations[0]) == SIZE_MAX);
	assert_true(trace_window_of(trace, &trace->operations[1]) == 0);
	assert_true(trace_window_of(trace, &(struct trace_operation){.start_ns = 400}) == SIZE_MAX);
	assert_true(trace_window_of(&run->trace, &(struct trace_operation){.start_ns = 400}) == 0);
	assert_int_equal(trace_weigh_more(trace, 0, 100, 7), 114);
	assert_int_equal(trace_weigh_more(&run->trace, 0, 100, 7), 107);
	assert_int_equal(trace_weigh_more(trace, 0, INT64_MAX / 4 - 10, 7), INT64_MAX / 4);
	assert_int_equal(trace_weigh_more(trace, 0, 0, INT64_MAX), INT64_MAX / 4);
	sliced_trace_free(&sliced);
	long_run_free(run);
}

/* The second goes on where the first ends, at 620: no time counts twice. The run ends at 870. */
TEST(test_two_in_a_row)
{
	struct long_run *run = make_run();
	struct sliced_trace sliced =
		sliced_trace_make(&run->trace, slices, (const double[]){0, 2, 3}, 3);
	const struct trace *trace = &sliced.trace;

	assert_int_equal(trace->call_count, 8);
	assert_int_equal(trace->calls[4].start_ns, 599);
	assert_null(trace->calls[4].operation);
	assert_non_null(trace->calls[5].operation);
	assert_int_equal(trace->windows[0].end_ns, 620);
	assert_true(trace->windows[1].goes_on);
	assert_int_equal(trace->windows[1].counted_call, 5);
	assert_int_equal(trace->windows[1].counted_ns, 620);
	assert_int_equal(trace->windows[1].end_call, NO_END_CALL);
	assert_int_equal(trace->windows[1].end_ns, 870);
	assert_int_equal(trace_recorded_ns(trace, INT64_MAX), 2 * 290 + 3 * 250);
	assert_int_equal(trace_window_with(trace, 4), 0);
	assert_int_equal(trace_window_with(trace, 5), 1);
	assert_true(trace_weight_of_call(trace, 5) == 3);
	sliced_trace_free(&sliced);
	long_run_free(run);
}

/* What follows the slice counts for nothing; the two are one row. */
TEST(test_what_follows)
{
	struct slice followed[3];
	struct long_run *run = make_run();
	struct sliced_trace sliced;
	const struct trace *trace = &sliced.trace;

	memcpy(followed, slices, sizeof(followed));
	followed[2].run_down = 8;
	sliced = sliced_trace_make(&run->trace, followed, (const double[]){0, 2, 0}, 3);
	assert_int_equal(trace->call_count, 8);
	assert_int_equal(trace->calls[4].start_ns, 599);
	assert_int_equal(trace->calls[5].start_ns, 600);
	assert_int_equal(trace->calls[6].start_ns, 700);
	assert_int_equal(trace->calls[7].start_ns, 800);
	assert_null(trace->calls[7].operation);
	assert_int_equal(trace->operation_count, 6);
	assert_int_equal(trace->window_count, 2);
	assert_int_equal(trace->windows[1].counted_ns, 620);
	assert_int_equal(trace_recorded_ns(trace, INT64_MAX), 580);
	assert_true(trace_weight(trace, 650) == 0);
	assert_true(trace_weight_of_call(trace, 5) == 0);
	assert_int_equal(trace_row_with(trace, 0), 0);
	assert_int_equal(trace_row_with(trace, 6), 0);
	sliced_trace_free(&sliced);
	long_run_free(run);
}

/* All of the run, once: as long as it is. */
TEST(test_all)
{
	struct long_run *run = make_run();
	struct sliced_trace sliced =
		sliced_trace_make(&run->trace, slices, (const double[]){1, 1, 1}, 3);

	assert_int_equal(trace_recorded_ns(&sliced.trace, INT64_MAX), 870);
	assert_int_equal(sliced.trace.operation_count, CALLS);
	assert_int_equal(sliced.trace.matched_operations, CALLS);
	sliced_trace_free(&sliced);
	long_run_free(run);
}

RUN_TESTS(NULL, NULL)
