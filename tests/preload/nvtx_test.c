/* NVTX ranges: what of them is in the trace, and that the program is not changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "preload_run.h"

enum { EXITED_0 = 0, DEEP = 100, MOST = 64, MANY = 200000, MANY_NAMES = 100 };

/* Ranges with what they are in: "inner<outer" of a thread, by their begin. */
#define NESTING                                                                                    \
	"SELECT group_concat(text) FROM (SELECT s.text || coalesce('<' || (SELECT o.text FROM"     \
	" nvtx_ranges p JOIN strings o ON o.id = p.name_id WHERE p.thread_id = r.thread_id AND"    \
	" p.id <> r.id AND p.start_ns <= r.start_ns AND coalesce(p.end_ns, r.end_ns) >= r.end_ns"  \
	" ORDER BY p.start_ns DESC LIMIT 1), '') AS text"                                          \
	" FROM nvtx_ranges r JOIN strings s ON s.id = r.name_id ORDER BY r.start_ns)"

#define NAMES                                                                                      \
	"SELECT group_concat(text) FROM (SELECT s.text FROM nvtx_ranges r"                         \
	" JOIN strings s ON s.id = r.name_id ORDER BY r.start_ns)"

static void start(struct run *run, const char *scenario, const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_int_equal(run->status, EXITED_0);
	assert_string_equal(run->err, "");
	run_open(run);
}

static void check_whole(struct run *run, const char *scenario)
{
	start(run, scenario, NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'nvtx'"), "on");
}

TEST_RUN(test_ranges_are_nested)
{
	check_whole(run, "nested");
	assert_string_equal(run_text(run, NESTING), "outer,inner<outer");
	/* The calls lie in them: the second set in both, the third in the outer one. */
	assert_string_equal(
		run_text(run, "SELECT group_concat(size_bytes) FROM calls c JOIN nvtx_ranges r ON"
			      " c.start_ns >= r.start_ns AND c.end_ns <= r.end_ns"
			      " AND c.thread_id = r.thread_id WHERE size_bytes IS NOT NULL"
			      " AND r.id = 1"),
		"2,4");
	assert_int_equal(run_number(run, "SELECT count(*) FROM nvtx_ranges WHERE is_pushed = 1"
					 " AND end_thread_id = thread_id AND domain_id IS NULL"
					 " AND color IS NULL"),
			 2);
}

TEST(test_the_program_reads_the_same)
{
	struct run traced, untraced;

	run_start(&untraced, APP_PATH, "nested", false, NULL);
	start(&traced, "nested", NULL);
	assert_string_equal(traced.out, untraced.out);
	run_end(&traced);
	run_end(&untraced);
}

TEST(test_ranges_wait_for_the_first_call)
{
	struct run run;

	check_whole(&run, "before");
	assert_string_equal(run_text(&run, NAMES), "waiting,open for ever,later");
	assert_int_equal(run_number(&run, "SELECT count(*) FROM nvtx_ranges r, calls c"
					  " WHERE r.end_ns IS NULL AND r.start_ns < c.start_ns"
					  " AND c.id = 1"),
			 2);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM nvtx_ranges WHERE end_ns IS NULL"),
			 2);
	run_end(&run);
	check_whole(&run, "waiting");
	assert_string_equal(run_text(&run, NAMES), "all");
	run_end(&run);
}

TEST_RUN(test_without_cuda_there_is_no_file)
{
	run_start(run, APP_PATH, "no-cuda", true, NULL);
	assert_int_equal(run->status, EXITED_0);
	assert_string_equal(run->err, "");
	assert_int_equal(run_file_count(run), 0);
}

TEST_RUN(test_domains_and_registered_strings)
{
	check_whole(run, "domains");
	assert_string_equal(run->out, "same 1\n");
	assert_string_equal(run_text(run, NAMES), "Größe 木 😀,registered");
	assert_string_equal(run_text(run, "SELECT s.text || ' ' || printf('%%x', r.color) || ' '"
					  " || d.text FROM nvtx_ranges r JOIN strings s"
					  " ON s.id = r.name_id JOIN strings d"
					  " ON d.id = r.domain_id"),
			    "registered ff336699 library");
	/* The one in the default domain ended first. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM nvtx_ranges a, nvtx_ranges b"
					 " WHERE a.id = 1 AND b.id = 2 AND a.start_ns <= b.start_ns"
					 " AND b.start_ns <= a.end_ns AND a.end_ns <= b.end_ns"),
			 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM nvtx_ranges WHERE name_id IS NULL"
					 " AND domain_id IS NULL AND end_ns IS NOT NULL"),
			 3);
}

TEST_RUN(test_started_ranges_end_on_any_thread)
{
	check_whole(run, "started");
	assert_string_equal(run->out, "ids differ 1\n");
	assert_string_equal(run_text(run, NAMES), "first,second");
	assert_int_equal(run_number(run, "SELECT count(*) FROM nvtx_ranges WHERE is_pushed = 0"
					 " AND end_ns >= start_ns"),
			 2);
	assert_int_equal(run_number(run, "SELECT count(*) FROM nvtx_ranges r JOIN strings s"
					 " ON s.id = r.name_id WHERE (s.text = 'first') ="
					 " (thread_id <> end_thread_id)"),
			 2);
}

TEST_RUN(test_threads_without_calls_have_ranges)
{
	check_whole(run, "threads");
	assert_string_equal(run_text(run, NESTING), "of main,of a thread,left open");
	/* The thread has ended, and main's range goes on. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM nvtx_ranges a, nvtx_ranges b WHERE"
					 " a.thread_id <> b.thread_id AND b.end_ns < a.end_ns"),
			 2);
	assert_int_equal(run_number(run, "SELECT count(DISTINCT thread_id) FROM nvtx_ranges"
					 " WHERE thread_id IN (SELECT id FROM threads)"),
			 2);
}

/* A lost end leaves its range open, a lost begin loses it. */
TEST_RUN(test_all_of_many_are_there_or_counted)
{
	int64_t rows, lost;

	start(run, "many", NULL);
	rows = run_number(run, "SELECT count(*) FROM nvtx_ranges WHERE end_ns >= start_ns");
	lost = run_number(run, "SELECT coalesce(sum(count), 0) FROM losses"
			       " WHERE kind = 'range-lost'");
	assert_true(rows <= MANY && rows + lost >= MANY);
	assert_int_equal(run_number(run, "SELECT count(DISTINCT s.text) FROM nvtx_ranges r"
					 " JOIN strings s ON s.id = r.name_id"
					 " WHERE s.text GLOB 'range [0-9]*'"),
			 MANY_NAMES);
}

TEST_RUN(test_long_names_are_kept_up_to_a_limit)
{
	check_whole(run, "names");
	assert_string_equal(run_text(run, "SELECT group_concat(length(s.text)) FROM nvtx_ranges r"
					  " JOIN strings s ON s.id = r.name_id ORDER BY r.id"),
			    "79,80,81,82,300,1023");
	assert_int_equal(run_number(run, "SELECT count(*) FROM strings WHERE text LIKE 'ee%%e...'"
					 " AND length(text) = 1023"),
			 1);
}

TEST_RUN(test_what_is_too_deep_is_counted)
{
	start(run, "deep", NULL);
	assert_int_equal(run_number(run, "SELECT count FROM losses WHERE kind = 'range-lost'"),
			 DEEP - MOST);
	assert_int_equal(
		run_number(run, "SELECT count(*) FROM nvtx_ranges WHERE end_ns >= start_ns"),
		MOST + 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM nvtx_ranges a JOIN nvtx_ranges b"
					 " ON b.id = a.id + 1 WHERE a.end_ns >= b.end_ns"),
			 MOST - 1);
}

TEST_RUN(test_only_ranges_of_windows_are_kept)
{
	static const char *const paused[] = {"STREAMTRACE_START=paused", NULL};

	start(run, "windows", paused);
	assert_string_equal(run_text(run, NAMES), "around,inside");
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

TEST_RUN(test_open_ranges_survive_a_kill)
{
	run_launch(run, APP_PATH, "killed", true, NULL);
	run_kill_flushed(run);
	run_open(run);
	assert_string_equal(run_text(run, NAMES), "killed,done");
	assert_string_equal(run_text(run, "SELECT group_concat(end_ns IS NULL) FROM nvtx_ranges"),
			    "1,0");
}

TEST_RUN(test_a_forked_child_begins_anew)
{
	check_whole(run, "fork");
	assert_string_equal(run_text(run, NAMES), "parent");
	assert_int_equal(run_file_count(run), 1);
}

TEST(test_another_library_stays_where_it_is)
{
	static const char *const theirs[] = {"NVTX_INJECTION64_PATH=/no/such/library.so", NULL};
	static const char *const off[] = {"STREAMTRACE_NVTX=0", NULL};
	struct run run;

	start(&run, "environment", theirs);
	assert_non_null(strstr(run.out, "path /no/such/library.so\n"));
	assert_int_equal(run_number(&run, "SELECT count(*) FROM nvtx_ranges"), 0);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM metadata WHERE key = 'nvtx' AND"
					  " value LIKE '%%NVTX_INJECTION64_PATH%%'"),
			 1);
	run_end(&run);
	start(&run, "environment", off);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM nvtx_ranges"), 0);
	assert_non_null(strstr(run.out, "path none\n"));
	run_end(&run);
}

/* Of the sets, those in the steps that were asked for, in one window. No bytes: there are no such steps, and no
 * trace. */
static void check_steps(const char *scenario, const char *const *environment, int bytes)
{
	struct run run;

	run_start(&run, APP_PATH, scenario, true, environment);
	assert_int_equal(run.status, EXITED_0);
	if (!bytes) {
		assert_int_equal(run_file_count(&run), 0);
		run_end(&run);
		return;
	}
	run_open(&run);
	assert_string_equal(run_text(&run, "SELECT group_concat(cause) FROM windows"), "step");
	assert_int_equal(run_number(&run, "SELECT coalesce(sum(size_bytes), 0) FROM named_calls"
					  " WHERE class = 'set'"),
			 bytes);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM metadata WHERE key = 'steps'"), 1);
	run_end(&run);
}

TEST(test_steps_are_windows)
{
	static const char *const some[] = {"STREAMTRACE_STEPS=3:5", NULL};
	static const char *const first[] = {"STREAMTRACE_STEPS=0:1", NULL};
	static const char *const inner[] = {"STREAMTRACE_STEPS=1:3", "STREAMTRACE_STEP=OPTIM",
					    NULL};
	static const char *const too_many[] = {"STREAMTRACE_STEPS=10:20", NULL};

	check_steps("steps", some, 8 + 16);
	check_steps("steps", first, 1);
	check_steps("steps", inner, 2 + 4);
	check_steps("steps", too_many, 0);
}

/* The last step that is asked for need not come; nor a name of the usual ones. */
TEST(test_started_steps_are_windows)
{
	static const char *const unnamed[] = {"STREAMTRACE_STEPS=3:30", NULL};
	static const char *const named[] = {"STREAMTRACE_STEPS=3:30", "STREAMTRACE_STEP=at last",
					    NULL};

	check_steps("started-steps", unnamed, 0);
	check_steps("started-steps", named, 8 + 16);
}

TEST_RUN(test_the_ranges_of_recorded_steps)
{
	static const char *const some[] = {"STREAMTRACE_STEPS=3:5", NULL};

	start(run, "steps", some);
	assert_string_equal(run_text(run, NAMES),
			    "train,Step 3,optimizer.step,Step 4,optimizer.step");
}

TEST_RUN(test_wrong_steps_are_said)
{
	static const char *const wrong[] = {"STREAMTRACE_STEPS=5:3", NULL};

	run_start(run, APP_PATH, "steps", true, wrong);
	assert_string_equal(run->err,
			    "streamtrace: STREAMTRACE_STEPS=5:3: the value must be two numbers"
			    " such as 100:110\n");
}

RUN_TESTS(NULL, NULL)
