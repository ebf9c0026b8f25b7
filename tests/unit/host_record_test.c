/*
 * What host threads did, in traces whose times are known by arithmetic. Times are in ns.
 */
#include "cmocka_test.h"
#include "test_forms.h"
#include "base/thresholds.h"
#include "model/host_record.h"
#include "trace/trace_private.h"

#include <stdio.h>
#include <string.h>

#define MOST 16
#define MAIN 1

enum {
	AUGMENT,
	TRAIN,
	LOADER,
	NATIVE,
	CUT,
	CUT_OF_OTHER,
	IN_CALL,
	HOST_FUNCTION,
	CALL_SITE,
	MODEL,
	MODEL_OWN,
	SITE_COUNT
};

struct program {
	struct trace trace;
	struct trace_function function;
	struct trace_call calls[MOST];
	struct trace_host_state states[MOST];
	struct trace_site sites[SITE_COUNT];
};

static const struct trace_frame numpy_frames[] = {
	{.module = "/usr/lib/libc.so.6", .is_library = true},
	{.module = "/home/u/env/lib/python3.12/site-packages/numpy/_core/_umath.cpython-312.so",
	 .is_library = true},
	{.module = "/usr/bin/python3.12", .is_library = true},
};
static const struct trace_python_frame augment_frames[] = {
	{.file = "/home/u/augment.py", .function = "prepare", .line = 41},
	{.file = "/home/u/train.py", .function = "main", .line = 9},
};
static const struct trace_python_frame queue_frames[] = {
	{.file = "/usr/lib/python3.12/threading.py", .function = "Condition.wait", .line = 355},
	{.file = "/usr/lib/python3.12/queue.py", .function = "Queue.get", .line = 171},
	{.file = "/home/u/train.py", .function = "main", .line = 30},
};
static const struct trace_python_frame loader_frames[] = {
	{.file = "/home/u/loader.py", .function = "fill", .line = 5},
};
/* A layer called the line, which called another one. */
static const struct trace_python_frame model_frames[] = {
	{.file = "/home/u/env/lib/python3.12/site-packages/torch/nn/linear.py",
	 .function = "forward",
	 .line = 9,
	 .framework = FRAMEWORK_PYTORCH},
	{.file = "/home/u/model.py", .function = "forward", .line = 7},
	{.file = "/home/u/env/lib/python3.12/site-packages/torch/nn/module.py",
	 .function = "call",
	 .line = 8,
	 .framework = FRAMEWORK_PYTORCH},
};
static const struct trace_frame sort_frames[] = {
	{.module = "/usr/lib/libstdc++.so.6", .function = "_ZSt4sortv", .is_library = true},
	{.module = "/home/u/app", .function = "main", .file = "/home/u/app.cu", .line = 12},
};

/* libstrace.so calls the runtime for the program, and a host function of the program's. */
static const struct trace_frame call_frames[] = {
	{.module = "/usr/local/cuda/lib64/libcudart.so.13", .is_library = true},
	{.module = "/opt/lib/libstrace.so"},
	{.module = "/home/u/app", .function = "main", .file = "/home/u/app.cu", .line = 30},
};
static const struct trace_frame host_function_frames[] = {
	{.module = "/home/u/app", .function = "work", .file = "/home/u/app.cu", .line = 50},
	{.module = "/opt/lib/libstrace.so"},
};

static struct trace_private private; /* has the names of functions */

static void init(struct program *program)
{
	*program = (struct program){.function = {"cudaDeviceSynchronize", CLASS_DEVICE_SYNC}};
	program->sites[AUGMENT] = (struct trace_site){.depth = 3,
						      .frames = numpy_frames,
						      .python_depth = 2,
						      .python_frames = augment_frames};
	program->sites[TRAIN] =
		(struct trace_site){.python_depth = 3, .python_frames = queue_frames};
	program->sites[LOADER] =
		(struct trace_site){.python_depth = 1, .python_frames = loader_frames};
	program->sites[NATIVE] = (struct trace_site){.depth = 2, .frames = sort_frames};
	program->sites[CUT] = (struct trace_site){.depth = 1, .frames = sort_frames};
	program->sites[CUT_OF_OTHER] = (struct trace_site){.depth = 1, .frames = numpy_frames};
	program->sites[IN_CALL] = (struct trace_site){.depth = 3, .frames = call_frames};
	program->sites[HOST_FUNCTION] =
		(struct trace_site){.depth = 2, .frames = host_function_frames};
	program->sites[CALL_SITE] =
		(struct trace_site){.python_depth = 1, .python_frames = augment_frames + 1};
	program->sites[MODEL] =
		(struct trace_site){.python_depth = 3, .python_frames = model_frames};
	program->sites[MODEL_OWN] =
		(struct trace_site){.python_depth = 2, .python_frames = model_frames + 1};
	program->trace = (struct trace){.functions = &program->function,
					.function_count = 1,
					.calls = program->calls,
					.host_states = program->states,
					.sites = program->sites,
					.site_count = SITE_COUNT,
					.private = &private};
	map_free(&private.described_map);
	private.described.count = 0;
}

static void add_call(struct program *program, uint32_t thread_id, int64_t start_ns, int64_t end_ns)
{
	program->calls[program->trace.call_count++] = (struct trace_call){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.form = call_form((struct trace_call_form){.thread_id = thread_id,
							   .function = &program->function,
							   .site = &program->sites[CALL_SITE]})};
}

/* Call by thread, then by time. One look in 10 ns. */
static struct trace_host_state *add_state(struct program *program, uint32_t thread_id,
					  enum host_state state, int site, int64_t start_ns,
					  int64_t end_ns)
{
	struct trace_host_state *row = &program->states[program->trace.host_state_count++];

	*row = (struct trace_host_state){.start_ns = start_ns,
					 .end_ns = end_ns,
					 .faults = -1,
					 .object = -1,
					 .site = &program->sites[site],
					 .thread_id = thread_id,
					 .looks = (uint32_t)((end_ns - start_ns + 9) / 10),
					 .state = state};
	return row;
}

/* "seen 10..20 augment.py:41, call 20..30, " */
struct listing {
	const struct host_record *record;
	char text[1024];
};

static void list_piece(void *context, const struct host_piece *piece)
{
	static const char *const kinds[] = {"seen", "call", "between", "unseen"};
	struct listing *listing = context;
	size_t at = strlen(listing->text);
	bool is_of_look = piece->kind == HOST_SEEN || piece->kind == HOST_BETWEEN_LOOKS;

	assert_int_equal(piece->state != NULL, is_of_look);
	if (piece->state)
		assert_in_range(piece->span.end_ns, piece->state->start_ns, piece->state->end_ns);
	snprintf(listing->text + at, sizeof(listing->text) - at, "%s%s %lld..%lld", at ? ", " : "",
		 kinds[piece->kind], (long long)piece->span.start_ns,
		 (long long)piece->span.end_ns);
	at = strlen(listing->text);
	if (piece->kind == HOST_SEEN)
		snprintf(listing->text + at, sizeof(listing->text) - at, " line %d",
			 listing->record->doings[piece->doing].site.line);
}

static void expect_pieces(const struct program *program, uint32_t thread_id, struct span span,
			  const char *expected)
{
	struct host_record *record = host_record_create(&program->trace);
	struct listing listing = {.record = record};

	host_record_each(record, thread_id, span, list_piece, &listing);
	assert_string_equal(listing.text, expected);
	host_record_free(record);
}

static void test_no_states_no_record(void **state)
{
	struct program program;

	init(&program);
	assert_null(host_record_create(&program.trace));
	host_record_free(NULL);
}

static void test_states_are_cut_at_span_and_calls(void **state)
{
	struct program program;

	init(&program);
	add_call(&program, MAIN, 30, 40);
	add_call(&program, MAIN, 32, 36); /* inside the other one */
	add_call(&program, MAIN, 60, 60);
	add_state(&program, MAIN, HOST_STATE_RUNNING, AUGMENT, 0, 50);
	add_state(&program, MAIN, HOST_STATE_RUNNING, LOADER, 50, 90);
	expect_pieces(&program, MAIN, (struct span){20, 70},
		      "seen 20..30 line 41, call 30..40, seen 40..50 line 41, seen 50..60 line 5, "
		      "seen 60..70 line 5");
	expect_pieces(&program, MAIN, (struct span){34, 38}, "call 34..38");
	expect_pieces(&program, MAIN, (struct span){70, 70}, "");
}

static void test_time_without_looks_is_unseen(void **state)
{
	struct program program;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_RUNNING, AUGMENT, 10, 20);
	add_state(&program, MAIN, HOST_STATE_RUNNING, AUGMENT, 30, 40);
	expect_pieces(&program, MAIN, (struct span){0, 50},
		      "unseen 0..10, seen 10..20 line 41, unseen 20..30, seen 30..40 line 41, "
		      "unseen 40..50");
	expect_pieces(&program, 7, (struct span){0, 50}, "unseen 0..50");
}

/* The look at 20 fell into the call, so it does not say what came behind the call. */
static void test_look_into_call_tells_nothing_of_time_around_it(void **state)
{
	struct program program;

	init(&program);
	add_call(&program, MAIN, 15, 25);
	add_state(&program, MAIN, HOST_STATE_RUNNING, AUGMENT, 0, 20);
	add_state(&program, MAIN, HOST_STATE_DRIVER, AUGMENT, 20, 30);
	add_state(&program, MAIN, HOST_STATE_RUNNING, LOADER, 30, 40);
	expect_pieces(&program, MAIN, (struct span){0, 40},
		      "seen 0..15 line 41, call 15..25, between 25..30, seen 30..40 line 5");
}

/* The sample was taken in a call, and serves looks behind it. */
static void test_stack_of_a_call_tells_nothing_of_time_behind_it(void **state)
{
	struct program program;

	init(&program);
	add_call(&program, MAIN, 0, 5);
	add_state(&program, MAIN, HOST_STATE_RUNNING, IN_CALL, 10, 20);
	add_state(&program, MAIN, HOST_STATE_RUNNING, HOST_FUNCTION, 20, 30);
	expect_pieces(&program, MAIN, (struct span){10, 30}, "between 10..20, seen 20..30 line 50");
}

static void test_lines_and_what_they_call(void **state)
{
	struct program program;
	struct host_record *record;
	const struct host_doing *doings;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_RUNNING, AUGMENT, 0, 10);
	add_state(&program, MAIN, HOST_STATE_THREAD, TRAIN, 10, 20);
	add_state(&program, MAIN, HOST_STATE_RUNNING, NATIVE, 20, 30);
	add_state(&program, MAIN, HOST_STATE_RUNNING, LOADER, 30, 40);
	add_state(&program, MAIN, HOST_STATE_KERNEL, AUGMENT, 40, 50);
	add_state(&program, MAIN, HOST_STATE_RUNNING, AUGMENT, 50, 60)->site = NULL;
	record = host_record_create(&program.trace);
	assert_int_equal(record->doing_count, 7); /* line 30 at work, too */
	doings = record->doings;
	assert_int_equal(doings[0].site.line, 41);
	assert_string_equal(doings[0].called, "NumPy");
	assert_int_equal(doings[1].site.line, 30);
	assert_string_equal(doings[1].called, "queue.get");
	assert_int_equal(doings[2].site.line, 12);
	assert_string_equal(doings[2].called, "std::sort");
	assert_int_equal(doings[3].site.line, 5);
	assert_null(doings[3].called);
	assert_int_equal(doings[4].line, doings[0].line);
	assert_int_not_equal(doings[4].line, doings[3].line);
	assert_null(doings[5].site.file);
	host_record_free(record);
}

/* Both read "PyTorch" in a report: in what the line called, and in itself below a layer. */
/* From 30 on a call, behind which the line is the next call's; at 20 a look into another library. */
static void test_cut_stacks_have_the_line_of_the_look_beside(void **state)
{
	struct program program;
	static const int sites[] = {CUT, NATIVE, CUT_OF_OTHER, CUT, CUT};
	static const int told[] = {NATIVE, NATIVE, CALL_SITE, CALL_SITE, CALL_SITE};
	struct host_record *work;

	init(&program);
	add_call(&program, MAIN, 30, 40);
	add_call(&program, MAIN, 60, 70);
	for (int i = 0; i < 3; i++)
		add_state(&program, MAIN, HOST_STATE_RUNNING, sites[i], 10 * i, 10 * i + 10);
	for (int i = 3; i < 5; i++)
		add_state(&program, MAIN, HOST_STATE_RUNNING, sites[i], 10 * i + 10, 10 * i + 20);
	work = host_record_create(&program.trace);
	for (int i = 0; i < 5; i++)
		assert_ptr_equal(host_site_of(work, &program.states[i]), &program.sites[told[i]]);
	host_record_free(work);
}

static void test_a_line_of_a_framework_is_one(void **state)
{
	struct program program;
	struct host_record *record;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_RUNNING, MODEL, 0, 10);
	add_state(&program, MAIN, HOST_STATE_RUNNING, MODEL_OWN, 10, 20);
	record = host_record_create(&program.trace);
	assert_int_equal(record->doing_count, 1);
	assert_int_equal(record->doings[0].site.line, 7);
	assert_string_equal(record->doings[0].called, "PyTorch");
	host_record_free(record);
}

static void test_ready_time_and_faults_by_share(void **state)
{
	struct trace_host_state row = {
		.start_ns = 100, .end_ns = 200, .ready_ns = 40, .faults = 10};

	assert_int_equal(host_ready_ns_in(&row, (struct span){150, 200}), 20);
	assert_true(host_faults_in(&row, (struct span){100, 125}) == 2.5);
	row.faults = -1;
	assert_true(host_faults_in(&row, (struct span){100, 125}) == -1);
}

/* "73 of 100: line 41 x2 60, line 5 13" for the wait that is the program's state `wait`. */
/* Four looks, at 10, 20, 30 and 40. */
static void test_looks_are_evenly_apart(void **state)
{
	const struct trace_host_state four = {.start_ns = 10, .end_ns = 50, .looks = 4};

	(void)state;
	assert_true(host_has_look_in(&four, (struct span){0, 11}));
	assert_false(host_has_look_in(&four, (struct span){0, 10}));
	assert_false(host_has_look_in(&four, (struct span){11, 20}));
	assert_true(host_has_look_in(&four, (struct span){20, 21}));
	assert_true(host_has_look_in(&four, (struct span){31, 41}));
	assert_false(host_has_look_in(&four, (struct span){41, 90}));
}

static void expect_others(const struct program *program, size_t wait, const char *expected,
			  bool is_alone)
{
	const struct trace_host_state *row = &program->states[wait];
	struct host_record *record = host_record_create(&program->trace);
	struct host_others others = {0};
	char text[256];

	host_others_add(&others, record, row, (struct span){row->start_ns, row->end_ns});
	host_others_sort(&others);
	snprintf(text, sizeof(text), "%lld of %lld", (long long)others.known_ns,
		 (long long)others.wait_ns);
	for (size_t i = 0; i < others.count; i++) {
		const struct host_other *item = &others.items[i];
		size_t at = strlen(text);

		if (item->call)
			snprintf(text + at, sizeof(text) - at, ", call");
		else
			snprintf(text + at, sizeof(text) - at, ", line %d",
				 record->doings[item->doing].site.line);
		at = strlen(text);
		snprintf(text + at, sizeof(text) - at, " x%u %lld", item->thread_count,
			 (long long)item->ns);
	}
	assert_string_equal(text, expected);
	assert_int_equal(host_others_alone(&others) != NULL, is_alone);
	host_others_free(&others);
	host_record_free(record);
}

static void test_one_thread_ran_all_the_wait(void **state)
{
	struct program program;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, TRAIN, 0, 100);
	add_state(&program, 2, HOST_STATE_RUNNING, AUGMENT, 0, 90);
	add_state(&program, 2, HOST_STATE_THREAD, LOADER, 90, 200);
	expect_others(&program, 0, "90 of 100, line 41 x1 90", true);
}

static void test_two_threads_in_turn(void **state)
{
	struct program program;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, TRAIN, 0, 100);
	add_state(&program, 2, HOST_STATE_RUNNING, AUGMENT, 0, 60);
	add_state(&program, 2, HOST_STATE_THREAD, TRAIN, 60, 100);
	add_state(&program, 3, HOST_STATE_THREAD, TRAIN, 0, 60);
	add_state(&program, 3, HOST_STATE_RUNNING, LOADER, 60, 100);
	expect_others(&program, 0, "100 of 100, line 41 x1 60, line 5 x1 40", false);
}

/* 0..50, 40..70 and 60..95 of one line, side by side: 95 of 100. */
static void test_several_threads_at_one_line(void **state)
{
	struct program program;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, TRAIN, 0, 100);
	add_state(&program, 2, HOST_STATE_RUNNING, AUGMENT, 0, 50);
	add_state(&program, 3, HOST_STATE_KERNEL, AUGMENT, 40, 70);
	add_state(&program, 4, HOST_STATE_RUNNING, AUGMENT, 60, 95);
	expect_others(&program, 0, "95 of 100, line 41 x3 95", true);
}

/* The thread that is waited for waits itself, and is not named: the one that ran is. */
static void test_chain_of_two(void **state)
{
	struct program program;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, TRAIN, 0, 100);
	add_state(&program, 2, HOST_STATE_THREAD, LOADER, 0, 95);
	add_state(&program, 2, HOST_STATE_RUNNING, LOADER, 95, 100);
	add_state(&program, 3, HOST_STATE_RUNNING, AUGMENT, 0, 95);
	expect_others(&program, 0, "100 of 100, line 41 x1 95, line 5 x1 5", true);
}

static void test_wait_that_ends_in_a_call(void **state)
{
	struct program program;

	init(&program);
	add_call(&program, 2, 0, 96);
	add_state(&program, MAIN, HOST_STATE_THREAD, TRAIN, 0, 100);
	add_state(&program, 2, HOST_STATE_RUNNING, LOADER, 98, 100);
	expect_others(&program, 0, "98 of 100, call x1 96, line 5 x1 2", true);
}

/* Thread 2 goes on within a look of the wait's end, thread 3 does not: it cannot have woken anyone. */
static void test_outside_counts_where_nobody_ran(void **state)
{
	struct program program;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, TRAIN, 0, 100);
	add_state(&program, 2, HOST_STATE_INPUT, LOADER, 0, 110)->name = "pipe";
	add_state(&program, 3, HOST_STATE_INPUT, AUGMENT, 0, 111);
	expect_others(&program, 0, "100 of 100, line 5 x1 100", true);
	program.states[1].end_ns = 80;
	add_state(&program, 4, HOST_STATE_RUNNING, AUGMENT, 30, 40);
	expect_others(&program, 0, "80 of 100, line 5 x1 70, line 41 x1 10", false);
}

static void test_wait_that_nobody_ended(void **state)
{
	struct program program;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, TRAIN, 0, 100);
	add_state(&program, 2, HOST_STATE_THREAD, LOADER, 0, 100);
	add_state(&program, 3, HOST_STATE_RUNNING, AUGMENT, 100, 200);
	expect_others(&program, 0, "0 of 100", false);
}

static void test_interpreter_is_had_by_threads_with_python(void **state)
{
	struct program program;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_INTERPRETER, TRAIN, 0, 100);
	add_state(&program, 2, HOST_STATE_RUNNING, NATIVE, 0, 100);
	add_state(&program, 3, HOST_STATE_RUNNING, LOADER, 0, 92);
	expect_others(&program, 0, "92 of 100, line 5 x1 92", true);
	program.states[0].state = HOST_STATE_THREAD;
	expect_others(&program, 0, "100 of 100, line 12 x1 100, line 5 x1 92", true);
}

static void test_waits_are_summed(void **state)
{
	struct program program;
	struct host_others others = {0};
	struct host_record *record;

	init(&program);
	add_state(&program, MAIN, HOST_STATE_THREAD, TRAIN, 0, 100);
	add_state(&program, 2, HOST_STATE_RUNNING, AUGMENT, 10, 20);
	add_state(&program, 3, HOST_STATE_RUNNING, AUGMENT, 70, 90);
	record = host_record_create(&program.trace);
	host_others_add(&others, record, &program.states[0], (struct span){0, 50});
	host_others_add(&others, record, &program.states[0], (struct span){60, 80});
	host_others_sort(&others);
	assert_int_equal(others.wait_ns, 70);
	assert_int_equal(others.known_ns, 20);
	assert_int_equal(others.count, 1);
	assert_int_equal(others.items[0].ns, 20);
	assert_int_equal(others.items[0].thread_count, 2);
	assert_int_equal(others.items[0].thread_id, 2);
	host_others_free(&others);
	host_record_free(record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_states_no_record),
		cmocka_unit_test(test_states_are_cut_at_span_and_calls),
		cmocka_unit_test(test_time_without_looks_is_unseen),
		cmocka_unit_test(test_look_into_call_tells_nothing_of_time_around_it),
		cmocka_unit_test(test_stack_of_a_call_tells_nothing_of_time_behind_it),
		cmocka_unit_test(test_lines_and_what_they_call),
		cmocka_unit_test(test_cut_stacks_have_the_line_of_the_look_beside),
		cmocka_unit_test(test_a_line_of_a_framework_is_one),
		cmocka_unit_test(test_ready_time_and_faults_by_share),
		cmocka_unit_test(test_looks_are_evenly_apart),
		cmocka_unit_test(test_one_thread_ran_all_the_wait),
		cmocka_unit_test(test_two_threads_in_turn),
		cmocka_unit_test(test_several_threads_at_one_line),
		cmocka_unit_test(test_chain_of_two),
		cmocka_unit_test(test_wait_that_ends_in_a_call),
		cmocka_unit_test(test_outside_counts_where_nobody_ran),
		cmocka_unit_test(test_wait_that_nobody_ended),
		cmocka_unit_test(test_interpreter_is_had_by_threads_with_python),
		cmocka_unit_test(test_waits_are_summed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
