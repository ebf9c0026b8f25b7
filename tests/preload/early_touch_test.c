/* What the host does to the memory of asynchronous copies before it has waited for them, end to end on the stand-in
 * device: the rows of copy_watches, and the races that the report makes of them. How the margins judge is tested in
 * tests/detectors/races. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

#define BYTES 1048576

/* A sanitizer has a heap, a memcpy() and a SIGSEGV handler of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HAS_SANITIZER = 1 };
#else
enum { HAS_SANITIZER = 0 };
#endif

static const char *const watching[] = {"LD_PRELOAD=" TOUCH_PATH, "STREAMTRACE_RACES=1", NULL};

/* Of Linux 5.9 to 5.18 registered memory is not watched (memory_kind.h). */
static bool watches_registered(void)
{
	struct utsname name;
	int major, minor;

	assert_int_equal(uname(&name), 0);
	assert_int_equal(sscanf(name.release, "%d.%d", &major, &minor), 2);
	return major * 100 + minor < 509 || major * 100 + minor >= 519;
}

/* The scenario does traced what it does untraced. */
static void trace_with(struct run *run, const char *scenario, const char *const *environment)
{
	struct run plain;

	run_start(&plain, APP_PATH, scenario, false, NULL);
	run_start(run, APP_PATH, scenario, true, environment);
	assert_int_equal(run->status, plain.status);
	assert_string_equal(run->out, plain.out);
	if (!HAS_SANITIZER) /* which names addresses and processes */
		assert_string_equal(run->err, plain.err);
	run_end(&plain);
}

static void trace_scenario(struct run *run, const char *scenario)
{
	trace_with(run, scenario, watching);
	assert_int_equal(run->status, 0);
	run_open(run);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'races'"), "on");
}

/* "source 2, result 7": how each watch ended. */
static const char *ends(struct run *run)
{
	return run_text(run,
			"SELECT group_concat(iif(is_source, 'source ', 'result ') || kind, ', ')"
			" FROM (SELECT * FROM copy_watches ORDER BY start_ns, id)");
}

/* What sed prints of the report. */
static char *report_of(struct run *run, const char *options, const char *sed)
{
	char command[512];
	static char text[4096];
	FILE *pipe;
	size_t length;

	snprintf(command, sizeof(command), "%s report --all %s %s | sed -n '%s'", CLI_PATH, options,
		 run->trace, sed);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	length = fread(text, 1, sizeof(text) - 1, pipe);
	text[length] = '\0';
	assert_int_equal(pclose(pipe), 0);
	return text;
}

/* The races' text in the report, certain or possible: how long the machine takes decides. */
static char *races_of(struct run *run)
{
	return report_of(run, "--format=json",
			 "s/^ *\"text\": \"\\(source\\|results\\|memory\\) /\\1 /p");
}

/* One watch that ends so, and a race with these words, or none. */
static void expect_race(const char *scenario, const char *end, const char *words)
{
	struct run run;

	trace_scenario(&run, scenario);
	assert_string_equal(ends(&run), end);
	if (words) {
		assert_non_null(strstr(races_of(&run), words));
		assert_int_equal(run_lines(races_of(&run)), 1);
		assert_int_equal(run_number(&run, "SELECT count(*) FROM copy_watches w"
						  " JOIN call_sites s ON s.id = w.site_id"),
				 1);
	} else {
		assert_string_equal(races_of(&run), "");
	}
	run_end(&run);
}

TEST(test_sources)
{
	expect_race("source_written", "source 2", "source written at ");
	expect_race("source_waited", "source 7", NULL);
	expect_race("source_read", "source 7", NULL);
	expect_race("source_filled", "source 3", "source overwritten by a system call at ");
	expect_race("source_by_thread", "source 2", "source written at ");
#ifndef __SANITIZE_THREAD__ /* runs handlers with SIGSEGV blocked */
	expect_race("source_by_handler", "source 2", "source written at ");
#endif
	expect_race("thread_waits", "source 7", NULL);
}

/* Which of the bytes the kernel uses is not known: possible at most. */
TEST(test_arguments_of_kernels)
{
	struct run run;

	expect_race("argument_written", "source 2", "memory given to kernel ");
	expect_race("argument_waited", "source 7", NULL);
	expect_race("argument_behind", "source 7", NULL);
	trace_scenario(&run, "argument_small");
	assert_int_equal(run_number(&run, "SELECT (SELECT count(*) FROM copy_watches)"
					  " + (SELECT count(*) FROM losses)"),
			 0);
	run_end(&run);
	trace_scenario(&run, "argument_again");
	assert_int_equal(run_number(&run, "SELECT count(*) FROM copy_watches"), 2);
	run_end(&run);
	trace_scenario(&run, "argument_written");
	assert_int_equal(
		run_lines(report_of(&run, "--format=json", "/\"certainty\": \"certain\"/p")), 0);
	assert_int_equal(run_number(&run,
				    "SELECT w.address = a.address AND w.watched_bytes = 1 << 20"
				    " FROM copy_watches w JOIN launch_arguments a"),
			 1);
	run_end(&run);
}

TEST(test_sources_that_go)
{
	if (!watches_registered())
		skip();
	expect_race("source_unmapped", "source 5", "source given back at ");
	expect_race("source_unmapped_later", "source 7", NULL);
	expect_race("source_discarded", "source 5", "source given back at ");
	if (!HAS_SANITIZER) {
		expect_race("source_freed", "source 5", "source given back at ");
		expect_race("source_freed_later", "source 7", NULL);
	}
	/* A new place or a new protection is no release. */
	expect_race("source_moved", "source 6", NULL);
	expect_race("source_protected", "source 6", NULL);
}

TEST(test_results)
{
	expect_race("result_read", "result 1", "results read at ");
	expect_race("result_waited", "result 7", NULL);
	expect_race("result_written", "result 2", "results written at ");
	expect_race("result_saved", "result 3", "results passed to a system call at ");
}

/* Whatever orders the two: a trace of it need not show whose wait it was. */
TEST(test_orders)
{
	struct run run;

	trace_scenario(&run, "ordered");
	assert_string_equal(ends(&run), "source 7, source 7, source 7, source 2, source 4");
	assert_string_equal(races_of(&run), "");
	run_end(&run);
#ifndef __SANITIZE_THREAD__ /* the stand-in device copies when a copy is enqueued: to it that is a race */
	trace_scenario(&run, "host_functions");
	assert_int_equal(run_number(&run, "SELECT count(*) FROM copy_watches"), 3);
	assert_string_equal(races_of(&run), "");
	run_end(&run);
#endif
	expect_race("in_place", "source 4, result 7", NULL);
}

TEST(test_the_end_is_no_order)
{
	struct run run;

	trace_scenario(&run, "unordered");
	assert_non_null(strstr(races_of(&run), "source written at "));
	assert_non_null(strstr(races_of(&run), " after its copy ("));
	run_end(&run);
}

/* The caller of memcpy(), whose own lines nobody can change. */
TEST_RUN(test_the_line_that_called_libc)
{
	trace_scenario(run, "source_copied_over");
	assert_string_equal(ends(run), "source 2");
	if (HAS_SANITIZER)
		return;
	assert_int_equal(run_number(run, "SELECT count(*) FROM copy_watches w"
					 " JOIN frames f ON f.site_id = w.site_id AND f.depth = 1"
					 " JOIN modules m ON m.id = f.module_id"
					 " WHERE m.path LIKE '%%early_touch_app'"),
			 1);
	assert_non_null(strstr(races_of(run), "early_touch_app.c:"));
}

TEST(test_copies_that_share_pages)
{
	struct run run;

	trace_scenario(&run, "shared_page");
	/* The first page is given back at the wait, the shared ones are not. */
	assert_string_equal(ends(&run), "source 7, source 2");
	assert_int_equal(run_number(&run, "SELECT touch_address - address FROM copy_watches"
					  " WHERE kind = 2"),
			 4096);
	run_end(&run);
	trace_scenario(&run, "sent_twice");
	assert_string_equal(ends(&run), "source 2, source 2");
	run_end(&run);
}

/* What is not watched is counted. */
TEST(test_what_is_left_out)
{
	struct run run;

	trace_scenario(&run, "small");
	assert_int_equal(run_number(&run, "SELECT count(*) FROM copy_watches"), 0);
	assert_int_equal(run_number(&run, "SELECT count FROM losses WHERE kind = 'watch-small'"),
			 1);
	run_end(&run);
	trace_scenario(&run, "edges");
	assert_int_equal(run_number(&run, "SELECT watched_bytes FROM copy_watches"), 8192);
	assert_int_equal(run_number(&run, "SELECT touch_address - address FROM copy_watches"),
			 4088);
	run_end(&run);
	/* Read before its copy's call returns. */
	trace_scenario(&run, "pageable");
	assert_int_equal(run_number(&run, "SELECT (SELECT count(*) FROM copy_watches)"
					  " + (SELECT count(*) FROM losses)"),
			 0);
	run_end(&run);
	/* CUDA's own call is the trace's. */
	trace_scenario(&run, "free_host");
	assert_string_equal(ends(&run), "source 5");
	assert_int_equal(run_number(&run, "SELECT site_id IS NULL FROM copy_watches"), 1);
	run_end(&run);
	/* A call that is not interposed is made again. */
	trace_scenario(&run, "source_past_libc");
	assert_string_equal(ends(&run), "source 6");
	run_end(&run);
}

/* A device that goes by the host's page tables would meet the protection. */
TEST_RUN(test_host_page_tables)
{
	const char *const environment[] = {watching[0], watching[1], "FAKE_HOST_TABLES=1", NULL};

	trace_with(run, "source_written", environment);
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM copy_watches"), 0);
	assert_int_equal(run_number(run, "SELECT count FROM losses WHERE kind = 'watch-lost'"), 1);
}

TEST_RUN(test_a_fork)
{
	trace_scenario(run, "fork");
	assert_string_equal(ends(run), "source 7");
}

TEST_RUN(test_threads)
{
	trace_scenario(run, "threads");
	assert_int_equal(run_number(run, "SELECT count(*) FROM copy_watches"), 800);
	/* Half of the copies are waited for. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM copy_watches WHERE kind = 2"), 400);
}

TEST_RUN(test_a_crash)
{
	trace_with(run, "crash", watching);
	if (!HAS_SANITIZER) {
		assert_true(WIFSIGNALED(run->status));
		assert_int_equal(WTERMSIG(run->status), SIGSEGV);
	}
}

/* Both kinds of watches at once: the one ends where the other begins. */
TEST_RUN(test_with_first_uses)
{
	const char *const environment[] = {watching[0], watching[1], "STREAMTRACE_FIRST_USE=1",
					   NULL};

	trace_with(run, "result_waited", environment);
	run_open(run);
	assert_string_equal(ends(run), "result 7");
	assert_string_equal(run_text(run, "SELECT group_concat(kind) FROM first_uses"), "1");
}

/* NumPy and its like touch memory for Python: the line is Python's. */
TEST_RUN(test_python_touches)
{
	static const char python[] = "/usr/bin/python3";

	if (HAS_SANITIZER || access(python, X_OK))
		skip();
	run_start(run, python, PYTHON_APP_PATH, true, watching);
	assert_int_equal(run->status, 0);
	run_open(run);
	if (run_number(run, "SELECT value LIKE 'on: %%' FROM metadata WHERE key = 'python'"))
		assert_string_equal(
			run_text(run,
				 "SELECT p.line || char(10) FROM copy_watches w"
				 " JOIN python_frames p ON p.site_id = w.site_id AND p.depth = 0"
				 " WHERE w.kind = 2 AND p.function = 'fill'"),
			run->out);
}

/* To begin a watch, and to end it by a fault. */
TEST_RUN(test_what_it_costs)
{
	char cost[64];

	trace_scenario(run, "source_written");
	assert_int_equal(run_number(run, "SELECT count(*) FROM overheads WHERE kind = 16777218"),
			 2);
	assert_int_equal(run_number(run, "SELECT count(*) FROM overheads WHERE kind = 16777216"),
			 0);
	assert_non_null(strstr(report_of(run, "", "/--races/p"), "--races watched 1 copy: "));
	snprintf(cost, sizeof(cost), "\"cost_ns\": %lld\n",
		 (long long)run_number(run, "SELECT sum(end_ns - start_ns) FROM overheads"
					    " WHERE kind = 16777218"));
	assert_string_equal(report_of(run, "--format=json", "s/^ *\"cost_ns\"/\"cost_ns\"/p"),
			    cost);
}

TEST_RUN(test_without_the_library)
{
	const char *const environment[] = {"STREAMTRACE_RACES=1", NULL};

	trace_with(run, "source_written", environment);
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM copy_watches"), 0);
	assert_non_null(strstr(run_text(run, "SELECT value FROM metadata WHERE key = 'races'"),
			       "libstrace_touch.so is not loaded"));
}

RUN_TESTS_BESIDE()
