/*
 * What the tracer added, taken out of replays: lengths that arithmetic gives. Times are ns.
 */
#include "cmocka_test.h"
#include "test_forms.h"
#include "model/tool_cost.h"
#include "replay/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 64

enum {
	LAUNCH,
	STREAM_SYNC,
	STREAM_QUERY,
	GRAPH_LAUNCH,
	GRAPH_UPDATE,
	GRAPH_INSTANTIATE,
	GRAPH_DESTROY,
	FUNCTIONS
};

struct program {
	struct trace trace;
	struct trace_function functions[FUNCTIONS];
	struct trace_call calls[MOST];
	struct trace_operation operations[MOST];
	struct trace_stream stream;
	struct trace_tool_cost costs[8];
	struct trace_metadata_row metadata[32];
	char keys[32][TOOL_COST_KEY_BYTES];
};

static void begin(struct program *program)
{
	*program = (struct program){
		.functions = {{"cudaLaunchKernel", CLASS_LAUNCH},
			      {"cudaStreamSynchronize", CLASS_STREAM_SYNC},
			      {"cudaStreamQuery", CLASS_STREAM_QUERY},
			      {"cudaGraphLaunch", CLASS_GRAPH_LAUNCH},
			      {"cudaGraphExecKernelNodeSetParams", CLASS_GRAPH_UPDATE},
			      {"cudaGraphInstantiate", CLASS_GRAPH_INSTANTIATE},
			      {"cudaGraphExecDestroy", CLASS_GRAPH_DESTROY}},
		.stream = {.flag = STREAM_NON_BLOCKING,
			   .handle = 0x100,
			   .created_ns = INT64_MIN,
			   .destroyed_ns = INT64_MAX},
	};
	program->trace = (struct trace){.functions = program->functions,
					.function_count = FUNCTIONS,
					.calls = program->calls,
					.operations = program->operations,
					.streams = &program->stream,
					.stream_count = 1,
					.tool_costs = program->costs,
					.metadata = program->metadata};
}

static struct trace_call *add_call(struct program *program, int function, int64_t start_ns,
				   int64_t end_ns)
{
	struct trace_call *call = &program->calls[program->trace.call_count++];

	*call = (struct trace_call){.start_ns = start_ns,
				    .end_ns = end_ns,
				    .form = call_form((struct trace_call_form){
					    .function = &program->functions[function],
					    .stream_handle = 0x100,
					    .has_stream = true})};
	return call;
}

static void add_kernel(struct program *program, struct trace_call *call, int64_t start_ns,
		       int64_t end_ns)
{
	struct trace_operation *kernel = &program->operations[program->trace.operation_count++];

	*kernel = (struct trace_operation){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.call = call,
		.form = operation_form((struct trace_operation_form){.stream = &program->stream,
								     .kind = OPERATION_KERNEL,
								     .engine = ENGINE_COMPUTE})};
	call->operation = kernel;
}

/* A hundred calls of the class were measured. */
static void add_cost(struct program *program, enum function_class class, int64_t outside_ns,
		     int64_t inside_ns)
{
	program->costs[program->trace.tool_cost_count++] =
		(struct trace_tool_cost){.class = class,
					 .calls = 100,
					 .outside_ns = 100 * outside_ns,
					 .inside_ns = 100 * inside_ns};
}

/* Of the runtime's calls. */
static void add_number(struct program *program, enum function_class class,
		       enum tool_cost_number number, const char *value)
{
	size_t i = program->trace.metadata_count++;

	tool_cost_key(program->keys[i], false, class, number);
	program->metadata[i] = (struct trace_metadata_row){program->keys[i], value};
}

static void assert_times(const struct program *program, int64_t traced_ns, int64_t untraced_ns)
{
	struct model *model = model_build(&program->trace);
	struct timeline *timeline = timeline_build(model);
	struct edits *none = edits_create(model);

	assert_int_equal(timeline_replay(timeline, NULL), traced_ns);
	assert_int_equal(timeline_replay(timeline, none), untraced_ns);
	edits_free(none);
	timeline_free(timeline);
	model_free(model);
}

/* A launch takes 5000, the next begins 3000 later; its kernel starts 6000 after the launch does. */
static void add_launches(struct program *program, int count, int64_t kernel_ns)
{
	int64_t free_ns = 0;

	for (int i = 0; i < count; i++) {
		int64_t call_ns = 8000 * i;
		int64_t start_ns = call_ns + 6000 > free_ns ? call_ns + 6000 : free_ns;

		add_kernel(program, add_call(program, LAUNCH, call_ns, call_ns + 5000), start_ns,
			   start_ns + kernel_ns);
		free_ns = start_ns + kernel_ns;
	}
}

/* Of a launch the tracer takes 1500 inside and 500 outside: each of the nine before the last one
 * comes 2000 sooner, and the last kernel by half of the 1500 after its launch's start. */
TEST(test_host_bound)
{
	struct program program;

	begin(&program);
	add_launches(&program, 10, 1000);
	assert_times(&program, 79000, 79000);
	add_cost(&program, CLASS_LAUNCH, 500, 1500);
	assert_times(&program, 79000, 79000 - 9 * 2000 - 750);
}

/* Where CUPTI was not calibrated it takes 0.36 of the launches' 5000, 1800, besides: each of the 19 launches
 * comes 3800 sooner, and the last kernel by half of 3300. Without CUPTI none of that. */
TEST(test_not_calibrated)
{
	struct program program;

	begin(&program);
	add_launches(&program, 20, 1000);
	add_cost(&program, CLASS_LAUNCH, 500, 1500);
	assert_times(&program, 159000, 159000 - 19 * 2000 - 750);
	program.metadata[program.trace.metadata_count++] =
		(struct trace_metadata_row){"cupti", "on"};
	assert_times(&program, 159000, 159000 - 19 * 3800 - 1650);
	assert_false(tool_costs_of(&program.trace).has_cupti);
}

/* A call for graph 7. */
static struct trace_call *add_graph_call(struct program *program, int function, int64_t start_ns,
					 int64_t end_ns)
{
	struct trace_call *call = add_call(program, function, start_ns, end_ns);
	struct trace_call_form form = *call->form;

	form.object = 7;
	call->form = call_form(form);
	return call;
}

/* A launch of a graph takes 22400, and its two kernels of 1000 start 1600 behind it. */
static void add_graph_launch(struct program *program, int64_t start_ns)
{
	struct trace_call *call = add_graph_call(program, GRAPH_LAUNCH, start_ns, start_ns + 22400);

	add_kernel(program, call, start_ns + 24000, start_ns + 25000);
	add_kernel(program, call, start_ns + 25000, start_ns + 26000);
}

/* A launch has 20400 for its two nodes, of which CUPTI has up to four times 1500 for each: of the first one, which
 * uploads the graph, 0.55; of the third one 1500 for each if the graph was changed. All come sooner by what those
 * before take less, and their kernels by what their own launch does. */
TEST(test_graph_launches)
{
	struct program program;

	for (int is_changed = 0; is_changed < 2; is_changed++) {
		begin(&program);
		add_graph_call(&program, GRAPH_INSTANTIATE, 0, 0);
		add_graph_launch(&program, 0);
		add_graph_launch(&program, 25400);
		if (is_changed)
			add_graph_call(&program, GRAPH_UPDATE, 50000, 50000);
		add_graph_launch(&program, 50800);
		assert_times(&program, 76800, 76800);
		add_cost(&program, CLASS_LAUNCH, 0, 0);
		assert_times(&program, 76800, 76800 - 11220 - 12000 - (is_changed ? 3000 : 12000));
	}
}

/* Sixteen launches of a graph that is on the device say what CUPTI takes for a node: all of them but for 2000,
 * and 0.55 of the first one, which also uploads the graph for 10000. */
TEST(test_paced_graph_launches)
{
	struct program program;

	begin(&program);
	add_graph_call(&program, GRAPH_INSTANTIATE, 0, 0);
	add_graph_launch(&program, 0);
	program.calls[1].end_ns += 10000;
	for (int i = 1; i < 18; i++)
		add_graph_launch(&program, 10000 + 25400 * i);
	for (int i = 0; i < 2; i++) {
		program.operations[i].start_ns += 10000;
		program.operations[i].end_ns += 10000;
	}
	add_cost(&program, CLASS_LAUNCH, 0, 0);
	assert_times(&program, 467800, 467800 - 17 * 20400 - 16720);
}

/* An instantiation of two nodes takes 9000, of which CUPTI has 0.55, as of what its first launch has for nodes. */
TEST(test_graph_instantiations)
{
	struct program program;

	begin(&program);
	add_graph_call(&program, GRAPH_INSTANTIATE, 0, 9000);
	add_graph_launch(&program, 9000);
	add_cost(&program, CLASS_LAUNCH, 0, 0);
	assert_times(&program, 35000, 35000 - 4950 - 11220);
}

static void change_form(struct program *program, size_t operation, struct trace_operation_form form)
{
	form.stream = &program->stream;
	program->operations[operation].form = operation_form(form);
}

/* A captured launch and the graph's destruction take 2000 each, of which CUPTI has 0.55, too. */
TEST(test_made_graphs)
{
	struct program program;

	begin(&program);
	add_call(&program, LAUNCH, 0, 2000);
	add_graph_call(&program, GRAPH_INSTANTIATE, 2000, 2000);
	add_graph_launch(&program, 2000);
	add_graph_call(&program, GRAPH_DESTROY, 28000, 30000);
	change_form(&program, 0,
		    (struct trace_operation_form){.kind = OPERATION_KERNEL,
						  .engine = ENGINE_COMPUTE,
						  .node_call = &program.calls[0]});
	add_cost(&program, CLASS_LAUNCH, 0, 0);
	assert_times(&program, 30000, 30000 - 1100 - 11220 - 1100);
}

/* What follows a graph starts 5000 after its end; without the tracer a kernel does so after 950, and a copy after
 * 3300. */
TEST(test_behind_graphs)
{
	struct program program;

	for (int is_copy = 0; is_copy < 2; is_copy++) {
		begin(&program);
		add_kernel(&program, add_graph_call(&program, GRAPH_LAUNCH, 0, 2000), 3000, 13000);
		add_kernel(&program, add_call(&program, LAUNCH, 2000, 4000), 18000, 19000);
		if (is_copy)
			change_form(&program, 1,
				    (struct trace_operation_form){.kind = OPERATION_COPY,
								  .engine = ENGINE_D2H});
		assert_times(&program, 19000, 19000);
		add_cost(&program, CLASS_LAUNCH, 0, 0);
		assert_times(&program, 19000, 19000 - (is_copy ? 1700 : 4050));
	}
}

/* A run of graphs alone shows what a launch would take, four times as much as CUPTI for a node: of the
 * synchronization 0.18 of 0.36 of that are CUPTI's, and half of that part comes before its return. */
TEST(test_pace_of_graphs)
{
	struct program program;

	begin(&program);
	for (int i = 0; i < 18; i++)
		add_graph_launch(&program, 25400 * i);
	add_cost(&program, CLASS_STREAM_SYNC, 0, 0);
	program.metadata[program.trace.metadata_count++] =
		(struct trace_metadata_row){"cupti", "on"};
	assert_true(fabs(tool_costs_of(&program.trace).costs[false][CLASS_STREAM_SYNC].inside_ns -
			 0.18 * 0.36 * 4 * 10200) < 0.01);
}

/* Only the first kernel's launch is in the way. */
TEST(test_device_bound)
{
	struct program program;

	begin(&program);
	add_launches(&program, 10, 20000);
	add_cost(&program, CLASS_LAUNCH, 500, 1500);
	assert_times(&program, 206000, 206000 - 750);
}

/* Each kernel is waited for: the launch's way to the device gets 750 shorter, the way back 300, and
 * the host's own time between two steps 400 and 100. */
TEST(test_waits)
{
	struct program program;

	begin(&program);
	for (int i = 0; i < 10; i++) {
		int64_t now_ns = 9600 * i;

		add_kernel(&program, add_call(&program, LAUNCH, now_ns, now_ns + 5000),
			   now_ns + 6000, now_ns + 7000);
		add_call(&program, STREAM_SYNC, now_ns + 5500, now_ns + 9000);
	}
	add_cost(&program, CLASS_LAUNCH, 400, 1500);
	add_cost(&program, CLASS_STREAM_SYNC, 100, 600);
	assert_times(&program, 95400, 95400 - 10 * (750 + 300) - 9 * 100);
}

/* A call that is nearly all the tracer's keeps a tenth of its time; the rest of the cost lay
 * outside, as far as there was time. */
TEST(test_short_calls)
{
	struct program program;

	begin(&program);
	for (int i = 0; i < 3; i++)
		add_call(&program, LAUNCH, 1000 * i, 1000 * i + 400);
	add_cost(&program, CLASS_LAUNCH, 100, 500);
	/* 360 of 400 inside; 100 + 140 of the 600 between. */
	assert_times(&program, 2400, 2400 - 3 * 360 - 2 * 240);
	program.trace.tool_cost_count = 0;
	add_cost(&program, CLASS_LAUNCH, 900, 500);
	assert_times(&program, 2400, 3 * 40);
}

/* CUPTI asked for a buffer in a call and behind another; one fills a call nearly. That
 * code was loaded is not its doing. */
TEST(test_overheads)
{
	static struct trace_overhead overheads[] = {
		{100, 400, 0, OVERHEAD_BUFFER_REQUEST, false},
		{1300, 1700, 0, OVERHEAD_BUFFER_REQUEST, false},
		{2000, 2490, 0, OVERHEAD_BUFFER_REQUEST, false},
		{2600, 2700, 0, OVERHEAD_MODULE_LOADING, true},
		{3000, 3100, 0, OVERHEAD_BUFFER_REQUEST, false},
		{2000, 2500, 7, OVERHEAD_BUFFER_REQUEST, false}};
	struct program program;

	begin(&program);
	for (int i = 0; i < 4; i++)
		add_call(&program, LAUNCH, 1000 * i, 1000 * i + 500);
	program.trace.overheads = overheads;
	program.trace.overhead_count = 6;
	add_cost(&program, CLASS_LAUNCH, 0, 0);
	/* 200 of the second in its call, 200 behind it; 450 of the third. */
	assert_times(&program, 3500, 3500 - 300 - 400 - 450 - 100);
}

/* A host that polls waits as long without the tracer; its last query, and one of something else, are
 * shorter. */
TEST(test_polling)
{
	struct program program;

	begin(&program);
	for (int i = 0; i < 5; i++) {
		struct trace_call *call =
			add_call(&program, STREAM_QUERY, 1000 * i, 1000 * i + 500);

		form_of_call(call)->result = i < 4 ? 600 : 0;
		form_of_call(call)->stream_handle = i ? 0x200 : 0x100;
	}
	add_cost(&program, CLASS_STREAM_QUERY, 100, 50);
	assert_times(&program, 4500, 4500 - 2 * 50 - 100);
}

/* Another thread's calls are not behind this one's: time between them is nobody's. */
TEST(test_threads)
{
	struct program program;

	begin(&program);
	add_call(&program, LAUNCH, 0, 1000);
	form_of_call(add_call(&program, LAUNCH, 2000, 3000))->thread_id = 1;
	add_cost(&program, CLASS_LAUNCH, 500, 100);
	assert_times(&program, 3000, 3000 - 2 * 100);
}

/* Kernels behind each other start 1000 after the one before; 400 of that are CUPTI's. */
TEST(test_kernel_gap)
{
	struct program program;

	begin(&program);
	for (int i = 0; i < 5; i++)
		add_kernel(&program, add_call(&program, LAUNCH, 100 * i, 100 * i + 50),
			   1000 + 11000 * i, 11000 + 11000 * i);
	program.metadata[0] = (struct trace_metadata_row){TOOL_KERNEL_GAP_KEY, "400"};
	program.trace.metadata_count = 1;
	add_cost(&program, CLASS_LAUNCH, 0, 0);
	assert_times(&program, 55000, 55000 - 4 * 400);
}

/* A copy is 900 behind each of five kernels, and the next kernel 1000 behind it: 400 and 300 of that
 * are CUPTI's. */
TEST(test_copy_gap)
{
	struct program program;

	begin(&program);
	for (int i = 0; i < 10; i++)
		add_kernel(&program, add_call(&program, LAUNCH, 100 * i, 100 * i + 50),
			   1000 + 10950 * i, 11000 + 10950 * i - i % 2 * 50);
	for (int i = 1; i < 10; i += 2)
		form_of(&program.operations[i])->kind = OPERATION_COPY;
	program.metadata[0] = (struct trace_metadata_row){TOOL_KERNEL_GAP_KEY, "400"};
	program.metadata[1] = (struct trace_metadata_row){TOOL_COPY_GAP_KEY, "300"};
	program.trace.metadata_count = 2;
	add_cost(&program, CLASS_LAUNCH, 0, 0);
	assert_times(&program, 109500, 109500 - 4 * 400 - 5 * 300);
}

/* What is no time is taken for none. */
TEST(test_gaps_that_are_none)
{
	static const char *const texts[] = {"-400", "400x", "1e30", ""};
	struct program program;

	begin(&program);
	add_cost(&program, CLASS_LAUNCH, 0, 0);
	program.trace.metadata_count = 2;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct tool_costs costs;

		program.metadata[0] = (struct trace_metadata_row){TOOL_KERNEL_GAP_KEY, texts[i]};
		program.metadata[1] = (struct trace_metadata_row){TOOL_COPY_GAP_KEY, texts[i]};
		costs = tool_costs_of(&program.trace);
		assert_true(costs.is_known && costs.kernel_gap_ns == 0 && costs.copy_gap_ns == 0);
	}
}

static double inside_of(const struct program *program, enum function_class class)
{
	return tool_costs_of(&program->trace).costs[false][class].inside_ns;
}

static double doubt_of(const struct program *program, enum function_class class)
{
	return tool_costs_of(&program->trace).costs[false][class].doubt_ns;
}

static void add_calibration(struct program *program, enum function_class class,
			    const char *const values[TOOL_COST_NUMBERS])
{
	for (int i = 0; i < TOOL_COST_NUMBERS; i++)
		add_number(program, class, (enum tool_cost_number)i, values[i]);
}

/* In the order of the numbers: CUPTI's part warm and cold, the calls' time warm and cold. */
static const char *const launch_numbers[] = {"1000", "2000", "4000", "6000"};

/* Twenty launches that take so long, but for three that wait. */
static void add_equal_launches(struct program *program, int64_t time_ns)
{
	for (int i = 0; i < 20; i++)
		add_call(program, LAUNCH, 100000 * i, 100000 * i + (i % 6 == 5 ? 90000 : time_ns));
}

/* CUPTI's part lies between those of warm and cold caches, as the time of the calls does; where they
 * are faster or slower than that, it is in proportion. */
TEST(test_cupti)
{
	static const struct {
		int64_t call_ns;
		double cupti_ns;
	} cases[] = {{1000, 500},  {2000, 500},		 {3000, 750},
		     {4000, 1000}, {4500, 1250},	 {6000, 2000},
		     {9000, 3000}, {16000, 16000.0 / 3}, {40000, 16000.0 / 3}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct program program;

		begin(&program);
		add_equal_launches(&program, cases[i].call_ns);
		add_cost(&program, CLASS_LAUNCH, 500, 300);
		assert_false(tool_costs_of(&program.trace).has_cupti);
		assert_true(fabs(inside_of(&program, CLASS_LAUNCH) - 300) < 0.01);
		add_calibration(&program, CLASS_LAUNCH, launch_numbers);
		assert_true(tool_costs_of(&program.trace).has_cupti);
		assert_true(fabs(inside_of(&program, CLASS_LAUNCH) - 300 - cases[i].cupti_ns) <
			    0.01);
		/* 15 % of both parts, half of the way from warm to cold, and what one of 100
		 * samples may be off. */
		assert_true(fabs(doubt_of(&program, CLASS_LAUNCH) - 120 - 0.15 * cases[i].cupti_ns -
				 500 - 80) < 0.01);
		program.trace.metadata_count--;
		assert_false(tool_costs_of(&program.trace).has_cupti);
	}
}

/* Calls that may wait do not show how slow the run is: the launches do, which are twice as slow here
 * as in the warm loop. */
TEST(test_pace)
{
	struct program program;

	begin(&program);
	for (int i = 0; i < 20; i++) {
		add_call(&program, LAUNCH, 100000 * i, 100000 * i + 8000);
		add_call(&program, STREAM_SYNC, 100000 * i + 10000, 100000 * i + 90000);
	}
	add_cost(&program, CLASS_LAUNCH, 500, 300);
	add_calibration(&program, CLASS_LAUNCH, launch_numbers);
	add_calibration(&program, CLASS_STREAM_SYNC,
			(const char *const[]){"100", "100", "1000", "1000"});
	assert_true(fabs(inside_of(&program, CLASS_STREAM_SYNC) - 300 - 200) < 0.01);
	/* Fifteen launches are too few to tell. */
	program.trace.call_count = 30;
	assert_true(fabs(inside_of(&program, CLASS_STREAM_SYNC) - 300 - 100) < 0.01);
}

/* Without a libcudart the calibration has the driver's calls only. */
TEST(test_driver_only)
{
	struct program program;

	begin(&program);
	add_cost(&program, CLASS_LAUNCH, 500, 300);
	add_calibration(&program, CLASS_LAUNCH, launch_numbers);
	for (int i = 0; i < TOOL_COST_NUMBERS; i++)
		tool_cost_key(program.keys[i], true, CLASS_LAUNCH, (enum tool_cost_number)i);
	assert_true(fabs(inside_of(&program, CLASS_LAUNCH) - 300 - 1000) < 0.01);
}

/* A million calls are sampled: each kind of them as before. */
TEST(test_typical_time)
{
	static const struct trace_function launch = {"cudaLaunchKernel", CLASS_LAUNCH};
	enum { COUNT = 100000 };
	struct trace_call *calls = calloc(COUNT, sizeof(*calls));
	struct trace trace = {.calls = calls, .call_count = COUNT};

	assert_non_null(calls);
	for (size_t i = 0; i < COUNT; i++)
		calls[i] = (struct trace_call){
			.end_ns = 1000 + (int64_t)(i * 7919 % 1000),
			.form = call_form((struct trace_call_form){.function = &launch})};
	assert_true(fabs(tool_cost_typical_ns(&trace, false, CLASS_LAUNCH) - 1250) < 15);
	assert_true(fabs(tool_cost_typical_ns(&trace, true, CLASS_LAUNCH)) < 0.01);
	assert_true(fabs(tool_cost_typical_ns(&trace, false, CLASS_COPY)) < 0.01);
	free(calls);
}

/* A class without samples costs as all others do, with CUPTI's part of the cheapest. */
TEST(test_unknown_class)
{
	struct program program;

	begin(&program);
	add_cost(&program, CLASS_LAUNCH, 500, 300);
	add_cost(&program, CLASS_EVENT_RECORD, 300, 100);
	add_calibration(&program, CLASS_EVENT_RECORD,
			(const char *const[]){"250", "250", "1000", "1000"});
	add_calibration(&program, CLASS_LAUNCH,
			(const char *const[]){"1000", "1000", "4000", "4000"});
	assert_true(fabs(inside_of(&program, CLASS_FREE) - 200 - 250) < 0.01);
	assert_true(fabs(inside_of(&program, CLASS_GRAPH_LAUNCH) - 200 - 1000) < 0.01);
	assert_true(fabs(tool_costs_of(&program.trace).costs[true][CLASS_LAUNCH].inside_ns) < 0.01);
}

/* The file is not trusted. */
TEST(test_wrong_numbers)
{
	static const char *const values[] = {"", "-1", "nan", "1e300", "5 ns"};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct program program;

		begin(&program);
		program.costs[0] = (struct trace_tool_cost){.class = CLASS_LAUNCH,
							    .calls = 1,
							    .outside_ns = INT64_MAX,
							    .inside_ns = INT64_MAX};
		program.trace.tool_cost_count = 1;
		for (int number = 0; number < TOOL_COST_NUMBERS; number++)
			add_number(&program, CLASS_LAUNCH, (enum tool_cost_number)number,
				   values[i]);
		assert_false(tool_costs_of(&program.trace).has_cupti);
		assert_true(inside_of(&program, CLASS_LAUNCH) <= 50000);
		add_launches(&program, 3, 1000);
		/* A tenth of each call is left: the device is what takes the time. */
		assert_times(&program, 23000, 3750 + 3 * 1000);
	}
}

RUN_TESTS(NULL, NULL)
