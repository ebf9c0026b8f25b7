/* Threads that make calls as fast as they can, which do nothing: none is dropped, whatever the writer
 * gets of the processors; and it is the same calls as rows and in blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Room for the tables and some of the calls. */
enum { FULL_BYTES = 1 << 19 };

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
 * again. Times of different readings of the clock can be up to a microsecond apart (record.h). */
static void check_rows(struct run *run)
{
	assert_int_equal(run_number(run, "SELECT count(*) FROM call_blocks"), 0);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM (SELECT start_ns,"
				    " lag(end_ns) OVER t AS before_ns, function_id,"
				    " lag(function_id) OVER t AS before, object,"
				    " lag(object, 2) OVER t AS object_before"
				    " FROM calls WINDOW t AS (PARTITION BY thread_id ORDER BY id))"
				    " WHERE start_ns < before_ns - 1000 OR function_id = before"
				    " OR object <> (object_before + 2) %% 1000"),
			 0);
	assert_int_equal(run_number(run, "SELECT count(DISTINCT stream_handle) FROM calls"),
			 run_number(run, "SELECT count(DISTINCT thread_id) FROM calls"));
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
	run_open_as_it_is(&run);
	check_made(&run);
	if (with_commands)
		check_commands(&run);
	else
		free(output_of(&run, "unpack"));
	check_made(&run);
	check_rows(&run);
	run_end(&run);
}

TEST(test_8_threads)
{
	check_full_rate(FEW_THREADS, false);
}

TEST(test_64_threads)
{
	check_full_rate(MANY_THREADS, false);
}

TEST(test_commands_read_blocks)
{
	check_full_rate("4,50000,0", true);
}

static long long made_by(const struct run *run)
{
	long long made, all = 0;

	for (const char *line = run->out; *line; line = strchr(line, '\n') + 1) {
		assert_int_equal(sscanf(line, "made %*d %lld\n", &made), 1);
		all += made;
	}
	return all;
}

/* No room for all blocks: what is not there is counted, but for a file that is full to the last page
 * (loss_test.c). */
TEST_RUN(test_a_full_disk)
{
	const struct rlimit limit = {FULL_BYTES, FULL_BYTES};
	int64_t recorded, lost;
	long long made;

	run_launch(run, APP_PATH, FEW_THREADS, true, environment);
	assert_int_equal(prlimit(run->pid, RLIMIT_FSIZE, &limit, NULL), 0);
	run_wait(run);
	assert_int_equal(run->status, 0);
	made = made_by(run);
	run_open_as_it_is(run);
	recorded = run_calls(run, 0);
	lost = run_number(run, "SELECT coalesce(sum(count), 0) FROM losses");
	assert_in_range(recorded, 0, made - 1);
	if (lost)
		/* Rows beside the calls: more of them, the longer the run takes. */
		assert_in_range(recorded + lost, made, made + made / 10);
	else
		assert_string_not_equal(
			run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
}

/* A number of the file that is being written; 0: there is none yet. */
static int64_t number_so_far(const struct run *run, const char *sql)
{
	sqlite3_stmt *statement = NULL;
	sqlite3 *database;
	int64_t number = 0;

	if (!sqlite3_open_v2(run->trace, &database, SQLITE_OPEN_READONLY, NULL) &&
	    !sqlite3_prepare_v2(database, sql, -1, &statement, NULL) &&
	    sqlite3_step(statement) == SQLITE_ROW)
		number = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(database);
	return number;
}

#define CALLS_SO_FAR "SELECT (SELECT count(*) FROM calls) + (SELECT total(calls) FROM call_blocks)"

/* What was committed is there, of each thread without a gap. */
TEST_RUN(test_a_kill)
{
	int64_t seen;

	run_launch(run, APP_PATH, "8,0,3600", true, environment);
	do {
		usleep(10000);
		seen = number_so_far(run, CALLS_SO_FAR);
	} while (seen < 100000);
	kill(run->pid, SIGKILL);
	run_wait(run);
	assert_true(WIFSIGNALED(run->status));
	run_open_as_it_is(run);
	assert_true(run_calls(run, 0) >= seen);
	free(output_of(run, "unpack"));
	check_rows(run);
}

/* At the exit all calls of a small trace become rows, and none of a larger one. */
static void check_exit(const char *work, bool is_small)
{
	struct run run;

	run_start(&run, APP_PATH, work, true, environment);
	run_open_as_it_is(&run);
	check_made(&run);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM calls"),
			 is_small ? made_by(&run) : 0);
	if (is_small)
		check_rows(&run);
	run_end(&run);
}

TEST(test_a_small_trace_has_rows)
{
	check_exit("8,1000,0", true);
	check_exit("9,1000,0", false);
}

RUN_TESTS(NULL, NULL)
