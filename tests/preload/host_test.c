/* What looks at a program's threads find, by each source, and what the trace says where they find nothing. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"
#include "facts/facts.h"

enum { WAVE_CALLS = 500, ROOM_ROWS = 65536, LEAST_LOOKS = 8 };

/* TSan's own thread wakes up often, and on a slow machine it runs long enough to be looked at. */
#ifdef __SANITIZE_THREAD__
enum { SANITIZER_THREADS = 1 };
#else
enum { SANITIZER_THREADS = 0 };
#endif

struct shown {
	int id;
	long offset;
};

/* The thread of which the program printed that name. */
static struct shown shown_of(const struct run *run, const char *name)
{
	const size_t length = strlen(name);
	struct shown shown = {0};

	for (const char *line = run->out; line && *line; line = strchr(line, '\n') + 1)
		if (!strncmp(line, "thread ", 7) && !strncmp(line + 7, name, length) &&
		    line[7 + length] == ' ')
			assert_int_equal(
				sscanf(line + 7 + length, "%d %ld", &shown.id, &shown.offset), 2);
	assert_int_not_equal(shown.id, 0);
	return shown;
}

/* Of all threads that the program named: ", ID, ID". */
static const char *shown_ids(const struct run *run)
{
	static char ids[256];
	size_t used = 0;
	int id;

	ids[0] = '\0';
	for (const char *line = run->out; *line; line = strchr(line, '\n') + 1)
		if (sscanf(line, "thread %*s %d", &id) == 1)
			used += (size_t)snprintf(ids + used, sizeof(ids) - used, ", %d", id);
	return ids;
}

static const char *status_of(struct run *run)
{
	return run_text(run, "SELECT value FROM metadata WHERE key = 'host_states'");
}

/* Looks that found the thread below that function. */
static int64_t looks_in(struct run *run, const struct shown *shown)
{
	return run_number(run,
			  "SELECT coalesce(sum(looks), 0) FROM host_states h WHERE thread_id = %d"
			  " AND EXISTS (SELECT 1 FROM frames f JOIN modules m ON m.id = f.module_id"
			  "  WHERE f.site_id = h.site_id AND m.path LIKE '%%/host_app'"
			  "  AND f.offset BETWEEN %ld AND %ld)",
			  shown->id, shown->offset, shown->offset + 200);
}

static int64_t looks_at(struct run *run, const char *thread)
{
	return run_number(run,
			  "SELECT coalesce(sum(looks), 0) FROM host_states WHERE thread_id = %d",
			  shown_of(run, thread).id);
}

/* Most looks found the thread so. name: of what it waited for; NULL: any. */
static void check_thread(struct run *run, const char *thread, enum host_state state,
			 const char *name)
{
	const struct shown shown = shown_of(run, thread);
	const int64_t looks = looks_at(run, thread);
	const int64_t so =
		run_number(run,
			   "SELECT coalesce(sum(looks), 0) FROM host_states h"
			   " LEFT JOIN strings s ON s.id = h.object_id"
			   " WHERE thread_id = %d AND state = %d AND (%d OR s.text = '%s')",
			   shown.id, (int)state, !name, name ? name : "");

	if (so * 2 <= looks)
		fail_msg("%s: %d of %d looks found it so", thread, (int)so, (int)looks);
}

static void check_sources(struct run *run)
{
	check_thread(run, "sleeps", HOST_STATE_ASLEEP, NULL);
	check_thread(run, "reads", HOST_STATE_INPUT, "pipe");
	check_thread(run, "locks", HOST_STATE_THREAD, "mutex");
	check_thread(run, "waits", HOST_STATE_THREAD, NULL);
	check_thread(run, "parent", HOST_STATE_CHILD, NULL);
	check_thread(run, "runs", HOST_STATE_RUNNING, NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
	assert_null(strstr(status_of(run), "not readable"));
	/* The threads of ours are not among them. */
	assert_in_range(run_number(run,
				   "SELECT count(DISTINCT thread_id) FROM host_states"
				   " WHERE thread_id NOT IN (%d%s)",
				   (int)run->pid, shown_ids(run)),
			0, SANITIZER_THREADS);
}

/* A sanitizer's functions stand between, whose frames are found from rbp. */
static void check_stacks(struct run *run)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	static const char *const names[] = {"sleeps", "reads", "locks", "waits", "parent", "runs"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct shown shown = shown_of(run, names[i]);

		/* Samples are not allowed everywhere. */
		if (!looks_in(run, &shown) &&
		    (strcmp(names[i], "runs") != 0 || !strcmp(status_of(run), "on")))
			fail_msg("%s: no stack has its function", names[i]);
	}
#endif
}

static void open_other(struct run *run, const char *name)
{
	sqlite3_close(run->db);
	run->db = NULL;
	snprintf(run->trace, sizeof(run->trace), "%s/%s", run->folder, name);
	run_open(run);
}

/* Runs the scenario until is_seen() says that enough was looked at: for longer where the machine is so busy that what looks,
 * which gives way to everybody, hardly runs. False: the app cannot do it here. */
static bool run_until(struct run *run, const char *scenario, bool (*is_seen)(struct run *run))
{
	static const char *const times[][2] = {
		{"SHOWN_TIMES=1"}, {"SHOWN_TIMES=5"}, {"SHOWN_TIMES=25"}};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (i)
			run_end(run);
		run_start(run, APP_PATH, scenario, true, times[i]);
		assert_int_equal(run->status, 0);
		if (strstr(run->out, "cannot"))
			return false;
		assert_string_equal(run->err, "");
		run_open(run);
		if (!strncmp(status_of(run), "on", 2) && is_seen(run))
			break;
	}
	assert_int_equal(strncmp(status_of(run), "on", 2), 0);
	return true;
}

static bool are_all_seen(struct run *run)
{
	static const char *const threads[] = {"sleeps", "reads",  "locks",
					      "waits",	"parent", "runs"};
	bool are_seen = true;

	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
		are_seen &= looks_at(run, threads[i]) >= LEAST_LOOKS;
	return are_seen;
}

static void check_scenario(const char *scenario)
{
	struct run run;

	run_until(&run, scenario, are_all_seen);
	check_sources(&run);
	check_stacks(&run);
	run_end(&run);
}

TEST(threads_are_found_at_what_they_do)
{
	check_scenario("sources");
}

TEST(few_descriptors_are_enough)
{
	check_scenario("few-files");
}

static bool is_worker_seen(struct run *run)
{
	return looks_at(run, "here") >= 4 * LEAST_LOOKS;
}

TEST(two_places_at_the_same_depth_are_two)
{
	struct shown here, there;
	struct run run;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip(); /* as in check_stacks() */
#endif
	run_until(&run, "two-places", is_worker_seen);
	here = shown_of(&run, "here");
	there = shown_of(&run, "there");
	/* Each lasts as long as the other. */
	assert_true(looks_in(&run, &here) > looks_in(&run, &there) / 4);
	assert_true(looks_in(&run, &there) > looks_in(&run, &here) / 4);
	run_end(&run);
}

TEST_RUN(nobody_looks_where_that_is_off)
{
	static const char *const off[] = {"STREAMTRACE_HOST=0", NULL};

	run_start(run, APP_PATH, "sources", true, off);
	assert_int_equal(run->status, 0);
	run_open(run);
	assert_string_equal(status_of(run), "off: STREAMTRACE_HOST=0");
	assert_int_equal(run_number(run, "SELECT count(*) FROM host_states"), 0);
}

/* What the writer opened would have a number of the program's for a moment. */
TEST_RUN(the_writer_opens_nothing_between_the_start_and_the_end)
{
	static const char *const off[] = {"STREAMTRACE_HOST=0", NULL};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip(); /* it opens files itself */
#endif
	run_start(run, APP_PATH, "nothing-opened", true, off);
	if (strstr(run->out, "cannot"))
		skip();
	assert_true(WIFSIGNALED(run->status));
	assert_int_equal(WTERMSIG(run->status), SIGKILL);
}

TEST_RUN(a_kill_does_not_take_all_of_a_long_row)
{
	enum { LEAST_NS = 400000000 };

	run_start(run, APP_PATH, "killed", true, NULL);
	assert_true(WIFSIGNALED(run->status));
	run_open(run);
	assert_true(run_number(run,
			       "SELECT coalesce(sum(end_ns - start_ns), 0) FROM host_states"
			       " WHERE thread_id = %d AND state = %d",
			       shown_of(run, "sleeps").id, (int)HOST_STATE_ASLEEP) > LEAST_NS);
	assert_int_equal(strncmp(status_of(run), "on", 2), 0);
}

TEST_RUN(more_threads_than_are_looked_at_are_said)
{
	enum { KEPT_MOST = 64 * 3 + 32 + 16 }; /* three files of 64 threads, 32 samples' */
	int kept = 0;

	run_start(run, APP_PATH, "crowd", true, NULL);
	assert_int_equal(run->status, 0);
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), WAVE_CALLS);
	assert_non_null(strstr(status_of(run), "of over 64 threads 64 at a time were looked at"));
	assert_int_equal(sscanf(run->out, "kept open %d", &kept), 1);
	assert_true(kept < KEPT_MOST);
	assert_true(run_number(run, "SELECT count(*) FROM host_states") > 0);
	assert_true(run_number(run, "SELECT count(*) FROM host_states") < ROOM_ROWS);
	/* What found no room is counted, and nothing else is lost. */
	assert_int_equal(
		run_number(run, "SELECT count(*) FROM losses WHERE kind <> 'host-state-lost'"), 0);
}

TEST_RUN(a_first_thread_that_has_ended_does_not_run)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* it has a thread of its own, which does not end */
#endif
	run_start(run, APP_PATH, "first-ended", true, NULL);
	assert_int_equal(run->status, 0);
	run_open(run);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
	/* It ended when the other began. */
	assert_true(run_number(run,
			       "SELECT coalesce(max(h.end_ns), 0) - min(c.start_ns)"
			       " FROM calls c LEFT JOIN host_states h ON h.thread_id = %d"
			       " WHERE c.thread_id = %d",
			       shown_of(run, "first").id, shown_of(run, "runs").id) < 600000000);
}

static bool is_child_seen(struct run *run)
{
	open_other(run, "trace.2.db");
	return looks_at(run, "sleeps") >= LEAST_LOOKS;
}

TEST(a_forked_child_is_looked_at_in_its_own_trace)
{
	struct run run;

#ifdef __SANITIZE_THREAD__
	skip(); /* its children start no thread */
#endif
	run_until(&run, "forked", is_child_seen);
	check_thread(&run, "sleeps", HOST_STATE_ASLEEP, NULL);
	assert_int_equal(strncmp(status_of(&run), "on", 2), 0);
	run_end(&run);
}

TEST(hidden_processes_hide_no_threads)
{
	struct run run;

	if (!run_until(&run, "hidden", are_all_seen)) {
		run_end(&run);
		print_message("not permitted here\n");
		skip();
	}
	/* The first one and the six that show something; what they do is the test above. */
	assert_in_range(run_number(&run, "SELECT count(DISTINCT thread_id) FROM host_states"), 5,
			7 + SANITIZER_THREADS);
	run_end(&run);
}

RUN_TESTS_BESIDE()
