/* libstrace.so end to end: a program runs on the stand-in device, then its trace is asked. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "preload_run.h"

enum { EXITED_0 = 0, ALL_CALLS = 39 /* of the scenario "all" */ };

/* Runs a scenario traced, checks that it went well and in silence, opens the trace. */
static void trace_scenario(struct run *run, const char *scenario, const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_int_equal(run->status, EXITED_0);
	assert_string_equal(run->err, "");
	run_open(run);
}

static void check_column(sqlite3_stmt *row, int column, const char *expected)
{
	const unsigned char *text = sqlite3_column_text(row, column);

	if (strcmp(expected, "?") && strcmp(expected, text ? (const char *)text : "-"))
		fail_msg("call %lld (%s): %s is %s, not %s", sqlite3_column_int64(row, 10),
			 sqlite3_column_text(row, 0), sqlite3_column_name(row, column),
			 text ? (const char *)text : "NULL", expected);
}

/* Each `call` line of the program is the next row, and there are no others. Returns their
 * number. */
static int check_calls(struct run *run)
{
	static const char sql[] =
		"SELECT f.name, f.class, c.stream_handle, c.object, c.dst, c.src, c.size_bytes,"
		" c.result, c.per_thread_stream, c.thread_id, c.id"
		" FROM calls c JOIN functions f ON f.id = c.function_id ORDER BY c.start_ns, c.id";
	enum { COLUMNS = 10 };
	char fields[COLUMNS][64];
	sqlite3_stmt *row;
	int count = 0;

	assert_int_equal(sqlite3_prepare_v2(run->db, sql, -1, &row, NULL), SQLITE_OK);
	for (const char *line = run->out; (line = run_next_line(line, "call")); count++) {
		assert_int_equal(sscanf(line, "%63s %63s %63s %63s %63s %63s %63s %63s %63s %63s",
					fields[0], fields[1], fields[2], fields[3], fields[4],
					fields[5], fields[6], fields[7], fields[8], fields[9]),
				 COLUMNS);
		if (sqlite3_step(row) != SQLITE_ROW)
			fail_msg("%s (call %d) is not in the trace", fields[0], count + 1);
		for (int column = 0; column < COLUMNS; column++)
			check_column(row, column, fields[column]);
	}
	if (sqlite3_step(row) == SQLITE_ROW)
		fail_msg("%s is in the trace, and was not called", sqlite3_column_text(row, 0));
	sqlite3_finalize(row);
	return count;
}

/* The sum of the program's `operations` lines, by kind. */
static void count_operations(const struct run *run, int counts[3])
{
	int line_counts[3];

	memset(counts, 0, 3 * sizeof(*counts));
	for (const char *line = run->out; (line = run_next_line(line, "operations"));) {
		assert_int_equal(
			sscanf(line, "%d %d %d", &line_counts[0], &line_counts[1], &line_counts[2]),
			3);
		for (int i = 0; i < 3; i++)
			counts[i] += line_counts[i];
	}
}

static void check_all_matched(struct run *run)
{
	assert_int_equal(run_number(run, "SELECT sum(operations) - sum(matched)"
					 " FROM matched_operations"),
			 0);
}

static int64_t loss(struct run *run, const char *kind)
{
	return run_number(run, "SELECT coalesce(sum(count), 0) FROM losses WHERE kind = '%s'",
			  kind);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

TEST_RUN(test_each_call_is_recorded_once)
{
	const int64_t before_ns = now_ns();

	trace_scenario(run, "all", NULL);
	assert_int_equal(check_calls(run), ALL_CALLS);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM calls WHERE start_ns > end_ns"
				    " OR start_ns < %" PRId64 " OR end_ns > %" PRId64,
				    before_ns, now_ns()),
			 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE api_path <> 0"), 0);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM threads WHERE id = %d"
				    " AND name = 'preload_app'",
				    (int)run->pid),
			 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations WHERE kind = 1"
					 " AND local_bytes_per_thread IS NOT 1024"),
			 0);
}

TEST_RUN(test_each_operation_has_its_call)
{
	int counts[3];

	trace_scenario(run, "all", NULL);
	count_operations(run, counts);
	for (int kind = 1; kind <= 3; kind++)
		assert_int_equal(
			run_number(run, "SELECT count(*) FROM operations WHERE kind = %d", kind),
			counts[kind - 1]);
	check_all_matched(run);
	/* The right call, not only some call. */
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM operations o"
				    " JOIN call_correlations k USING (correlation_id)"
				    " JOIN named_calls c ON c.id = k.call_id"
				    " WHERE c.class <> CASE o.kind WHEN 1 THEN 'launch'"
				    " WHEN 2 THEN 'copy' ELSE 'set' END OR o.start_ns < c.start_ns"
				    " OR (o.kind <> 1 AND o.size_bytes <> c.size_bytes)"),
			 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations o JOIN strings s"
					 " ON s.id = o.name_id WHERE s.text = 'idle_kernel'"),
			 counts[0]);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations WHERE kind = 1"
					 " AND end_ns - start_ns = 2000"),
			 counts[0]);
}

TEST_RUN(test_the_rest_of_the_device_is_recorded)
{
	trace_scenario(run, "all", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM event_records"), 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM synchronizations"), 0);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'event_waits'"),
			    "calls");
	assert_string_equal(run_text(run, "SELECT group_concat(DISTINCT class) FROM (SELECT class"
					  " FROM calls JOIN functions f ON f.id = function_id"
					  " WHERE context_id = 1 ORDER BY class)"),
			    "device-sync,event-record,stream-sync,stream-wait-event");
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls JOIN functions f"
					 " ON f.id = function_id WHERE class = 'event-record'"
					 " AND result = 0 AND context_id IS NULL"),
			 0);
	/* cudaMalloc, cudaMallocManaged, cudaMallocHost, cudaHostAlloc, and back */
	assert_int_equal(run_number(run, "SELECT count(*) FROM allocations WHERE NOT is_release"),
			 4);
	assert_int_equal(run_number(run, "SELECT count(*) FROM allocations WHERE is_release"), 4);
	assert_int_equal(run_number(run, "SELECT count(*) FROM overheads WHERE kind = 262144"), 1);
	assert_int_not_equal(run_number(run, "SELECT count(*) FROM clock_samples"), 0);
}

/* Where calls of events are left out, CUPTI's records take their place. */
TEST_RUN(test_events_by_cupti)
{
	static const char *const environment[] = {"STREAMTRACE_EVENTS=0", NULL};

	trace_scenario(run, "all", environment);
	assert_int_equal(run_number(run, "SELECT count(*) FROM event_records"), 2);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM synchronizations s JOIN event_records e"
				    " USING (sync_id) WHERE s.type IN (1, 2)"
				    " AND s.event_id = e.event_id"),
			 2);
	assert_int_equal(run_number(run, "SELECT count(*) FROM synchronizations"), 4);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'event_waits'"),
			    "cupti");
}

TEST(test_the_program_behaves_as_before)
{
	struct run plain, traced;

	run_start(&plain, APP_PATH, "visible", false, NULL);
	run_start(&traced, APP_PATH, "visible", true, NULL);
	assert_true(WIFEXITED(plain.status));
	assert_int_equal(WEXITSTATUS(plain.status), 5);
	assert_int_equal(traced.status, plain.status);
	assert_string_equal(traced.out, plain.out);
	assert_string_equal(traced.err, plain.err);
	run_open(&traced);
	assert_int_equal(run_number(&traced, "SELECT count(*) FROM named_calls"
					     " WHERE name = 'cudaMemcpyAsync' AND result = 1"),
			 2);
	run_end(&plain);
	run_end(&traced);
}

TEST_RUN(test_verbose_speaks_on_stderr)
{
	static const char *const verbose[] = {"STREAMTRACE_VERBOSE=1", NULL};

	run_start(run, APP_PATH, "visible", true, verbose);
	assert_non_null(strstr(run->err, "streamtrace"));
	assert_null(strstr(run->out, "streamtrace"));
	assert_int_equal(WEXITSTATUS(run->status), 5);
}

TEST_RUN(test_an_unknown_option_is_reported)
{
	static const char *const unknown[] = {"STREAMTRACE_FOO=1", NULL};

	run_start(run, APP_PATH, "all", true, unknown);
	assert_int_equal(run->status, EXITED_0);
	assert_string_equal(run->err, "streamtrace: STREAMTRACE_FOO: there is no such variable\n");
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM metadata"
					 " WHERE value LIKE '%%STREAMTRACE_FOO%%'"),
			 1);
}

static void check_threads_are_timed(const char *scenario)
{
	struct run run;

	trace_scenario(&run, scenario, NULL);
	assert_int_equal(run_number(&run, "SELECT count(DISTINCT thread_id) FROM thread_times"),
			 run_number(&run, "SELECT count(DISTINCT thread_id) FROM calls"));
	assert_int_equal(run_number(&run,
				    "SELECT count(*) FROM thread_times t"
				    " WHERE end_ns <= start_ns OR cpu_ns <= 0 OR ready_ns < 0"
				    " OR runs < 0 OR start_ns > (SELECT max(end_ns) FROM calls c"
				    " WHERE c.thread_id = t.thread_id)"
				    " OR end_ns < (SELECT max(end_ns) FROM calls c"
				    " WHERE c.thread_id = t.thread_id)"),
			 0);
	assert_true(run_number(&run, "SELECT value FROM metadata WHERE key = 'host_cpus'") > 0);
	run_end(&run);
}

/* Those that have ended, and one that has not. */
TEST(test_threads_are_timed)
{
	if (access("/proc/self/schedstat", R_OK))
		skip();
	check_threads_are_timed("threads");
	check_threads_are_timed("all");
}

TEST_RUN(test_threads_lose_nothing_silently)
{
	int64_t recorded, lost;
	int thread, calls, threads = 0;

	trace_scenario(run, "threads", NULL);
	for (const char *line = run->out; (line = run_next_line(line, "thread")); threads++) {
		assert_int_equal(sscanf(line, "%d %d", &thread, &calls), 2);
		recorded =
			run_number(run, "SELECT count(*) FROM calls WHERE thread_id = %d", thread);
		lost = run_number(run,
				  "SELECT coalesce(sum(count), 0) FROM losses"
				  " WHERE kind = 'ring-overflow' AND thread_id = %d",
				  thread);
		print_message("thread %d: %" PRId64 " recorded, %" PRId64 " lost\n", thread,
			      recorded, lost);
		assert_int_equal(recorded + lost, calls);
		assert_int_not_equal(recorded, 0);
	}
	assert_int_equal(threads, 2);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"), 2 * (calls - 2));
	/* What the tracer took is measured now and then. */
	assert_in_range(run_number(run, "SELECT sum(calls) FROM tool_costs"), 1,
			2 * (calls / 33 + 1));
	assert_int_equal(run_number(run, "SELECT count(*) FROM tool_costs WHERE outside_ns <= 0"
					 " OR inside_ns <= 0 OR entry_ns > inside_ns"
					 " OR api_path <> 0 OR class <> 'launch'"),
			 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls a JOIN calls b"
					 " ON a.correlation_id = b.correlation_id AND a.id < b.id"),
			 0);
}

static void check_fork(const char *scenario, int files)
{
	struct run run;

	/* A child must not wait at its exit for a writer that only its parent has: for an hour. */
	trace_scenario(&run, scenario, NULL);
	assert_non_null(strstr(run.out, "child 3\n"));
	assert_int_equal(check_calls(&run), 2);
	assert_int_equal(
		run_number(&run, "SELECT count(*) FROM threads WHERE id <> %d", (int)run.pid), 0);
	assert_string_equal(run_text(&run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
	sqlite3_close(run.db);
	run.db = NULL;
	assert_int_equal(run_file_count(&run), files);
	run_end(&run);
}

TEST(test_a_fork_leaves_the_trace_to_the_parent)
{
	check_fork("fork", 1);
	check_fork("fork-with-a-call", 2);
}

TEST(test_an_unwritable_output_changes_nothing)
{
	static const char *const unwritable[] = {"STREAMTRACE_OUTPUT=missing/folder/trace.db",
						 "STREAMTRACE_QUIET=1", NULL};
	struct run plain, traced;

	run_start(&plain, APP_PATH, "visible", false, NULL);
	run_start(&traced, APP_PATH, "visible", true, unwritable);
	assert_int_equal(traced.status, plain.status);
	assert_string_equal(traced.out, plain.out);
	assert_string_equal(traced.err, plain.err);
	assert_int_equal(run_file_count(&traced), 0);
	run_end(&plain);
	run_end(&traced);
}

TEST_RUN(test_untimed_operations_are_counted)
{
	static const char *const untimed[] = {"FAKE_ZERO_TIMESTAMPS=1", NULL};
	int counts[3];

	trace_scenario(run, "all", untimed);
	count_operations(run, counts);
	assert_int_equal(loss(run, "untimed"), (counts[0] + counts[1] + counts[2]) / 3);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"
					 " WHERE start_ns IS NULL AND end_ns IS NULL"),
			 loss(run, "untimed"));
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations WHERE start_ns = 0"), 0);
	check_all_matched(run);
}

TEST_RUN(test_dropped_records_are_counted)
{
	static const char *const dropped[] = {"FAKE_DROPPED_RECORDS=42", NULL};

	trace_scenario(run, "all", dropped);
	assert_int_equal(loss(run, "cupti-dropped"), 42);
}

TEST_RUN(test_a_second_subscriber_is_said)
{
	static const char *const busy[] = {"FAKE_CUPTI_BUSY=1", NULL};

	run_start(run, APP_PATH, "all", true, busy);
	assert_int_equal(run->status, EXITED_0);
	run_open(run);
	assert_int_equal(run_lines(run->err), 1);
	assert_non_null(strstr(run->err, "another profiler"));
	assert_string_not_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'cupti'"),
				"on");
	assert_int_not_equal(loss(run, "cupti-error"), 0);
	assert_int_not_equal(run_number(run, "SELECT count(*) FROM losses"
					     " WHERE kind = 'cupti-error' AND detail <> ''"),
			     0);
	assert_int_equal(check_calls(run), ALL_CALLS);
}

/* The driver does not load us: CUPTI is started by the first call instead. */
TEST_RUN(test_without_injection)
{
	static const char *const refused[] = {"CUDA_INJECTION64_PATH=/nowhere/libother.so", NULL};
	int counts[3];

	trace_scenario(run, "all", refused);
	count_operations(run, counts);
	assert_int_equal(check_calls(run), ALL_CALLS);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"),
			 counts[0] + counts[1] + counts[2]);
	check_all_matched(run);
}

/* Another library's constructor called CUDA before ours ran: that is counted as lost, all later calls
 * and their operations are recorded. */
TEST_RUN(test_after_early_calls)
{
	static const char *const early[] = {"LD_PRELOAD=" EARLY_SHIM_PATH, NULL};
	int counts[3];

	trace_scenario(run, "all", early);
	count_operations(run, counts);
	assert_int_equal(check_calls(run), ALL_CALLS);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"),
			 counts[0] + counts[1] + counts[2]);
	assert_int_equal(run_number(run, "SELECT count FROM losses WHERE kind = 'early-call'"), 1);
	check_all_matched(run);
}

/* A traced parent has passed on where the driver finds us, and the driver loads us during the first
 * of these calls: both are recorded through CUPTI, which no wrapper could do. */
TEST_RUN(test_an_injection_during_an_early_call)
{
	static const char *const early[] = {"LD_PRELOAD=" EARLY_SHIM_PATH,
					    "CUDA_INJECTION64_PATH=" LIBSTRACE_PATH, NULL};

	trace_scenario(run, "all", early);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls JOIN functions f"
					 " ON f.id = function_id WHERE f.name = 'cuMemFree'"),
			 2);
}

TEST_RUN(test_the_file_describes_the_run)
{
	struct stat status;

	trace_scenario(run, "all", NULL);
	assert_int_equal(stat(run->trace, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'program'"),
			    "preload_app");
	assert_non_null(
		strstr(run_text(run, "SELECT value FROM metadata WHERE key = 'command_line'"),
		       "preload_app all"));
	assert_int_equal(run_number(run, "SELECT value FROM metadata WHERE key = 'process_id'"),
			 run->pid);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'cupti'"), "on");
	assert_int_equal(run_number(run, "SELECT value FROM metadata WHERE key = 'cupti_version'"),
			 130001);
	assert_int_equal(run_number(run, "SELECT null_stream_id FROM contexts WHERE id = 1"), 7);
	assert_int_equal(run_number(run, "SELECT copy_engines FROM devices WHERE id = 0"), 2);
	assert_string_equal(run_text(run, "SELECT name FROM devices WHERE id = 0"), "Fake GPU");
	assert_string_equal(run_text(run, "SELECT uuid FROM devices WHERE id = 0"),
			    "GPU-01234567-89ab-cdef-1032-547698badcfe");
	assert_int_equal(run_number(run, "SELECT link_bytes_per_s IS NULL FROM devices"), 1);
	assert_int_equal(run_number(run, "PRAGMA application_id"), 1398035011);
}

TEST_RUN(test_streams_are_described)
{
	long long handle;
	int flag, priority, streams = 0;

	trace_scenario(run, "all", NULL);
	for (const char *line = run->out; (line = run_next_line(line, "stream")); streams++) {
		assert_int_equal(sscanf(line, "%lld %d %d", &handle, &flag, &priority), 3);
		assert_int_equal(run_number(run,
					    "SELECT count(*) FROM streams WHERE handle = %lld"
					    " AND flag = %d AND priority = %d"
					    " AND created_ns < destroyed_ns",
					    handle, flag, priority),
				 1);
	}
	assert_int_equal(streams, 3);
	assert_int_equal(run_number(run, "SELECT flag FROM streams WHERE id = 7"), 3);
}

TEST_RUN(test_a_reused_handle_means_another_stream)
{
	trace_scenario(run, "reused-handle", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM streams"
					 " WHERE created_ns < destroyed_ns"),
			 3);
	/* Each launch ran in the stream that its handle meant at that time. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations o"
					 " JOIN call_correlations k USING (correlation_id)"
					 " JOIN calls c ON c.id = k.call_id"
					 " JOIN streams s ON s.handle = c.stream_handle"
					 " AND c.start_ns BETWEEN s.created_ns AND s.destroyed_ns"
					 " WHERE s.id = o.stream_id"),
			 3);
}

TEST_RUN(test_per_thread_twins_are_marked)
{
	trace_scenario(run, "per-thread", NULL);
	assert_int_equal(check_calls(run), 9);
	assert_int_equal(run_number(run, "SELECT count(*) FROM functions"
					 " WHERE name LIKE '%%\\_pt%%' ESCAPE '\\'"),
			 0);
	check_all_matched(run);
}

TEST_RUN(test_calls_past_the_wrappers_come_by_cupti)
{
	trace_scenario(run, "direct", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls c JOIN functions f"
					 " ON f.id = c.function_id WHERE c.api_path = 1"
					 " AND f.class = 'copy' AND c.size_bytes = 3000"
					 " AND c.copy_kind = 1 AND c.result = 0"),
			 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls c JOIN functions f"
					 " ON f.id = c.function_id WHERE c.api_path = 1"
					 " AND f.class = 'launch'"),
			 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE api_path = 1"), 2);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE api_path = 0"), 4);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"), 3);
	/* The stack goes through CUPTI and cudart; the first frame that is kept is the
	 * program's. */
	assert_int_equal(run_number(run, "SELECT count(DISTINCT f.offset) FROM calls c"
					 " JOIN frames f ON f.site_id = c.site_id AND f.depth = 0"
					 " JOIN modules m ON m.id = f.module_id"
					 " WHERE c.api_path = 1 AND m.path LIKE '%%/preload_app'"),
			 2);
	check_all_matched(run);
}

TEST_RUN(test_cudart_in_a_scope_of_its_own)
{
	run_start(run, HOST_PATH, PLUGIN_PATH, true, NULL);
	assert_int_equal(run->status, EXITED_0);
	assert_string_equal(run->err, "");
	run_open(run);
	assert_string_equal(run_text(run, "SELECT group_concat(name || ' ' || result)"
					  " FROM (SELECT * FROM named_calls ORDER BY start_ns)"),
			    "cudaMalloc 0,cudaMemset 0,cudaFree 0");
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"), 1);
	check_all_matched(run);
}

TEST_RUN(test_output_patterns_expand)
{
	static const char *const pattern[] = {"STREAMTRACE_OUTPUT=x.%h.%p.%n.%%.db", NULL};
	char host[256] = "";
	struct stat status;

	gethostname(host, sizeof(host) - 1);
	run_start(run, APP_PATH, "all", true, pattern);
	assert_int_equal(run->status, EXITED_0);
	assert_int_equal(run_file_count(run), 1);
	snprintf(run->trace, sizeof(run->trace), "%s/x.%s.%d.preload_app.%%.db", run->folder, host,
		 (int)run->pid);
	assert_int_equal(stat(run->trace, &status), 0);
	run_open(run);
}

TEST(test_without_cuda_nothing_happens)
{
	struct run run;

	run_start(&run, APP_PATH, "nothing", true, NULL);
	assert_int_equal(run.status, EXITED_0);
	assert_string_equal(run.out, "nothing\n");
	assert_string_equal(run.err, "");
	assert_int_equal(run_file_count(&run), 0);
	run_end(&run);
	/* A program that was never linked with cudart. */
	run_start(&run, "/bin/echo", "nothing", true, NULL);
	assert_int_equal(run.status, EXITED_0);
	assert_string_equal(run.out, "nothing\n");
	assert_string_equal(run.err, "");
	assert_int_equal(run_file_count(&run), 0);
	run_end(&run);
}

TEST_RUN(test_disabled_nothing_is_written)
{
	static const char *const disabled[] = {"STREAMTRACE_DISABLE=1", NULL};

	run_start(run, APP_PATH, "all", true, disabled);
	assert_int_equal(run->status, EXITED_0);
	assert_int_equal(run_file_count(run), 0);
}

TEST_RUN(test_a_killed_program_leaves_its_trace)
{
	run_launch(run, APP_PATH, "killed", true, NULL);
	run_kill_flushed(run);
	assert_true(WIFSIGNALED(run->status));
	run_open(run);
	assert_int_equal(check_calls(run), ALL_CALLS);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"),
			    "running");
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'log'"), "read");
}

/* Without its log the file is as it was created, or as the last checkpoint left it. */
TEST_RUN(test_a_file_without_its_log_says_so)
{
	char command[300];

	run_launch(run, APP_PATH, "killed", true, NULL);
	run_kill_flushed(run);
	snprintf(command, sizeof(command), "rm %s-wal %s-shm", run->trace, run->trace);
	assert_int_equal(system(command), 0);
	run_open(run);
	assert_string_equal(run_text(run, "SELECT count(*) FROM calls"), "0");
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'log'"),
			    "unread");
}

RUN_TESTS(NULL, NULL)
