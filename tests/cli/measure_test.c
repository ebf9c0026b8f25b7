/*
 * What `streamtrace run` and `report` find out about pinned copies, with a driver whose times are
 * known (rates_libcuda.c), without one, and with one that hangs or dies.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "commands/measure.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UUID	     "GPU-00000000-0000-0000-0000-000000000001"
#define SLOW_UUID    "GPU-00000000-0000-0000-0000-000000000002"
#define IS(uuid)     "UPDATE devices SET uuid = '" uuid "';"
#define PAGEABLE_IN  IS(UUID) "UPDATE operations SET src_kind = 1 WHERE id = 1;"
#define PAGEABLE_OUT IS(UUID) "UPDATE operations SET dst_kind = 1 WHERE id = 3;"

static char *folder, *path, *cache;

static struct trace *load(void)
{
	char *error = NULL;
	struct trace *trace = trace_load(path, &error);

	assert_non_null(trace);
	return trace;
}

static void measure_trace(struct measuring *measuring, const char *sql)
{
	struct trace *trace;
	char *error = NULL;

	build_trace(path, "overlap.sql", sql);
	trace = load();
	assert_int_equal(measure_apply(measuring, trace, &error), 0);
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

/* In bytes a ns and ns; 0: it is not there. */
static void assert_numbers(const struct trace *trace, double in, double in_ns, double out,
			   double out_ns)
{
	assert_value(trace, "pinned_h2d_bytes_per_s", in * 1e9, in * 1e5);
	assert_value(trace, "pinned_h2d_latency_ns", in_ns, 2);
	assert_value(trace, "pinned_d2h_bytes_per_s", out * 1e9, out * 1e5);
	assert_value(trace, "pinned_d2h_latency_ns", out_ns, 2);
	if (in > 0)
		assert_float_equal(rates_of_pinned(trace, ENGINE_H2D).bytes_per_ns, in, in * 1e-4);
	if (out > 0)
		assert_float_equal(rates_of_pinned(trace, ENGINE_D2H).bytes_per_ns, out,
				   out * 1e-4);
}

static void assert_measured(double in, double in_ns, double out, double out_ns)
{
	struct trace *trace = load();

	assert_numbers(trace, in, in_ns, out, out_ns);
	trace_close(trace);
}

/* As nothing had been measured before. */
static void check(const char *sql, double in, double in_ns, double out, double out_ns)
{
	struct measuring measuring = measure_begin(false);

	remove_folder(cache);
	measure_trace(&measuring, sql);
	assert_measured(in, in_ns, out, out_ns);
	measure_free(&measuring);
}

static int set_up(void **state)
{
	unsetenv("RATES_LIBCUDA");
	folder = make_folder();
	path = memory_format("%s/trace.db", folder);
	cache = make_folder();
	setenv("XDG_CACHE_HOME", cache, 1);
	return 0;
}

static int tear_down(void **state)
{
	unsetenv("RATES_LIBCUDA");
	remove_folder(folder);
	remove_folder(cache);
	free(cache);
	free(folder);
	free(path);
	return 0;
}

/* Each direction alone, where pageable copies have no pinned ones beside them. */
TEST_WITH(test_directions, set_up, tear_down)
{
	check(IS(UUID), 0, 0, 0, 0);
	check(PAGEABLE_IN, 50, 3000, 0, 0);
	check(PAGEABLE_OUT, 0, 0, 25, 4000);
	check(PAGEABLE_IN PAGEABLE_OUT, 50, 3000, 25, 4000);
}

/* Of copies to the host alone: a staged one of 32 MiB at 25 bytes a ns, with 4 us and an event. */
TEST_WITH(test_new_memory, set_up, tear_down)
{
	struct trace *trace;

	check(PAGEABLE_IN, 50, 3000, 0, 0);
	trace = load();
	assert_true(rates_of_staging(trace).source == RATE_UNKNOWN);
	assert_true(rates_of_unmapping(trace).source == RATE_UNKNOWN);
	trace_close(trace);
	check(PAGEABLE_OUT, 0, 0, 25, 4000);
	trace = load();
	assert_float_equal(rates_of_staging(trace).bytes_per_ns,
			   33554432 / (33554432 / 25.0 + 6000), 1e-3);
	assert_true(rates_of_unmapping(trace).source == RATE_MEASURED);
	trace_close(trace);
}

/* A pinned copy of a megabyte tells the rate (50 bytes a us); a smaller one does not. */
TEST_WITH(test_own_copies, set_up, tear_down)
{
	static const char beside[] =
		PAGEABLE_IN "INSERT INTO operations (id, kind, start_ns, end_ns, device_id, "
			    "context_id, stream_id, correlation_id, copy_kind, src_kind, dst_kind, "
			    "is_async, size_bytes) SELECT 4, kind, start_ns, end_ns, device_id, "
			    "context_id, stream_id, 99, copy_kind, 2, dst_kind, is_async, %d "
			    "FROM operations WHERE id = 1";
	char sql[1024];

	snprintf(sql, sizeof(sql), beside, 999999);
	check(sql, 50, 3000, 0, 0);
	snprintf(sql, sizeof(sql), beside, 1000000);
	check(sql, 0, 0, 0, 0);
}

/* The device that the copies ran on, whatever this process may see. */
TEST_WITH(test_device, set_up, tear_down)
{
	check(PAGEABLE_IN "INSERT INTO devices (id, name, uuid) VALUES (1, 'slow', '" SLOW_UUID
			  "');"
			  "UPDATE operations SET device_id = 1",
	      25, 6000, 0, 0);
	setenv("CUDA_VISIBLE_DEVICES", "7", 1);
	check(PAGEABLE_IN, 50, 3000, 0, 0);
	unsetenv("CUDA_VISIBLE_DEVICES");
}

/* No GPU of this machine, or one that nobody knows. */
TEST_WITH(test_other_device, set_up, tear_down)
{
	check(PAGEABLE_IN IS("GPU-00000000-0000-0000-0000-000000000003"), 0, 0, 0, 0);
	check(PAGEABLE_IN IS("GPU"), 0, 0, 0, 0);
	check(PAGEABLE_IN "UPDATE devices SET uuid = NULL", 0, 0, 0, 0);
	setenv("RATES_LIBCUDA", "other-device", 1);
	check(PAGEABLE_IN, 0, 0, 0, 0);
}

/* A second trace of the same device takes what was measured for the first: in this process, and in
 * another from the cache. */
TEST_WITH(test_measured_once, set_up, tear_down)
{
	struct measuring measuring = measure_begin(false), later = measure_begin(true);

	measure_trace(&measuring, PAGEABLE_IN);
	setenv("RATES_LIBCUDA", "crash", 1);
	measure_trace(&measuring, PAGEABLE_IN PAGEABLE_OUT);
	assert_measured(50, 3000, 25, 4000);
	measure_free(&measuring);
	measure_trace(&later, PAGEABLE_IN PAGEABLE_OUT);
	assert_measured(50, 3000, 25, 4000);
	measure_free(&later);
	check(PAGEABLE_IN, 0, 0, 0, 0);
}

/* Of the pair of GPUs with the most bytes: 64 MiB at 200 bytes a ns, with 6 us and an event of 2. */
TEST_WITH(test_peers, set_up, tear_down)
{
	static const char peers[] =
		IS(UUID) "INSERT INTO devices (id, name, uuid) VALUES (1, 'other', '" SLOW_UUID
			 "');"
			 "UPDATE operations SET copy_kind = 10, src_kind = 3, dst_kind = 3, "
			 "src_device_id = 0, dst_device_id = 1 WHERE id = 1";
	/* A staged copy: to the host from device 0, from it to device 1. */
	static const char halves[] =
		IS(UUID) "INSERT INTO devices (id, name, uuid) VALUES (1, 'other', '" SLOW_UUID
			 "');"
			 "UPDATE functions SET name = 'cudaMemcpyPeerAsync' WHERE class = 'copy';"
			 "UPDATE operations SET src_kind = 3, dst_kind = 3 WHERE kind = 2;"
			 "UPDATE operations SET copy_kind = 2 WHERE id = 1;"
			 "UPDATE operations SET copy_kind = 1, device_id = 1, correlation_id = "
			 "(SELECT correlation_id FROM operations WHERE id = 1) WHERE id = 3";
	struct measuring measuring = measure_begin(false);
	double expected = 67108864 / (67108864 / 200.0 + 8000) * 1e9;
	struct trace *trace;

	measure_trace(&measuring, peers);
	trace = load();
	assert_value(trace, "peer_bytes_per_s", expected, expected * 1e-4);
	assert_float_equal(rates_of_peers(trace), expected / 1e9, expected / 1e9 * 1e-4);
	trace_close(trace);
	measure_trace(&measuring, halves);
	trace = load();
	assert_value(trace, "peer_bytes_per_s", expected, expected * 1e-4);
	trace_close(trace);
	setenv("RATES_LIBCUDA", "apart", 1);
	remove_folder(cache);
	measure_trace(&measuring, peers);
	trace = load();
	assert_true(rates_of_peers(trace) == 0);
	trace_close(trace);
	setenv("RATES_LIBCUDA", "other-device", 1);
	remove_folder(cache);
	measure_trace(&measuring, peers);
	trace = load();
	assert_true(rates_of_peers(trace) < 0);
	trace_close(trace);
	measure_free(&measuring);
}

/* A report adds to what it has in memory and leaves the file alone; what the trace has stays. */
TEST_WITH(test_in_memory, set_up, tear_down)
{
	struct measuring measuring = measure_begin(false);
	struct trace *trace;

	build_trace(path, "overlap.sql",
		    PAGEABLE_IN PAGEABLE_OUT
		    "INSERT INTO metadata VALUES ('pinned_d2h_bytes_per_s', '7e9'),"
		    " ('pinned_d2h_latency_ns', '90')");
	trace = load();
	assert_int_equal(measure_apply(&measuring, trace, NULL), 0);
	assert_numbers(trace, 50, 3000, 7, 90);
	trace_close(trace);
	assert_measured(0, 0, 7, 90);
	measure_free(&measuring);
}

TEST_WITH(test_switched_off, set_up, tear_down)
{
	struct measuring measuring = measure_begin(true);

	measure_trace(&measuring, PAGEABLE_IN);
	assert_measured(0, 0, 0, 0);
	measure_free(&measuring);
}

TEST_WITH(test_no_device, set_up, tear_down)
{
	setenv("RATES_LIBCUDA", "no-device", 1);
	check(PAGEABLE_IN, 0, 0, 0, 0);
}

TEST_WITH(test_crash, set_up, tear_down)
{
	setenv("RATES_LIBCUDA", "crash", 1);
	check(PAGEABLE_IN, 0, 0, 0, 0);
}

/* The time of all traces together is limited: the second one has none left to wait. Without a limit
 * this test never ends. */
TEST_WITH(test_hang, set_up, tear_down)
{
	struct measuring measuring = {.left_ms = 300};

	setenv("RATES_LIBCUDA", "hang", 1);
	measure_trace(&measuring, PAGEABLE_IN);
	assert_true(measuring.left_ms <= 0);
	measure_trace(&measuring, PAGEABLE_IN IS(SLOW_UUID));
	assert_measured(0, 0, 0, 0);
	measure_free(&measuring);
}

/* Whether the report, called with the option, says that the rate is unknown. */
static bool is_unknown_in_report(const char *option)
{
	char *command = memory_format("%s report %s %s", CLI_PATH, option, path), line[256];
	FILE *output = popen(command, "r");
	bool is_unknown = false;

	assert_non_null(output);
	while (fgets(line, sizeof(line), output))
		is_unknown |= strstr(line, "their rate on this machine is unknown") != NULL;
	assert_int_equal(pclose(output), 0);
	free(command);
	return is_unknown;
}

/* Whether the report offers `streamtrace run`, which it must not where that made the trace. */
static bool offers_run(void)
{
	char *command = memory_format("%s report --all --no-measure %s | tr -s '\\n ' ' ' | "
				      "grep -q 'the program ran, or record with streamtrace run'",
				      CLI_PATH, path);
	int status = system(command);

	free(command);
	return status == 0;
}

/* The report measures unless it must not, and then takes what was measured before. */
TEST_WITH(test_report, set_up, tear_down)
{
	size_t size;
	char *bytes = read_file(RECORDING, &size);

	write_file(path, bytes, size);
	free(bytes);
	change_trace(path, "DELETE FROM metadata WHERE key LIKE 'pinned%';"
			   "UPDATE devices SET link_bytes_per_s = NULL, name = 'GPU';" IS(UUID));
	assert_true(is_unknown_in_report("--no-measure"));
	change_trace(path, "DELETE FROM metadata WHERE key = 'traced_by'");
	assert_true(offers_run());
	change_trace(path, "INSERT INTO metadata VALUES ('traced_by', 'host.1.2')");
	assert_false(offers_run());
	setenv("RATES_LIBCUDA", "no-device", 1);
	assert_true(is_unknown_in_report(""));
	unsetenv("RATES_LIBCUDA");
	assert_false(is_unknown_in_report(""));
	assert_false(is_unknown_in_report("--no-measure"));
}

/* Numbers that make no sense are none. */
TEST_WITH(test_wrong_metadata, set_up, tear_down)
{
	static const char *const values[] = {"", "fast", "-1", "0", "nan", "inf", "1e30", "5 GB"};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct trace *trace;
		char *error, sql[300];

		snprintf(sql, sizeof(sql),
			 PAGEABLE_IN "UPDATE devices SET name = 'GPU';"
				     "INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '%s')",
			 values[i]);
		build_trace(path, "overlap.sql", sql);
		trace = trace_load(path, &error);
		assert_non_null(trace);
		assert_true(rates_of_pinned(trace, ENGINE_H2D).bytes_per_ns == 0);
		trace_close(trace);
	}
}

/* The loader looks where LD_LIBRARY_PATH pointed at the start: CMakeLists.txt sets it. */
RUN_TESTS(NULL, NULL)
