/*
 * When engines were busy, in columns: on operations with round times.
 */
#include "findings/activity.h"
#include "cmocka_test.h"

#include <stdlib.h>
#include <string.h>

static void check_row(const struct activity *activity, size_t row, const double *expected)
{
	for (size_t column = 0; column < activity->columns; column++)
		assert_float_equal(activity->parts[row][column], expected[column], 1e-9);
}

/* 100 ns from 1000 on, in five columns. Two kernels overlap, and one ends behind the run. */
TEST(test_columns)
{
	struct trace_operation operations[] = {
		{.start_ns = 1010,
		 .end_ns = 1030,
		 .form = &(struct trace_operation_form){.engine = ENGINE_COMPUTE}},
		{.start_ns = 1020,
		 .end_ns = 1025,
		 .form = &(struct trace_operation_form){.engine = ENGINE_H2D}},
		{.start_ns = 1025,
		 .end_ns = 1050,
		 .form = &(struct trace_operation_form){.engine = ENGINE_COMPUTE}},
		{.start_ns = 1090,
		 .end_ns = 1200,
		 .form = &(struct trace_operation_form){.engine = ENGINE_D2H}},
	};
	struct trace trace = {.operations = operations, .operation_count = 4};
	struct analysis analysis = {.headline = {.origin_ns = 1000, .wall_ns = 100}};
	struct activity activity = activity_measure(&analysis, &trace, ACTIVITY_ALL, 5);

	assert_float_equal(activity.column_ns, 20, 1e-9);
	check_row(&activity, ENGINE_COMPUTE, (double[]){0.5, 1, 0.5, 0, 0});
	check_row(&activity, ENGINE_H2D, (double[]){0, 0.25, 0, 0, 0});
	check_row(&activity, ENGINE_D2H, (double[]){0, 0, 0, 0, 0.5});
	check_row(&activity, ACTIVITY_IDLE, (double[]){0.5, 0, 0.5, 1, 0.5});
	activity_free(&activity);
}

/* What rounding makes of a sum of parts is no idle time: up to a millionth of a column. */
TEST(test_what_is_idle_by_rounding)
{
	const struct {
		int64_t busy_ns;
		double idle;
	} cases[] = {{9999995, 0}, {9999980, 2e-6}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct trace_operation operation = {
			.end_ns = cases[i].busy_ns,
			.form = &(struct trace_operation_form){.engine = ENGINE_COMPUTE}};
		struct trace trace = {.operations = &operation, .operation_count = 1};
		struct analysis analysis = {.headline.wall_ns = 10000000};
		struct activity activity = activity_measure(&analysis, &trace, ACTIVITY_ALL, 1);

		check_row(&activity, ACTIVITY_IDLE, &cases[i].idle);
		activity_free(&activity);
	}
}

/* What is between windows is no time. */
TEST(test_windows)
{
	struct trace_operation operations[] = {
		{.start_ns = 1000,
		 .end_ns = 1010,
		 .form = &(struct trace_operation_form){.engine = ENGINE_COMPUTE}},
		{.start_ns = 5010,
		 .end_ns = 5020,
		 .form = &(struct trace_operation_form){.engine = ENGINE_COMPUTE}},
	};
	struct trace_window windows[] = {
		{.start_ns = 1000, .end_ns = 1020},
		{.start_ns = 5000, .end_ns = 5020, .before_ns = 20},
	};
	struct trace trace = {.operations = operations,
			      .operation_count = 2,
			      .windows = windows,
			      .window_count = 2};
	struct analysis analysis = {.headline = {.origin_ns = 1000, .wall_ns = 40}};
	struct activity activity = activity_measure(&analysis, &trace, ACTIVITY_ALL, 4);

	check_row(&activity, ENGINE_COMPUTE, (double[]){1, 0, 0, 1});
	activity_free(&activity);
}

/* A copy between two devices is of both; other operations are of their own. */
TEST(test_devices)
{
	struct trace_operation operations[] = {
		{.start_ns = 0,
		 .end_ns = 10,
		 .form = &(struct trace_operation_form){.engine = ENGINE_COMPUTE, .device_id = 1}},
		{.start_ns = 10,
		 .end_ns = 20,
		 .form = &(struct trace_operation_form){.engine = ENGINE_PEER,
							.device_id = 0,
							.src_device_id = 0,
							.dst_device_id = 1}},
		{.start_ns = 10,
		 .end_ns = 20,
		 .form = &(struct trace_operation_form){.engine = ENGINE_COMPUTE, .device_id = 0}},
	};
	struct trace trace = {.operations = operations, .operation_count = 3};
	struct analysis analysis = {.headline.wall_ns = 20};
	struct activity activity = activity_measure(&analysis, &trace, 1, 2);

	check_row(&activity, ENGINE_COMPUTE, (double[]){1, 0});
	check_row(&activity, ENGINE_PEER, (double[]){0, 1});
	check_row(&activity, ACTIVITY_IDLE, (double[]){0, 0});
	activity_free(&activity);
}

/* A run without a length has columns, too. */
TEST(test_nothing)
{
	struct trace trace = {0};
	struct analysis analysis = {0};
	struct activity activity = activity_measure(&analysis, &trace, ACTIVITY_ALL, 3);

	check_row(&activity, ACTIVITY_IDLE, (double[]){1, 1, 1});
	activity_free(&activity);
}

RUN_TESTS(NULL, NULL)
