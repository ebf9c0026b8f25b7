/* Of the stack of a program's thread, which may be small, the library takes little. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "preload_run.h"

/* More than without the library: its own share, and its thread-local variables. */
enum { MOST_BYTES = 4096 };

/* The bytes of a step's line; -1: there is no such line. */
static long bytes_of(const char *output, const char *step)
{
	const char *line = run_next_line(output, step);

	return line ? strtol(line, NULL, 10) : -1;
}

static void check(const char *scenario)
{
	struct run plain, traced;
	char *save, *line;
	long most = 0;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip(); /* a sanitizer's frames are larger */
#endif
	run_start(&plain, APP_PATH, scenario, false, NULL);
	run_start(&traced, APP_PATH, scenario, true, NULL);
	assert_int_equal(plain.status, 0);
	assert_int_equal(traced.status, 0);
	assert_string_equal(traced.err, "");
	assert_int_equal(run_lines(traced.out), run_lines(plain.out));
	for (line = strtok_r(traced.out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char step[64];
		long bytes, before;

		assert_int_equal(sscanf(line, "%63s %ld", step, &bytes), 2);
		before = bytes_of(plain.out, step);
		assert_true(before > 0);
		if (bytes - before > MOST_BYTES)
			fail_msg("%s: %ld bytes of stack, %ld without", step, bytes, before);
		if (bytes - before > most)
			most = bytes - before;
	}
	print_message("%s: %ld bytes more at most\n", scenario, most);
	run_open(&traced);
	assert_int_equal(run_number(&traced, "SELECT count(*) FROM losses"), 0);
	run_end(&plain);
	run_end(&traced);
}

TEST(test_calls_take_little_stack)
{
	check("cuda");
}

TEST(test_ranges_take_little_stack)
{
	check("nvtx");
}

TEST(test_collectives_take_little_stack)
{
	check("nccl");
}

RUN_TESTS(NULL, NULL)
