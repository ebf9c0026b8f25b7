/* How far the waits for a host function reach, of which a report shows only what a fix saves. */
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"

#include "base/memory.h"
#include "detectors/detector.h"
#include "trace/trace.h"

#include <stdlib.h>

#define MS     1000000
#define ORIGIN 1000000000

/* A copy out (0 to 10 ms), a function behind it, and a kernel behind that, in one stream; the call of
 * the function, the function and the kernel, in ms. */
struct times {
	int call, start, end, kernel;
};

static struct instances find(const struct times *times)
{
	struct instances found = {0};
	char *prelude = read_file(PRELUDE_FILE, NULL), *error, *sql;
	struct trace *trace;
	struct observed observed;

	sql = memory_format("%sINSERT INTO operation VALUES"
			    " ('d2h', 'pinned', 13, 80, 0, 0, 0, 10, 11000000, 61000000);"
			    "INSERT INTO call VALUES ('cudaLaunchHostFunc', 13, NULL, 81, %d, %d);"
			    "INSERT INTO operation VALUES"
			    " ('kernel', NULL, 13, 82, %d, %d, %d, %d, NULL, NULL);"
			    "INSERT INTO host_function VALUES (81, %d, %d);",
			    prelude, times->call, times->call, times->call, times->call,
			    times->kernel, times->kernel + 20, times->start, times->end);
	build_trace(path, NULL, sql);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	observed = observed_build_waits(model_build(trace));
	detector_host_callback.find(&observed, &found);
	observed_free(&observed);
	trace_close(trace);
	free(sql);
	free(prelude);
	return found;
}

static void check_reach(struct times times, int start_ms, int end_ms)
{
	struct instances found = find(&times);

	assert_int_equal(found.count, 1);
	assert_int_equal(found.items[0].reach.start_ns, ORIGIN + (int64_t)start_ms * MS);
	assert_int_equal(found.items[0].reach.end_ns, ORIGIN + (int64_t)end_ms * MS);
	free(found.items);
}

TEST_IN_FOLDER(test_from_when_the_function_could_run)
{
	/* Behind the copy, though another function ran first. */
	check_reach((struct times){.call = 0, .start = 25, .end = 40, .kernel = 40}, 10, 40);
	/* It was enqueued after the copy. */
	check_reach((struct times){.call = 15, .start = 25, .end = 40, .kernel = 40}, 15, 40);
	/* By the host's clock it began before the copy had ended by the device's. */
	check_reach((struct times){.call = 0, .start = 9, .end = 40, .kernel = 40}, 9, 40);
}

/* The kernel did not wait for it. */
TEST_IN_FOLDER(test_a_kernel_beside_the_function)
{
	struct instances found =
		find(&(struct times){.call = 0, .start = 12, .end = 40, .kernel = 30});

	assert_int_equal(found.count, 0);
	assert_int_equal((int)found.doubtful.count, 0);
}

RUN_TESTS(NULL, NULL)
