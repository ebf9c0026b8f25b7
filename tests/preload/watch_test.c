/* The watch mode: which incidents are written, what is in them, and that nothing else is. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "facts/facts.h"
#include "facts/watch_page.h"
#include "preload_run.h"
#include "tests_beside.h"

enum { EXITED_0 = 0 };

#define WATCH "STREAMTRACE_MODE=watch"
/* A step of the program takes some 2 ms, a slow one 1.5 s: no busy machine makes another one slow. */
#define SLOW "STREAMTRACE_WATCH_SLOW=20000"

static const char *const watched[] = {WATCH, SLOW, NULL};

static void run_scenario(struct run *run, const char *scenario, const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_int_equal(run->status, EXITED_0);
	assert_string_equal(run->err, "");
}

static void open_incident(struct run *run, int number)
{
	sqlite3_close(run->db);
	snprintf(run->trace, sizeof(run->trace), "%s/trace.incident-%d.db", run->folder, number);
	run_open(run);
}

static bool has_file(const struct run *run, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", run->folder, name);
	return !access(path, F_OK);
}

static void check_metadata(struct run *run, const char *key, const char *value)
{
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = '%s'", key),
			    value);
}

/* The steps are without a gap, and each but the last has an end. */
static void check_steps(struct run *run, const char *how)
{
	assert_int_equal(run_number(run, "SELECT count(*) FROM steps WHERE how <> '%s'", how), 0);
	assert_int_equal(
		run_number(run, "SELECT max(number) - min(number) + 1 - count(*) FROM steps"), 0);
	assert_int_equal(
		run_number(run,
			   "SELECT count(*) FROM steps a JOIN steps b ON b.number = a.number + 1"
			   " WHERE a.end_ns IS NULL OR a.end_ns <> b.start_ns"),
		0);
	/* What a thread reads is known where the step is told on it. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM steps WHERE end_ns AND (read_bytes "
					 "IS NULL) <> (how = 'period')"),
			 0);
}

/* What was before the incident is there, and of what came then the operations, too. */
static void check_calls(struct run *run)
{
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
	/* CUPTI came too late to tell them. */
	assert_string_equal(
		run_text(run, "SELECT d.name || ' ' || multiprocessors || ' ' || null_stream_id"
			      " FROM contexts c JOIN devices d ON d.id = c.device_id"),
		"Fake GPU 64 7");
	assert_in_range(run_number(run, "SELECT count(*) FROM steps WHERE kind = 'normal'"), 1,
			INT32_MAX);
	/* Each normal step has its five calls, and none its operations. */
	assert_int_equal(
		run_number(
			run,
			"SELECT count(*) FROM steps s WHERE kind = 'normal' AND 5 <> (SELECT "
			"count(*)"
			" FROM calls c WHERE c.start_ns >= s.start_ns AND c.start_ns < s.end_ns)"),
		0);
	/* Each step that CUPTI recorded from begin to end has all its operations. */
	assert_in_range(
		run_number(run,
			   "SELECT count(*) FROM steps s, incidents i WHERE i.id = 1"
			   " AND s.start_ns > i.device_start_ns AND s.end_ns <= i.device_end_ns"),
		5, INT32_MAX);
	assert_string_equal(
		run_text(run, "SELECT group_concat((c.start_ns - i.device_start_ns) / 1000 || ' us "
			      "after the begin, '"
			      " || (i.device_end_ns - c.end_ns) / 1000 || ' us before the end, "
			      "correlation '"
			      " || coalesce(c.correlation_id, 'unknown'), '; ')"
			      " FROM calls c, incidents i WHERE i.id = 1"
			      " AND c.start_ns > i.device_start_ns AND c.end_ns < i.device_end_ns"
			      " AND c.size_bytes AND NOT EXISTS (SELECT 1 FROM operations o"
			      " WHERE o.correlation_id = c.correlation_id)"),
		"");
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM operations o, incidents i WHERE i.id = 1"
				    " AND o.end_ns < i.noticed_ns"),
			 0);
}

static void check_contents(struct run *run)
{
	check_calls(run);
	assert_in_range(run_number(run, "SELECT count(*) FROM host_states WHERE start_ns < (SELECT "
					"noticed_ns FROM incidents"
					" WHERE id = 1)"),
			1, INT32_MAX);
}

static void check_slow_step(struct run *run, int incident, int step)
{
	open_incident(run, incident);
	check_metadata(run, "end", "incident");
	check_metadata(run, "cupti", "on");
	assert_string_equal(run_text(run, "SELECT cause FROM incidents"), "slow-step");
	assert_int_equal(
		run_number(run, "SELECT group_concat(number) FROM steps WHERE kind = 'slow'"),
		step);
	assert_int_equal(run_number(run, "SELECT step FROM incidents"), step);
	assert_in_range(run_number(run, "SELECT end_ns - start_ns FROM steps WHERE kind = 'slow'"),
			1500000000, INT64_MAX);
	assert_in_range(run_number(run, "SELECT median_ns FROM incidents"), 2000000, 1500000000);
}

TEST_RUN(test_slow_steps_are_incidents)
{
	const char *line;

	run_scenario(run, "slow", watched);
	line = run_next_line(run->out, "slow");
	check_slow_step(run, 1, atoi(line));
	check_steps(run, "step");
	check_contents(run);
	/* All that was normal since the start, but for those before the median was known. */
	assert_in_range(run_number(run, "SELECT normal_before FROM incidents"), 1, atoi(line));
	line = run_next_line(line, "slow");
	check_slow_step(run, 2, atoi(line));
	check_steps(run, "step");
	check_contents(run);
	assert_int_equal(run_file_count(run), 2);
}

/* How long thread PID was found in the state during the slow step, in ms. */
static long long ms_in_slow_step(struct run *run, int state)
{
	return run_number(run,
			  "SELECT coalesce(sum(min(h.end_ns, s.end_ns) - max(h.start_ns, "
			  "s.start_ns)), 0) / 1000000"
			  " FROM host_states h JOIN steps s ON s.start_ns < h.end_ns AND s.end_ns "
			  "> h.start_ns"
			  " JOIN incidents i ON i.step = s.number AND i.id = 1"
			  " WHERE h.thread_id = %d AND h.state = %d",
			  (int)run->pid, state);
}

/* Looks come near each other in a step that takes long, and each of them finds the thread asleep. */
TEST_RUN(test_a_slow_step_is_looked_at_closely)
{
	run_scenario(run, "slow", watched);
	open_incident(run, 1);
	assert_in_range(ms_in_slow_step(run, HOST_STATE_ASLEEP), 750, INT32_MAX);
	assert_in_range(ms_in_slow_step(run, HOST_STATE_STOPPED), 0, 300);
	assert_in_range(
		run_number(run,
			   "SELECT max(h.looks) FROM host_states h JOIN incidents i ON i.id = 1"
			   " JOIN steps s ON s.number = i.step AND h.start_ns < s.end_ns"
			   " AND h.end_ns > s.start_ns WHERE h.thread_id = %d",
			   (int)run->pid),
		20, INT32_MAX);
}

/* A program that is stopped is told from one that waits or works. */
TEST_RUN(test_a_stop_is_told)
{
	run_scenario(run, "stopped", watched);
	open_incident(run, 1);
	assert_in_range(ms_in_slow_step(run, HOST_STATE_STOPPED), 750, 1600);
}

TEST_RUN(test_ranges_of_nvtx_are_steps)
{
	run_scenario(run, "nvtx", watched);
	check_slow_step(run, 1, atoi(run_next_line(run->out, "slow")));
	check_steps(run, "nvtx");
	check_contents(run);
	assert_in_range(run_number(run, "SELECT count(*) FROM nvtx_ranges"), 5, INT32_MAX);
}

/* It tells no step: a call of each is found. */
TEST_RUN(test_the_period_of_the_calls_is_a_step)
{
	run_scenario(run, "period", watched);
	open_incident(run, 1);
	assert_string_equal(run_text(run, "SELECT cause FROM incidents"), "slow-step");
	check_steps(run, "period");
	check_contents(run);
	assert_int_equal(
		run_number(run, "SELECT count(*) FROM steps s JOIN incidents i ON i.step = s.number"
				" WHERE i.id = 1 AND s.kind = 'slow'"
				" AND s.end_ns - s.start_ns > 1500000000"),
		1);
}

/* What looks found of the thread before the incident was noticed. */
#define ROWS_BEFORE                                                                                \
	"FROM host_states h, incidents i WHERE h.thread_id = i.thread_id AND h.end_ns < "          \
	"i.noticed_ns"

/* The call has not returned when CUPTI goes off again. */
TEST_RUN(test_a_hang_is_told_with_its_call)
{
	static const char *const hangs[] = {WATCH, "STREAMTRACE_WATCH_HANG_MS=1500", NULL};

	run_scenario(run, "hang", hangs);
	open_incident(run, 1);
	check_metadata(run, "end", "incident");
	assert_string_equal(run_text(run, "SELECT i.cause || ' ' || f.name FROM incidents i"
					  " JOIN functions f ON f.id = i.function_id"),
			    "hang cudaStreamSynchronize");
	assert_int_equal(run_number(run, "SELECT thread_id FROM incidents"), run->pid);
	/* Until then nothing was suspicious, and looks were far apart: 10 ms, and not 0.5. A row of half a second is cut. */
	assert_in_range(run_number(run, "SELECT max(end_ns - start_ns) / 1000000 " ROWS_BEFORE),
			400, INT32_MAX);
	assert_in_range(run_number(run, "SELECT sum(looks) " ROWS_BEFORE), 2, INT32_MAX);
	assert_in_range(run_number(run, "SELECT sum(looks) * 5 / ((max(end_ns) - min(start_ns)) / "
					"1000000) " ROWS_BEFORE),
			0, 1);
	assert_in_range(run_number(run, "SELECT noticed_ns - entered_ns FROM incidents"),
			1500000000, INT64_MAX);
	/* hang(), called by scenario_hang(), called by main(): all of the program. */
	assert_int_equal(
		run_number(run,
			   "SELECT count(*) FROM incidents i JOIN frames f ON f.site_id = i.site_id"
			   " JOIN modules m ON m.id = f.module_id WHERE f.depth < 3"
			   " AND m.path LIKE '%%/watch_app'"),
		3);
	/* The launch before it is kept; the hung call has no row. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM named_calls WHERE class = 'launch'"),
			 1);
	assert_int_equal(
		run_number(run, "SELECT count(*) FROM named_calls WHERE class = 'stream-sync'"), 0);
	assert_int_equal(run_file_count(run), 1);
}

static void check_asked(struct run *run, const char *cause)
{
	open_incident(run, 1);
	assert_string_equal(run_text(run, "SELECT cause FROM incidents"), cause);
	assert_int_equal(run_number(run, "SELECT i.step = s.number FROM incidents i, steps s WHERE "
					 "s.kind = 'current'"),
			 1);
	check_steps(run, "step");
	check_contents(run);
	assert_string_equal(run->out, "");
	assert_int_equal(run_file_count(run), 1);
}

TEST_RUN(test_a_signal_makes_an_incident)
{
	static const char *const signals[] = {WATCH, SLOW, "STREAMTRACE_SIGNAL=SIGUSR2", NULL};

	run_scenario(run, "signal", signals);
	check_asked(run, "signal");
}

TEST_RUN(test_the_triggers_file_makes_an_incident)
{
	run_scenario(run, "trigger", watched);
	check_asked(run, "trigger");
}

TEST(test_incidents_are_bound)
{
	static const char *const hour[] = {WATCH, SLOW, "STREAMTRACE_WATCH_HOUR=1", NULL};
	static const char *const day[] = {WATCH, SLOW, "STREAMTRACE_WATCH_DAY=300000", NULL};
	struct run run;

	run_scenario(&run, "bounds", hour);
	assert_int_equal(run_file_count(&run), 1);
	run_end(&run);
	run_scenario(&run, "bounds", day);
	assert_int_equal(run_file_count(&run), 1);
	run_end(&run);
}

/* Someone else has CUPTI: it is left alone, and the rest is there. */
TEST_RUN(test_another_subscriber_keeps_cupti)
{
	static const char *const busy[] = {WATCH, SLOW, "FAKE_CUPTI_BUSY=1", NULL};

	run_scenario(run, "trigger", busy);
	open_incident(run, 1);
	assert_string_equal(run_text(run, "SELECT cause FROM incidents"), "trigger");
	assert_int_equal(run_number(run, "SELECT count(device_start_ns) FROM incidents"), 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"), 0);
	assert_in_range(run_number(run, "SELECT count(*) FROM calls"), 5, INT32_MAX);
	assert_int_equal(run_number(run, "SELECT value LIKE '%%MULTIPLE_SUBSCRIBERS%%' FROM "
					 "metadata WHERE key = 'cupti'"),
			 1);
}

TEST_RUN(test_an_exit_ends_the_incident)
{
	run_scenario(run, "exit-meanwhile", watched);
	open_incident(run, 1);
	check_metadata(run, "end", "exit");
	/* Each step that has ended has all its calls. The last one has those that work() made before the exit. */
	assert_int_equal(
		run_number(
			run,
			"SELECT count(*) FROM steps s WHERE end_ns AND 5 <> (SELECT count(*)"
			" FROM calls c WHERE c.start_ns >= s.start_ns AND c.start_ns < s.end_ns)"),
		0);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM calls c, steps s WHERE s.end_ns IS NULL"
				    " AND c.start_ns >= s.start_ns"),
			 10);
	assert_int_equal(run_file_count(run), 1);
}

TEST_RUN(test_a_kill_leaves_a_file_that_opens)
{
	/* The incident does not end in the 200 steps before the kill. */
	static const char *const long_one[] = {WATCH, SLOW, "STREAMTRACE_WATCH_STEPS=1000", NULL};

	run_start(run, APP_PATH, "killed-meanwhile", true, long_one);
	assert_true(WIFSIGNALED(run->status));
	assert_true(has_file(run, "trace.watch"));
	open_incident(run, 1);
	check_metadata(run, "end", "running");
	assert_string_equal(run_text(run, "SELECT cause FROM incidents"), "trigger");
	assert_in_range(run_number(run, "SELECT count(*) FROM steps WHERE kind = 'normal'"), 1,
			INT32_MAX);
	assert_in_range(run_number(run, "SELECT count(*) FROM calls"), 5, INT32_MAX);
}

/* The second program has the same process id and the same output. */
TEST_RUN(test_an_exec_ends_the_incident)
{
	run_scenario(run, "exec-meanwhile", watched);
	open_incident(run, 1);
	check_metadata(run, "end", "exec");
	open_incident(run, 2);
	check_metadata(run, "end", "incident");
	assert_string_equal(run_text(run, "SELECT cause FROM incidents"), "slow-step");
	assert_int_equal(run_file_count(run), 3);
}

TEST_RUN(test_a_forked_child_watches_itself)
{
	run_scenario(run, "fork", watched);
	assert_string_equal(run->out, "child 0\n");
	open_incident(run, 1);
	check_metadata(run, "end", "incident");
	/* The child's page is gone with it, the parent's, too. */
	assert_int_equal(run_file_count(run), 1);
}

/* With little memory, which is full before the first comparison, as the queue of host states is not. */
TEST_RUN(test_cupti_goes_on_and_off)
{
	static const char *const many[] = {WATCH,
					   SLOW,
					   "STREAMTRACE_WATCH_HOUR=3600",
					   "STREAMTRACE_HOST=0",
					   "STREAMTRACE_WATCH_MEMORY=1048576",
					   NULL};

	run_scenario(run, "again", many);
	assert_int_equal(run_file_count(run), 24);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__) /* they keep what is freed */
	assert_true(atoi(run_next_line(run->out, "grown")) < 512);
#endif
	assert_string_equal(run_next_line(run->out, "files"), "0\n");
	for (int i = 1; i <= 24; i += 7) {
		open_incident(run, i);
		check_metadata(run, "end", "incident");
		check_steps(run, "step");
		check_calls(run);
	}
}

/* Between streamtrace_stop() and streamtrace_start() nothing is watched, and no step that was interrupted is slow. */
TEST_RUN(test_a_program_pauses_the_watching)
{
	run_scenario(run, "paused", watched);
	assert_int_equal(atoi(run_next_line(run->out, "calls")), 0);
	open_incident(run, 1);
	assert_string_equal(run_text(run, "SELECT cause FROM incidents"), "slow-step");
	assert_in_range(run_number(run, "SELECT end_ns - start_ns FROM steps WHERE kind = 'slow'"),
			1500000000, INT64_MAX);
	assert_int_equal(run_file_count(run), 1);
}

TEST_RUN(test_regular_steps_leave_no_file)
{
	run_scenario(run, "quiet", watched);
	assert_int_equal(run_file_count(run), 0);
}

int main(void)
{
	return run_tests_beside(registered, registered_count, NULL);
}
