/* Each kind of loss, forced: a row of the trace with the right count, and a line of the report. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

enum {
	ROOM_CALLS = (4096 + 512) * 1024, /* and a segment */
	LAUNCHES = 3000,
	SPLIT_COPIES = 10,
	LATE_FUNCTIONS = 3,
	ROOMY_KB = 360, /* the empty trace, its log and index, and what is reserved */
	STEP_SLACK_NS =
		900000000, /* a busy machine may stop us between the readings of two clocks */
};
#define SECOND_NS INT64_C(1000000000)

/* Runs the scenario, which may say something; how many calls it made. */
static int run_full_scenario(struct run *run, const char *scenario, const char *const *environment)
{
	int made;

	run_start(run, APP_PATH, scenario, true, environment);
	assert_int_equal(run->status, 0);
	assert_int_equal(sscanf(run->out, "made %d", &made), 1);
	run_open(run);
	return made;
}

static int run_scenario(struct run *run, const char *scenario, const char *const *environment)
{
	const int made = run_full_scenario(run, scenario, environment);

	assert_string_equal(run->err, "");
	return made;
}

static int64_t loss(struct run *run, const char *kind)
{
	return run_number(run, "SELECT coalesce(sum(count), 0) FROM losses WHERE kind = '%s'",
			  kind);
}

static int64_t recorded(struct run *run)
{
	return run_calls(run, 0);
}

/* The report's output; to be freed. */
static char *report(struct run *run)
{
	char command[512];
	char *text = NULL;
	size_t size = 0;
	FILE *pipe;

	/* What `SELECT`s have open is not in the way, but the log is. */
	snprintf(command, sizeof(command), "%s report %s", CLI_PATH, run->trace);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_true(getdelim(&text, &size, '\0', pipe) > 0);
	assert_int_equal(pclose(pipe), 0);
	return text;
}

/* The report says this of the loss, with all its rows' count. */
static void check_report(struct run *run, const char *kind)
{
	char line[256];
	char *text = report(run);

	snprintf(line, sizeof(line), "- %s: %" PRId64 " ", kind, loss(run, kind));
	if (!strstr(text, line))
		fail_msg("\"%s\" is not in the report:\n%s", line, text);
	free(text);
}

/* Nothing is lost but this. */
static void check_only(struct run *run, const char *kind)
{
	assert_int_not_equal(loss(run, kind), 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses WHERE kind <> '%s'", kind),
			 0);
}

/* The writer stands still for millions of calls; the report on such a trace is for other tests. */
TEST(test_ring_overflow)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* forty times slower */
#else
	struct run run;
	int made = run_scenario(&run, "overflow", NULL);

	assert_int_equal(recorded(&run) + loss(&run, "ring-overflow"), made);
	assert_in_range(recorded(&run), ROOM_CALLS, made - 1);
	assert_int_equal(
		run_number(&run, "SELECT count(*) FROM losses WHERE thread_id <> %d", (int)run.pid),
		0);
	check_only(&run, "ring-overflow");
	run_end(&run);
#endif
}

static const char *const clock_shim[] = {"LD_PRELOAD=" CLOCK_SHIM_PATH, NULL};
static const char *const split[] = {"FAKE_SPLIT_COPIES=1", NULL};

TEST_RUN(test_further_operations_are_tied_to_their_call)
{
	int made = run_scenario(run, "split", split);

	assert_int_equal(recorded(run), made);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"), 2 * SPLIT_COPIES);
	assert_int_equal(run_number(run, "SELECT count(*) FROM correlations"), SPLIT_COPIES);
	assert_int_equal(run_number(run, "SELECT sum(operations) - sum(matched)"
					 " FROM matched_operations"),
			 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

TEST(test_correlation_lost)
{
#ifdef __SANITIZE_THREAD__
	skip();
#else
	struct run run;
	int made = run_scenario(&run, "split-overflow", split);

	assert_int_equal(recorded(&run) + loss(&run, "ring-overflow"), made);
	assert_int_equal(loss(&run, "correlation-lost"), SPLIT_COPIES);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM operations"), 2 * SPLIT_COPIES);
	run_end(&run);
#endif
}

TEST_RUN(test_exit_timeout)
{
	int made = run_scenario(run, "late-exit", clock_shim);

	check_only(run, "exit-timeout");
	/* Without a thread: device records. */
	assert_int_equal(recorded(run) + run_number(run, "SELECT sum(count) FROM losses"
							 " WHERE thread_id IS NOT NULL"),
			 made);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
	check_report(run, "exit-timeout");
}

/* What CUDA's thread ran, too; the first function ran before. */
TEST_RUN(test_host_functions_at_a_late_exit)
{
	run_scenario(run, "late-functions", clock_shim);
	assert_int_equal(run_number(run, "SELECT count(*) FROM host_functions"), 1);
	assert_int_equal(loss(run, "host-function"), LATE_FUNCTIONS);
}

TEST_RUN(test_cupti_dropped)
{
	static const char *const dropped[] = {"FAKE_DROPPED_RECORDS=42", NULL};

	run_scenario(run, "launches", dropped);
	assert_int_equal(loss(run, "cupti-dropped"), 42);
	check_only(run, "cupti-dropped");
	check_report(run, "cupti-dropped");
}

/* More buffers at once than the library gives: the records of the last 88 are thrown away. */
TEST_RUN(test_cupti_discarded)
{
	static const char *const greedy[] = {"FAKE_BUFFERS_AT_ONCE=600", NULL};
	/* Beside the launches: device, context, null stream, overhead. */
	const int records = LAUNCHES + 4;
	int64_t kept, lost;

	run_scenario(run, "launches", greedy);
	kept = run_number(run,
			  "SELECT (SELECT count(*) FROM operations)"
			  " + (SELECT count(*) FROM overheads) + (SELECT count(*) FROM devices)"
			  " + (SELECT count(*) FROM contexts) + (SELECT count(*) FROM streams)");
	lost = loss(run, "cupti-discarded");
	print_message("%d made, %d kept, %d discarded\n", records, (int)kept, (int)lost);
	assert_int_equal(kept + lost, records);
	check_only(run, "cupti-discarded");
	check_report(run, "cupti-discarded");
}

TEST_RUN(test_untimed)
{
	static const char *const untimed[] = {"FAKE_ZERO_TIMESTAMPS=1", NULL};

	run_scenario(run, "launches", untimed);
	assert_int_equal(loss(run, "untimed"), LAUNCHES / 3);
	check_only(run, "untimed");
	check_report(run, "untimed");
}

TEST_RUN(test_unknown_record)
{
	static const char *const unknown[] = {"FAKE_UNKNOWN_RECORDS=7", NULL};

	run_scenario(run, "launches", unknown);
	assert_int_equal(loss(run, "unknown-record"), 7);
	check_only(run, "unknown-record");
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"), LAUNCHES);
	check_report(run, "unknown-record");
}

/* CUPTI is on all the same, and what it gives later is kept. */
TEST_RUN(test_cupti_error)
{
	static const char *const errors[] = {"FAKE_FLUSH_ERRORS=1", NULL};

	run_scenario(run, "launches", errors);
	assert_int_equal(loss(run, "cupti-error"), 1);
	check_only(run, "cupti-error");
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'cupti'"), "on");
	check_report(run, "cupti-error");
}

static int64_t step(struct run *run, const char *detail)
{
	return run_number(run,
			  "SELECT count FROM losses WHERE kind = 'clock-step' AND detail = '%s'",
			  detail);
}

TEST_RUN(test_clock_step)
{
	int made = run_scenario(run, "clock", clock_shim);
	char *text;

	assert_int_equal(recorded(run), made);
	assert_in_range(step(run, "forwards"), 3 * SECOND_NS - STEP_SLACK_NS,
			3 * SECOND_NS + STEP_SLACK_NS);
	assert_in_range(step(run, "backwards"), 5 * SECOND_NS - STEP_SLACK_NS,
			5 * SECOND_NS + STEP_SLACK_NS);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses WHERE kind = 'clock-step'"),
			 2);
	/* The samples have it between two. */
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM (SELECT realtime_ns -"
				    " lag(realtime_ns) OVER (ORDER BY monotonic_raw_ns) AS r,"
				    " monotonic_raw_ns - lag(monotonic_raw_ns)"
				    " OVER (ORDER BY monotonic_raw_ns) AS m FROM clock_samples)"
				    " WHERE abs(r - m) > 1000000000"),
			 2);
	/* The launch during which the clock was set back. */
	assert_int_equal(loss(run, "backward-call"), 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE end_ns < start_ns"), 0);
	check_report(run, "backward-call");
	text = report(run);
	assert_non_null(strstr(text, "ns: the clock was set"));
	assert_non_null(strstr(text, "(forwards)"));
	assert_non_null(strstr(text, "(backwards)"));
	free(text);
}

TEST_RUN(test_a_clock_step_in_the_first_moment)
{
	run_scenario(run, "early-clock", clock_shim);
	assert_in_range(step(run, "backwards"), 2 * SECOND_NS - STEP_SLACK_NS,
			2 * SECOND_NS + STEP_SLACK_NS);
}

/* Where the file does not take a row that says it. */
static const char unwritten[] = " rows could not be written: ";

/* The loss is counted. Where the writer's commits fall is the scheduler's matter, and so the file can be
 * full to its last page, as in test_file_error_with_a_full_log, before all of it or the end is: then the
 * trace has no exit, and a line says so. */
static void check_full(const char *scenario)
{
	/* Looks come by the clock: how many rows they are is the machine's matter. */
	static const char *const without_looks[] = {"STREAMTRACE_HOST=0", NULL};
	struct run run;
	int made = run_full_scenario(&run, scenario, without_looks);

	assert_int_not_equal(recorded(&run), 0);
	assert_true(recorded(&run) < made);
	if (strcmp(run_text(&run, "SELECT value FROM metadata WHERE key = 'end'"), "exit") != 0) {
		assert_non_null(strstr(run.err, unwritten));
		run_end(&run);
		return;
	}
	assert_string_equal(run.err, "");
	/* Other rows are lost, too: call sites, the device's, and a few at each flush. A slow machine flushes more
	 * often. */
	assert_in_range(recorded(&run) + loss(&run, "file-error"), made, made + made / 100);
	check_only(&run, "file-error");
	check_report(&run, "file-error");
	run_end(&run);
}

/* RLIMIT_FSIZE: the write fails, and its signal is not for the program. */
TEST(test_file_error)
{
	check_full("full");
}

/* Not even a row fits that says it: the trace has no exit. */
TEST_RUN(test_file_error_with_a_full_log)
{
	run_full_scenario(run, "full-log", NULL);
	/* The limit is that of standard error, too. */
	assert_non_null(strstr(run->err, "streamtrace: "));
	assert_int_equal(recorded(run), 10);
	assert_string_not_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"),
				"exit");
}

/* The room that is left is for the last count. */
TEST(test_file_error_for_long)
{
	check_full("full-for-long");
}

/* The trace and what is beside it fill a disk: nothing is left of what could not begin, and what is lost is said,
 * in the file where there was room to reserve some. */
static void check_full_disk(int kilobytes)
{
	char disk[32];
	const char *const environment[] = {"LD_PRELOAD=" FULL_SHIM_PATH, disk, NULL};
	struct run run;
	int made;

	snprintf(disk, sizeof(disk), "DISK_BYTES=%d", kilobytes * 1024);
	run_start(&run, APP_PATH, "full-disk", true, environment);
	assert_int_equal(run.status, 0);
	assert_int_equal(sscanf(run.out, "made %d", &made), 1);
	if (strstr(run.err, ": the program runs untraced\n")) {
		assert_int_equal(run_file_count(&run), 0);
	} else {
		run_open(&run);
		if (recorded(&run) + loss(&run, "file-error") < made &&
		    (kilobytes >= ROOMY_KB || !strstr(run.err, unwritten)))
			fail_msg("%d KB: %d of %d calls and no word: %s", kilobytes,
				 (int)recorded(&run), made, run.err);
	}
	run_end(&run);
}

TEST(test_a_full_disk)
{
	for (int kilobytes = 180; kilobytes < 480; kilobytes += 23)
		check_full_disk(kilobytes);
}

TEST(test_file_error_without_a_thread_of_the_program)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* a thread of the sanitizer's own never ends */
#else
	check_full("full-to-the-end");
#endif
}

/* The calls after it are recorded, the driver's too; the one that never returned is counted. */
TEST(test_a_jump_out_of_a_call_silences_nothing)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* the sanitizer calls the handler late, where the stand-in holds its lock again */
#else
	struct run run;
	int made = run_scenario(&run, "jump", NULL);

	assert_int_equal(recorded(&run), made);
	assert_int_equal(loss(&run, "left-call"), 1);
	check_only(&run, "left-call");
	run_end(&run);
#endif
}

RUN_TESTS_BESIDE()
