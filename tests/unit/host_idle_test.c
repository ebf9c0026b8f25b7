/*
 * What the host did while the device was idle, in a trace whose times are known by arithmetic: each call
 * launches a kernel that ends with the call, and the host works until the next call. Times are in ns.
 */
#include "cmocka_test.h"
#include "test_forms.h"
#include "replay/host_idle.h"
#include "replay/observed.h"
#include "trace/trace_private.h"

#include <stdlib.h>
#include <string.h>

#define PAIRS 40 /* of call sites */
#define MAIN  1
#define STEP  1000000
#define CALL  1000

struct program {
	struct trace trace;
	struct trace_function function;
	struct trace_stream stream;
	struct trace_call calls[2 * PAIRS + 2];
	struct trace_operation operations[2 * PAIRS + 2];
	struct trace_host_state states[2 * PAIRS];
	/* Of calls, and of looks. */
	struct trace_python_frame frames[2 * PAIRS + 2];
	struct trace_site sites[2 * PAIRS + 2];
};

static struct program program;
static struct trace_private private; /* has the names of functions */

static void init(void)
{
	program = (struct program){
		.function = {"cudaLaunchKernel", CLASS_LAUNCH},
		.stream = {.flag = STREAM_BLOCKING,
			   .handle = 1300,
			   .created_ns = INT64_MIN,
			   .destroyed_ns = INT64_MAX},
	};
	private = (struct trace_private){0};
	program.trace = (struct trace){.functions = &program.function,
				       .function_count = 1,
				       .streams = &program.stream,
				       .stream_count = 1,
				       .calls = program.calls,
				       .operations = program.operations,
				       .host_states = program.states,
				       .sites = program.sites,
				       .site_count = 2 * PAIRS + 2,
				       .private = &private};
	for (int i = 0; i < 2 * PAIRS + 2; i++) {
		program.frames[i] = (struct trace_python_frame){
			.file = "/home/u/train.py", .function = "main", .line = i};
		program.sites[i] =
			(struct trace_site){.python_depth = 1, .python_frames = &program.frames[i]};
	}
}

static int64_t start_of(size_t call)
{
	return (int64_t)call * STEP;
}

static void add_launch(int site)
{
	const size_t index = program.trace.call_count++;
	const struct span span = {start_of(index), start_of(index) + CALL};
	struct trace_call *call = &program.calls[index];

	*call = (struct trace_call){
		.start_ns = span.start_ns,
		.end_ns = span.end_ns,
		.operation = &program.operations[index],
		.form = call_form((struct trace_call_form){.thread_id = MAIN,
							   .function = &program.function,
							   .site = &program.sites[site],
							   .stream_handle = program.stream.handle,
							   .has_stream = true})};
	program.operations[program.trace.operation_count++] = (struct trace_operation){
		.start_ns = span.start_ns,
		.end_ns = span.end_ns,
		.call = call,
		.form = operation_form((struct trace_operation_form){.stream = &program.stream,
								     .kind = OPERATION_KERNEL,
								     .engine = ENGINE_COMPUTE,
								     .src_kind = MEMORY_DEVICE,
								     .dst_kind = MEMORY_DEVICE})};
}

static void add_state(int site, int64_t start_ns, int64_t end_ns)
{
	program.states[program.trace.host_state_count++] =
		(struct trace_host_state){.start_ns = start_ns,
					  .end_ns = end_ns,
					  .faults = -1,
					  .object = -1,
					  .site = &program.sites[site],
					  .thread_id = MAIN,
					  .looks = 1,
					  .state = HOST_STATE_RUNNING};
}

struct idling {
	struct observed observed;
	struct host_idle *idle;
};

static struct idling build(void)
{
	struct idling idling = {.observed = observed_build(model_build(&program.trace))};
	struct idle_walk *walk = idle_walk_create(idling.observed.model, idling.observed.timeline,
						  idling.observed.evidence);

	idling.idle = host_idle_build(walk, idling.observed.model, IDLE_ALL_DEVICES,
				      (struct span){0, start_of(program.trace.call_count)});
	idle_walk_free(walk);
	return idling;
}

static void end(struct idling *idling)
{
	host_idle_free(idling->idle);
	observed_free(&idling->observed);
	map_free(&private.described_map);
	vector_free(&private.described);
}

static const struct host_idle_row *row_of_line(const struct idling *idling, int line)
{
	for (size_t i = 0; i < idling->idle->row_count; i++) {
		const struct host_idle_row *row = &idling->idle->rows[i];

		if (row->doing != HOST_NOT_SEEN &&
		    idling->observed.model->host->doings[row->doing].site.line == line)
			return row;
	}
	return NULL;
}

/* Between two calls the first look still found the thread in the call before, 10 us ahead of its end:
 * that look's 100 us and more tell nothing. The second found it at a line of this gap alone, which gets
 * all of the gap, though only the rest of it was seen. */
TEST(test_each_pair_has_sums_of_its_own)
{
	struct idling idling;

	init();
	for (int i = 0; i <= PAIRS; i++)
		add_launch(i);
	for (int i = 0; i < PAIRS; i++) {
		const int64_t look_ns = start_of((size_t)i) + 100000 + i * 1000;

		add_state(PAIRS + 1 + i, start_of((size_t)i) + CALL - 10, look_ns);
		add_state(PAIRS + 1 + i, look_ns, start_of((size_t)i + 1));
	}
	idling = build();
	assert_int_equal(idling.idle->row_count, PAIRS);
	assert_int_equal(idling.idle->ns, PAIRS * (int64_t)(STEP - CALL));
	for (int i = 0; i < PAIRS; i++) {
		const struct host_idle_row *row = row_of_line(&idling, PAIRS + 1 + i);

		assert_non_null(row);
		assert_int_equal(row->ns, STEP - CALL);
		assert_int_equal(row->seen_ns, STEP - 100000 - i * 1000);
	}
	end(&idling);
}

/* Of two gaps between the same sites the second has no look of its own: it is divided like the first,
 * three quarters to one line. A gap of other sites is work of the line that makes its second call. */
TEST(test_time_between_looks)
{
	struct idling idling;

	init();
	for (int i = 0; i < 3; i++)
		add_launch(0);
	add_launch(1);
	add_state(PAIRS + 1, CALL, CALL + 750000);
	add_state(PAIRS + 2, CALL + 750000, CALL + 1000000 - CALL);
	add_state(0, start_of(1), start_of(2));
	add_state(0, start_of(2), start_of(3));
	idling = build();
	assert_int_equal(row_of_line(&idling, PAIRS + 1)->ns, 2 * 750000);
	assert_int_equal(row_of_line(&idling, PAIRS + 2)->ns, 2 * (250000 - CALL));
	assert_int_equal(row_of_line(&idling, 1)->ns, STEP - CALL);
	assert_int_equal(row_of_line(&idling, 1)->seen_ns, 0);
	assert_int_equal(row_of_line(&idling, 1)->thread_id, MAIN);
	end(&idling);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_pair_has_sums_of_its_own),
		cmocka_unit_test(test_time_between_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
