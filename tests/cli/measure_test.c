/*
 * What `streamtrace run` finds out about pinned copies, with a driver whose times are known
 * (rates_libcuda.c), without one, and with one that hangs or dies.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "commands/measure.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGEABLE_IN  "UPDATE operations SET src_kind = 1 WHERE id = 1;"
#define PAGEABLE_OUT "UPDATE operations SET dst_kind = 1 WHERE id = 3;"

static char *folder, *path;

static void measure_trace(struct measuring *measuring, const char *sql)
{
	struct trace *trace;
	char *error = NULL;

	build_trace(path, "overlap.sql", sql);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	assert_int_equal(measure_store(measuring, trace, &error), 0);
	assert_null(error);
	trace_close(trace);
}

static void assert_value(const struct trace *trace, const char *key, double expected, double slack)
{
	const char *value = trace_metadata(trace, key);

	if (expected == 0) {
		assert_null(value);
		return;
	}
	assert_non_null(value);
	assert_float_equal(strtod(value, NULL), expected, slack);
}

/* In bytes a ns and ns; 0: nothing was measured. */
static void assert_measured(double in, double in_ns, double out, double out_ns)
{
	struct trace *trace;
	char *error;

	trace = trace_load(path, &error);
	assert_non_null(trace);
	assert_value(trace, "pinned_h2d_bytes_per_s", in * 1e9, in * 1e5);
	assert_value(trace, "pinned_h2d_latency_ns", in_ns, 2);
	assert_value(trace, "pinned_d2h_bytes_per_s", out * 1e9, out * 1e5);
	assert_value(trace, "pinned_d2h_latency_ns", out_ns, 2);
	if (in > 0)
		assert_float_equal(rates_of_pinned(trace, ENGINE_H2D).bytes_per_ns, in, in * 1e-4);
	if (out > 0)
		assert_float_equal(rates_of_pinned(trace, ENGINE_D2H).bytes_per_ns, out,
				   out * 1e-4);
	trace_close(trace);
}

static void check(const char *sql, double in, double in_ns, double out, double out_ns)
{
	struct measuring measuring = {.left_ms = MEASURE_LIMIT_MS};

	measure_trace(&measuring, sql);
	assert_measured(in, in_ns, out, out_ns);
	measure_free(&measuring);
}

/* Each direction alone, where pageable copies have no pinned ones beside them. */
static void test_directions(void **state)
{
	check(NULL, 0, 0, 0, 0);
	check(PAGEABLE_IN, 50, 3000, 0, 0);
	check(PAGEABLE_OUT, 0, 0, 25, 4000);
	check(PAGEABLE_IN PAGEABLE_OUT, 50, 3000, 25, 4000);
}

/* A pinned copy of a megabyte tells the rate (50 bytes a us); a smaller one does not. */
static void test_own_copies(void **state)
{
	static const char beside[] =
		PAGEABLE_IN "INSERT INTO operations (id, kind, start_ns, end_ns, device_id, "
			    "context_id, stream_id, correlation_id, copy_kind, src_kind, dst_kind, "
			    "is_async, size_bytes) SELECT 4, kind, start_ns, end_ns, device_id, "
			    "context_id, stream_id, 99, copy_kind, 2, dst_kind, is_async, %d "
			    "FROM operations WHERE id = 1";
	struct measuring measuring = {.left_ms = MEASURE_LIMIT_MS};
	char sql[1024];

	snprintf(sql, sizeof(sql), beside, 999999);
	check(sql, 50, 3000, 0, 0);
	snprintf(sql, sizeof(sql), beside, 1000000);
	measure_trace(&measuring, sql);
	assert_false(measuring.has_rates);
	measure_free(&measuring);
}

/* The device that the copies ran on, under the program's own choice of devices. */
static void test_device(void **state)
{
	check(PAGEABLE_IN "INSERT INTO devices (id, name) VALUES (1, 'slow');"
			  "UPDATE operations SET device_id = 1",
	      25, 6000, 0, 0);
	check(PAGEABLE_IN "INSERT INTO metadata VALUES ('cuda_visible_devices', '3,5')", 50, 3000,
	      0, 0);
	check(PAGEABLE_IN "INSERT INTO metadata VALUES ('cuda_visible_devices', '3')", 0, 0, 0, 0);
	setenv("CUDA_VISIBLE_DEVICES", "7", 1);
	check(PAGEABLE_IN, 50, 3000, 0, 0);
	unsetenv("CUDA_VISIBLE_DEVICES");
}

/* A second trace of the same device takes what was measured for the first. */
static void test_measured_once(void **state)
{
	struct measuring measuring = {.left_ms = MEASURE_LIMIT_MS};

	measure_trace(&measuring, PAGEABLE_IN);
	setenv("RATES_LIBCUDA", "crash", 1);
	measure_trace(&measuring, PAGEABLE_IN PAGEABLE_OUT);
	assert_measured(50, 3000, 25, 4000);
	measure_free(&measuring);
}

static void test_switched_off(void **state)
{
	struct measuring measuring = {0};

	measure_trace(&measuring, PAGEABLE_IN);
	assert_measured(0, 0, 0, 0);
	measure_free(&measuring);
}

static void test_no_device(void **state)
{
	setenv("RATES_LIBCUDA", "no-device", 1);
	check(PAGEABLE_IN, 0, 0, 0, 0);
}

static void test_crash(void **state)
{
	setenv("RATES_LIBCUDA", "crash", 1);
	check(PAGEABLE_IN, 0, 0, 0, 0);
}

/* The time of all traces together is limited: the second one has none left to wait. Without a limit
 * this test never ends. */
static void test_hang(void **state)
{
	struct measuring measuring = {.left_ms = 300};

	setenv("RATES_LIBCUDA", "hang", 1);
	measure_trace(&measuring, PAGEABLE_IN);
	assert_true(measuring.left_ms <= 0);
	measure_trace(&measuring,
		      PAGEABLE_IN "INSERT INTO metadata VALUES ('cuda_visible_devices', '3,5')");
	assert_measured(0, 0, 0, 0);
	measure_free(&measuring);
}

/* Numbers that make no sense are none. */
static void test_wrong_metadata(void **state)
{
	static const char *const values[] = {"", "fast", "-1", "0", "nan", "inf", "1e30", "5 GB"};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct trace *trace;
		char *error, sql[300];

		snprintf(sql, sizeof(sql),
			 PAGEABLE_IN "INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '%s')",
			 values[i]);
		build_trace(path, "overlap.sql", sql);
		trace = trace_load(path, &error);
		assert_non_null(trace);
		assert_true(rates_of_pinned(trace, ENGINE_H2D).bytes_per_ns == 0);
		trace_close(trace);
	}
}

static int set_up(void **state)
{
	unsetenv("RATES_LIBCUDA");
	folder = make_folder();
	path = memory_format("%s/trace.db", folder);
	return 0;
}

static int tear_down(void **state)
{
	unsetenv("RATES_LIBCUDA");
	remove_folder(folder);
	free(folder);
	free(path);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* The loader looks where LD_LIBRARY_PATH pointed at the start: CMakeLists.txt sets it. */
int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_directions),	  TEST(test_own_copies),   TEST(test_device),
		TEST(test_measured_once), TEST(test_switched_off), TEST(test_no_device),
		TEST(test_crash),	  TEST(test_hang),	   TEST(test_wrong_metadata),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
