/* A program behaves with libstrace.so as without it, and whatever it does, it goes on. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

/* A sanitizer's malloc() is none that a shim can stand before. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HAS_OWN_MALLOC = 1 };
#else
enum { HAS_OWN_MALLOC = 0 };
#endif

static const char *const verbose[] = {"STREAMTRACE_VERBOSE=1", NULL};

TEST(test_all_that_it_sees_is_the_same)
{
	struct run plain, traced;

	run_start(&plain, APP_PATH, "visible", false, NULL);
	run_start(&traced, APP_PATH, "visible", true, NULL);
	assert_true(WIFEXITED(plain.status));
	assert_int_equal(WEXITSTATUS(plain.status), 11);
	/* The stand-in keeps a last error, or this compares nothing. */
	assert_non_null(strstr(plain.out, "peek 1, get 1, get 0"));
	assert_non_null(strstr(plain.out, "peek 600, get 600, get 0"));
	assert_non_null(strstr(plain.out, "no_such_function"));
	assert_int_equal(traced.status, plain.status);
	assert_string_equal(traced.out, plain.out);
	assert_string_equal(traced.err, plain.err);
	run_open(&traced);
	assert_int_not_equal(run_number(&traced, "SELECT count(*) FROM calls WHERE result <> 0"),
			     0);
	run_end(&plain);
	run_end(&traced);
}

static void run_traced(struct run *run, const char *scenario, int status)
{
	run_start(run, APP_PATH, scenario, true, NULL);
	assert_true(WIFEXITED(run->status));
	assert_int_equal(WEXITSTATUS(run->status), status);
	assert_string_equal(run->err, "");
	run_open(run);
}

/* The ten queries and the launch; not the synchronize, which never returned. */
static void check_early_exit(const char *scenario, int status)
{
	struct run run;

	run_traced(&run, scenario, status);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM calls"), 11);
	assert_string_equal(run_text(&run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
	run_end(&run);
}

TEST(test_exit_in_a_signal_handler_inside_a_call)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* it keeps the signal back until the call returns */
#else
	check_early_exit("exit-in-a-handler", 7);
#endif
}

TEST(test_exit_while_another_thread_is_inside_a_call)
{
	check_early_exit("exit-beside-a-call", 8);
}

TEST_RUN(test_a_file_with_the_number_of_stderr_stays_clean)
{
	char path[96];
	struct stat status;

	run_start(run, APP_PATH, "reused-stderr", true, verbose);
	assert_int_equal(run->status, 0);
	snprintf(path, sizeof(path), "%s/data", run->folder);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 0);
	run_open(run);
}

static void check_stderr(const char *scenario)
{
	static const char *const unknown[] = {"STREAMTRACE_VERBOSE=1", "STREAMTRACE_FOO=1", NULL};
	struct run run;

	/* The unknown option is said on the program's own thread. */
	run_start(&run, APP_PATH, scenario, true, unknown);
	assert_int_equal(run.status, 0);
	assert_string_equal(run.out, "went well\n");
	run_open(&run);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM calls"), 10);
	run_end(&run);
}

/* Standard error is a pipe without a reader: SIGPIPE would end the program. */
TEST(test_a_broken_stderr_brings_no_signal)
{
	check_stderr("broken-stderr");
}

/* A pipe whose reader does not read: the program would stand still. */
TEST(test_a_full_stderr_holds_nobody)
{
	check_stderr("full-stderr");
}

TEST_RUN(test_forks_do_not_take_locks_along)
{
	run_traced(run, "forks", 0);
	assert_string_equal(run->out, "forked\n");
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

enum { FOR_EVER = 1 << 30, WORK_CALLS = 124, WORK_OPERATIONS = 21 };

/* The trace is whole, or says that something is missing, or its end: then it still has that of the exec
 * which failed, or none. */
static void check_nothing_is_hidden(struct run *run)
{
	if (run_number(run, "SELECT (SELECT count(*) FROM losses) + (SELECT count(*) FROM metadata"
			    " WHERE key = 'end' AND value <> 'exit')"))
		return;
	if (run_number(run, "SELECT count(*) FROM calls WHERE site_id IS NOT NULL") != WORK_CALLS)
		fail_msg("%d calls, %d of them without a site, and no loss",
			 (int)run_number(run, "SELECT count(*) FROM calls"),
			 (int)run_number(run, "SELECT count(*) FROM calls WHERE site_id IS NULL"));
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"
					 " WHERE kind <> 1 OR name_id IS NOT NULL"),
			 WORK_OPERATIONS);
	assert_int_equal(run_number(run, "SELECT count(*) FROM threads"), 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM streams WHERE flag = 3"), 1);
}

/* Allocations of the tracer from number `first` on fail, `count` of them. Returns how many it
 * made. */
static int run_without_memory(int first, int count, const struct run *plain)
{
	char numbers[64], path[96];
	const char *const shim[] = {"LD_PRELOAD=" MALLOC_SHIM_PATH, "STREAMTRACE_QUIET=1", numbers,
				    NULL};
	int allocations = 0;
	struct run run;
	FILE *file;

	snprintf(numbers, sizeof(numbers), "MALLOC_SHIM=%d,%d", first, count);
	run_start(&run, APP_PATH, "work", true, shim);
	if (run.status != plain->status || strcmp(run.out, plain->out) || *run.err)
		fail_msg("without allocation %d and %d more: status %x, output %s, errors %s",
			 first, count - 1, (unsigned int)run.status, run.out, run.err);
	snprintf(path, sizeof(path), "%s/allocations", run.folder);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%d", &allocations), 1);
	fclose(file);
	if (access(run.trace, F_OK) == 0) {
		run_open(&run);
		check_nothing_is_hidden(&run);
	}
	run_end(&run);
	return allocations;
}

/* One allocation fails, or all from one on: at the start, and where the trace is being written. */
TEST(test_without_memory_only_the_trace_suffers)
{
	enum { FIRST = 24, LAST = 400, STRIDE = 3, SPARSE = 4 * STRIDE };
	struct run plain;
	int all;

	if (HAS_OWN_MALLOC)
		skip();
	run_start(&plain, APP_PATH, "work", false, NULL);
	assert_int_equal(WEXITSTATUS(plain.status), 12);
	all = run_without_memory(FOR_EVER, 1, &plain);
	print_message("%d allocations\n", all);
	assert_true(all > FIRST + LAST);
	for (int first = 0; first < all; first += first < FIRST ? 1 : STRIDE) {
		if (first == FIRST)
			first = all - LAST;
		run_without_memory(first, 1, &plain);
		if (first < FIRST || (all - first) % SPARSE == LAST % SPARSE)
			run_without_memory(first, FOR_EVER, &plain);
	}
	run_end(&plain);
}

RUN_TESTS_BESIDE()
