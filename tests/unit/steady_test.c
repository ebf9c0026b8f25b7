/*
 * The steps of a run made by hand, with round times: what begins them, what one takes, and what findings save in it.
 *
 * A step takes 100 ns: a copy for 20 ns, and from 30 ns on a kernel for 40 ns. The host enqueues a step's work 10 ns apart,
 * from 1000 on, all of it before the device has begun; the device begins at 5000.
 */
#include "findings/steady.h"
#include "cmocka_test.h"
#include "detectors/instance.h"

#include <stdlib.h>

enum { STEPS_MOST = 40, RANGES_MOST = 200 };

static struct trace_function functions[] = {{.name = "cudaMemcpyAsync"},
					    {.name = "cudaLaunchKernel"}};
static struct trace_frame frames[] = {{.module = "/app", .file = "/app.cu", .line = 10},
				      {.module = "/app", .file = "/app.cu", .line = 20}};
static struct trace_site sites[] = {{.depth = 1, .frames = &frames[0]},
				    {.depth = 1, .frames = &frames[1]}};
static struct trace_call_form call_forms[] = {
	{.function = &functions[0], .site = &sites[0], .thread_id = 7},
	{.function = &functions[1], .site = &sites[1], .thread_id = 7}};
static struct trace_operation_form operation_forms[] = {
	{.kind = OPERATION_COPY, .engine = ENGINE_H2D},
	{.kind = OPERATION_KERNEL, .engine = ENGINE_COMPUTE, .name = "work"}};

static struct trace_call calls[2 * STEPS_MOST];
static struct trace_operation operations[2 * STEPS_MOST];
static struct trace_range ranges[RANGES_MOST];
static struct trace trace;

/* What a step enqueues: call 0 is the copy, 1 the kernel. */
static void add_operation(size_t which, int64_t call_ns, int64_t start_ns, int64_t length_ns)
{
	struct trace_call *call = &calls[trace.call_count++];
	struct trace_operation *operation = &operations[trace.operation_count++];

	*call = (struct trace_call){call_ns, call_ns + 1, &call_forms[which], operation};
	*operation = (struct trace_operation){start_ns, start_ns + length_ns,
					      &operation_forms[which], call};
}

static void make_steps(size_t count)
{
	trace = (struct trace){.calls = calls, .operations = operations, .ranges = ranges};
	for (size_t i = 0; i < count; i++) {
		add_operation(0, 1000 + 20 * (int64_t)i, 5000 + 100 * (int64_t)i, 20);
		add_operation(1, 1010 + 20 * (int64_t)i, 5030 + 100 * (int64_t)i, 40);
	}
}

static void add_range(const char *name, int64_t start_ns, int64_t end_ns)
{
	ranges[trace.range_count++] = (struct trace_range){.name = name,
							   .start_ns = start_ns,
							   .end_ns = end_ns,
							   .thread_id = 7,
							   .is_pushed = true};
}

/* By their period. */
TEST(test_period)
{
	struct steady *steady;

	make_steps(20);
	steady = steady_find(&trace, NULL);
	assert_non_null(steady);
	assert_int_equal(steady->steps.count, 20);
	assert_null(steady->steps.range);
	assert_int_equal(steady->site.line, 10);
	assert_int_equal(steady->median_ns, 100);
	assert_int_equal(steady->idle_ns, 40);
	assert_int_equal(steady->startup_ns, 4000);
	assert_int_equal(steady->steps.end_ns, 6970);
	steady_free(steady);
}

/* The device runs them in bursts: what one takes is not known. Steps with a name are steps all the same. */
TEST(test_uneven)
{
	struct steady *steady;

	make_steps(30);
	for (size_t i = 0; i < trace.operation_count; i++) {
		int64_t late_ns = 10000 * (int64_t)(i / 12);

		operations[i].start_ns += late_ns;
		operations[i].end_ns += late_ns;
	}
	assert_null(steady_find(&trace, NULL));
	steady = steady_find(&trace, "app.cu:20");
	assert_non_null(steady);
	assert_int_equal(steady->steps.count, 30);
	steady_free(steady);
}

/* Around each step's calls; the copy of a step that nobody named comes before. */
static void name_steps(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_range(names[i], 1020 + 20 * (int64_t)i, 1039 + 20 * (int64_t)i);
}

TEST(test_ranges)
{
	static const char *const names[] = {"step 8", "step 9", "step 10", "step 11"};
	struct steady *steady;

	make_steps(5);
	name_steps(names, 4);
	steady = steady_find(&trace, NULL);
	assert_non_null(steady);
	assert_string_equal(steady->steps.range, "step #");
	assert_int_equal(steady->steps.count, 4);
	assert_int_equal(steady->startup_ns, 4100);
	assert_int_equal(steady->median_ns, 100);
	/* The kernel of the last one ends there. */
	assert_int_equal(steady->steps.end_ns, 5470);
	steady_free(steady);
}

/* Numbers that begin anew are those of parts, such as layers. */
TEST(test_ranges_of_parts)
{
	static const char *const names[] = {"layer 0", "layer 1", "layer 0", "layer 1"};

	make_steps(5);
	name_steps(names, 4);
	assert_null(steady_find(&trace, NULL));
}

/* Ranges that take less than half of the time are not what the run consists of, unless the user says so. */
TEST(test_short_ranges)
{
	struct steady *steady;

	make_steps(5);
	for (int i = 0; i < 5; i++)
		add_range("optimizer", 1015 + 20 * i, 1018 + 20 * i);
	assert_null(steady_find(&trace, NULL));
	steady = steady_find(&trace, "OPTI");
	assert_non_null(steady);
	assert_int_equal(steady->steps.count, 5);
	assert_string_equal(steady->steps.range, "optimizer");
	steady_free(steady);
	assert_null(steady_find(&trace, "evaluate"));
}

/* A step in an epoch is a step; of names that do not say it, it is the outer one. */
TEST(test_ranges_in_ranges)
{
	struct steady *steady;

	for (int is_named = 0; is_named < 2; is_named++) {
		make_steps(12);
		for (int epoch = 0; epoch < 4; epoch++) {
			add_range("epoch", 1000 + 60 * epoch, 1060 + 60 * epoch);
			for (int i = 0; i < 3; i++)
				add_range(is_named ? "batch" : "part", 1000 + 60 * epoch + 20 * i,
					  1019 + 60 * epoch + 20 * i);
		}
		steady = steady_find(&trace, NULL);
		assert_non_null(steady);
		assert_string_equal(steady->steps.range, is_named ? "batch" : "epoch");
		assert_int_equal(steady->steps.count, is_named ? 12 : 4);
		steady_free(steady);
	}
}

/* Of 300 ns that a finding lost two thirds are in the steps; what is before them is saved once. */
TEST(test_saving)
{
	struct trace_call start = {500, 600, &call_forms[0], NULL};
	struct instance instances[] = {{.call = &start, .span = {500, 600}},
				       {.call = &calls[4], .span = {1040, 1139}},
				       {.call = &calls[20], .span = {1200, 1300}}};
	struct finding findings[] = {
		{.lost = {20, 300, 600}, .instances = instances, .instance_count = 3},
		{.lost = {10, 100, 100}, .instances = instances, .instance_count = 1}};
	struct model model = {.trace = &trace};
	struct analysis analysis = {
		.observed.model = &model,
		.findings = {.items = findings, .count = 2, .lost = {30, 400, 700}}};
	struct stated saving;

	make_steps(20);
	analysis.steady = steady_find(&trace, NULL);
	assert_non_null(analysis.steady);
	saving = steady_saving(&analysis, &findings[0]);
	assert_int_equal(saving.estimate_ns, 10);
	assert_int_equal(saving.high_ns, 20);
	saving = steady_saving(&analysis, &findings[1]);
	assert_int_equal(saving.high_ns, 0);
	/* Half of what both save is in the steps. */
	saving = steady_saving_of_all(&analysis);
	assert_int_equal(saving.estimate_ns, 10);
	steady_free(analysis.steady);
}

TEST(test_nothing)
{
	make_steps(0);
	assert_null(steady_find(&trace, NULL));
	assert_null(steady_find(&trace, "app"));
}

RUN_TESTS(NULL, NULL)
