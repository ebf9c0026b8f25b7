/* Threads that make calls as fast as they can, which do nothing: none is dropped, whatever the writer
 * gets of the processors; and it is the same calls as rows and in blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmocka_test.h"
#include "preload_run.h"

/* CALLS a thread, made in rounds of 1,000. */
#ifdef __SANITIZE_THREAD__
#define FEW_THREADS  "8,20000,0"
#define MANY_THREADS "64,2000,0"
#else
#define FEW_THREADS  "8,200000,0"
#define MANY_THREADS "64,20000,0"
#endif

static const char *const environment[] = {"LD_LIBRARY_PATH=" EMPTY_FOLDER, NULL};

static void check_made(struct run *run)
{
	int thread, threads = 0;
	long long made, all = 0;

	for (const char *line = run->out; *line; line = strchr(line, '\n') + 1, threads++) {
		assert_int_equal(sscanf(line, "made %d %lld\n", &thread, &made), 2);
		assert_int_equal(run_calls(run, thread), made);
		all += made;
	}
	assert_int_equal(run_calls(run, 0), all);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
	print_message("%lld calls of %d threads, of them %lld as rows\n", all, threads,
		      (long long)run_number(run, "SELECT count(*) FROM calls"));
}

/* Of each thread, one after the other, as made: two functions in turn, event 0, 2, 4, ... 998 and
 * again. */
static void check_rows(struct run *run)
{
	assert_int_equal(run_number(run, "SELECT count(*) FROM call_blocks"), 0);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM (SELECT start_ns,"
				    " lag(end_ns) OVER t AS before_ns, function_id,"
				    " lag(function_id) OVER t AS before, object,"
				    " lag(object, 2) OVER t AS object_before"
				    " FROM calls WINDOW t AS (PARTITION BY thread_id ORDER BY id))"
				    " WHERE start_ns < before_ns OR function_id = before"
				    " OR object <> (object_before + 2) %% 1000"),
			 0);
	assert_int_equal(run_number(run, "SELECT count(DISTINCT stream_handle) FROM calls"),
			 run_number(run, "SELECT count(*) FROM threads"));
}

/* The command's output on the trace; to be freed. */
static char *output_of(const struct run *run, const char *command)
{
	char line[512], *text = NULL;
	size_t size = 0;
	FILE *pipe;

	snprintf(line, sizeof(line), "%s %s %s 2>&1", CLI_PATH, command, run->trace);
	pipe = popen(line, "r");
	assert_non_null(pipe);
	if (getdelim(&text, &size, '\0', pipe) < 0)
		text = strdup("");
	assert_int_equal(pclose(pipe), 0);
	return text;
}

/* Without the size of the file. */
static char *info_of(const struct run *run)
{
	char *text = output_of(run, "info"), *size = strstr(text, "file size");

	assert_non_null(size);
	*size = '\0';
	return text;
}

/* What is printed must not depend on where the calls are. */
static void check_commands(struct run *run)
{
	char *info = info_of(run), *report = output_of(run, "report --format json"), *again;

	free(output_of(run, "unpack"));
	again = info_of(run);
	assert_string_equal(info, again);
	free(again);
	again = output_of(run, "report --format json");
	assert_string_equal(report, again);
	free(again);
	free(info);
	free(report);
}

static void check_full_rate(const char *work, bool with_commands)
{
	struct run run;

	run_start(&run, APP_PATH, work, true, environment);
	assert_int_equal(run.status, 0);
	run_open(&run);
	check_made(&run);
	if (with_commands)
		check_commands(&run);
	else
		free(output_of(&run, "unpack"));
	check_made(&run);
	check_rows(&run);
	run_end(&run);
}

static void test_8_threads(void **state)
{
	check_full_rate(FEW_THREADS, false);
}

static void test_64_threads(void **state)
{
	check_full_rate(MANY_THREADS, false);
}

static void test_commands_read_blocks(void **state)
{
	check_full_rate("4,50000,0", true);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_8_threads),
		cmocka_unit_test(test_64_threads),
		cmocka_unit_test(test_commands_read_blocks),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
