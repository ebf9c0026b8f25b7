/* When the host first touches what copies brought, end to end on the stand-in device. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

/* As kinds of first_uses. */
enum { NEVER, READ, WRITTEN, SYSTEM_CALL, OVERWRITTEN, FREED, GIVEN_UP };

#define BYTES 1048576

/* A sanitizer has a heap, and a SIGSEGV handler, of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HAS_SANITIZER = 1 };
#else
enum { HAS_SANITIZER = 0 };
#endif
#if defined(__SANITIZE_THREAD__)
enum { HAS_THREAD_SANITIZER = 1 };
#else
enum { HAS_THREAD_SANITIZER = 0 };
#endif

static const char *const watching[] = {"LD_PRELOAD=" TOUCH_PATH, "STREAMTRACE_FIRST_USE=1", NULL};

/* The scenario does traced what it does untraced. */
static void trace_program(struct run *run, const char *program, const char *scenario,
			  const char *const *environment)
{
	struct run plain;

	run_start(&plain, program, scenario, false, NULL);
	run_start(run, program, scenario, true, environment);
	assert_int_equal(run->status, plain.status);
	assert_string_equal(run->out, plain.out);
	if (!HAS_SANITIZER) /* which names addresses and processes */
		assert_string_equal(run->err, plain.err);
	run_end(&plain);
}

static void trace_with(struct run *run, const char *scenario, const char *const *environment)
{
	trace_program(run, APP_PATH, scenario, environment);
}

static void trace_scenario(struct run *run, const char *scenario)
{
	trace_with(run, scenario, watching);
	assert_int_equal(run->status, 0);
	run_open(run);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'first_use'"),
			    "on");
}

static const char *kinds(struct run *run)
{
	return run_text(run, "SELECT group_concat(kind, ' ') FROM"
			     " (SELECT kind FROM first_uses ORDER BY touch_ns)");
}

static void expect_kinds(const char *scenario, const char *expected)
{
	struct run run;

	trace_scenario(&run, scenario);
	assert_string_equal(kinds(&run), expected);
	run_end(&run);
}

/* The only row: a whole buffer, of the copy and the wait that the program made. */
static void expect_one(struct run *run, const char *scenario, int kind)
{
	trace_scenario(run, scenario);
	assert_int_equal(run_number(run, "SELECT count(*) FROM first_uses"), 1);
	assert_int_equal(run_number(run, "SELECT kind FROM first_uses"), kind);
	assert_int_equal(run_number(run, "SELECT watched_bytes FROM first_uses"), BYTES);
	assert_int_equal(run_number(run, "SELECT count(*) FROM first_uses u"
					 " JOIN call_correlations k USING (correlation_id)"
					 " JOIN calls c ON c.id = k.call_id AND c.dst = u.address"
					 " JOIN named_calls n ON n.id = c.id AND n.class = 'copy'"),
			 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

static int64_t touched_after_ns(struct run *run)
{
	return run_number(run, "SELECT touch_ns - wait_ns FROM first_uses");
}

TEST_RUN(test_a_read_soon_after)
{
	expect_one(run, "soon", READ);
	assert_true(touched_after_ns(run) >= 0);
	/* Before the thread's next call, however long the machine took for that. */
	assert_int_equal(run_number(run, "SELECT touch_ns <= (SELECT min(c.start_ns) FROM calls c"
					 " WHERE c.thread_id = wait_thread_id"
					 " AND c.start_ns > wait_ns) FROM first_uses"),
			 1);
	assert_string_equal(run_text(run, "SELECT n.name FROM first_uses u JOIN named_calls n"
					  " ON n.thread_id = wait_thread_id"
					  " AND wait_ns BETWEEN n.start_ns AND n.end_ns"),
			    "cudaStreamSynchronize");
	/* The first byte of it, by an instruction of the program. */
	assert_int_equal(run_number(run, "SELECT touch_address - address FROM first_uses"), 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM first_uses u"
					 " JOIN call_sites s ON s.id = u.site_id AND s.depth = 1"
					 " JOIN frames f ON f.site_id = s.id"
					 " JOIN modules m ON m.id = f.module_id"
					 " WHERE m.path LIKE '%%first_use_app'"),
			 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM overheads WHERE kind = 16777216"),
			 2);
}

TEST_RUN(test_a_read_later)
{
	expect_one(run, "late", READ);
	assert_true(touched_after_ns(run) >= 20000000);
}

TEST_RUN(test_no_touch)
{
	expect_one(run, "never", NEVER);
	assert_int_equal(run_number(run, "SELECT touch_ns IS NULL FROM first_uses"), 1);
}

TEST(test_who_touches)
{
	struct run run;

	expect_one(&run, "written", WRITTEN);
	run_end(&run);
	expect_one(&run, "thread", READ);
	assert_int_equal(run_number(&run, "SELECT touch_thread_id <> wait_thread_id"
					  " FROM first_uses"),
			 1);
	run_end(&run);
	expect_one(&run, "cuda", READ);
	run_end(&run);
	expect_one(&run, "free_host", FREED);
	run_end(&run);
	expect_one(&run, "fwrite", SYSTEM_CALL);
	run_end(&run);
	expect_kinds("write", "3 3");
}

TEST_RUN(test_a_new_copy_ends_the_watch)
{
	expect_kinds("again", "4 1");
	trace_scenario(run, "not_waited");
	assert_string_equal(kinds(run), "4 1");
	assert_int_equal(run_number(run, "SELECT wait_ns IS NULL FROM first_uses WHERE kind = 4"),
			 1);
}

/* An event covers what was enqueued before it, no more. */
TEST_RUN(test_an_event)
{
	trace_scenario(run, "event");
	assert_string_equal(kinds(run), "1 1");
	assert_string_equal(run_text(run, "SELECT group_concat(n.name) FROM first_uses u"
					  " JOIN named_calls n ON n.thread_id = wait_thread_id"
					  " AND wait_ns BETWEEN n.start_ns AND n.end_ns"),
			    "cudaEventSynchronize,cudaDeviceSynchronize");
}

/* The copy is the wait; the first words of a block stand in a page that is the heap's. */
TEST(test_the_heap)
{
	struct run run;

	if (HAS_SANITIZER)
		skip();
	expect_one(&run, "heap", READ);
	run_end(&run);
	expect_kinds("freed", "5");
	expect_kinds("realloc", "6");
}

TEST(test_what_is_not_watched)
{
	struct run run;

	trace_scenario(&run, "small");
	assert_int_equal(run_number(&run, "SELECT count(*) FROM first_uses"), 0);
	assert_int_equal(run_number(&run, "SELECT count FROM losses"
					  " WHERE kind = 'first-use-small'"),
			 1);
	run_end(&run);
	trace_scenario(&run, "stack");
	assert_int_equal(run_number(&run, "SELECT count(*) FROM first_uses"), 0);
	run_end(&run);
}

TEST(test_blocked_signals)
{
	struct run run;

	expect_one(&run, "blocked", READ);
	run_end(&run);
	if (HAS_THREAD_SANITIZER)
		return; /* blocks every signal in every handler by itself */
	expect_one(&run, "in_handler", READ);
	run_end(&run);
}

TEST(test_faults_of_the_program)
{
	static const char *const scenarios[] = {"own_handler", "handler_exits", "crash",
						"crash_closed", "raise"};
	struct run run;

	for (size_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++) {
		trace_with(&run, scenarios[i], watching);
		if (i > 1 && !HAS_SANITIZER)
			assert_int_equal(WTERMSIG(run.status), SIGSEGV);
		run_end(&run);
	}
}

/* Calls into the kernel with watched memory, and about signals, have the results that they have untraced. */
TEST(test_the_program_cannot_tell)
{
	static const char *const scenarios[] = {"memory",    "files", "children", "vfork",
						"old-calls", "waits", "fetched"};
	struct run run;

	if (HAS_SANITIZER)
		skip(); /* it stands before the same functions */
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++) {
		trace_program(&run, UNTOLD_PATH, scenarios[i], watching);
		assert_int_equal(run.status, 0);
		run_open(&run);
		/* So that there was something to tell. */
		assert_int_not_equal(run_number(&run, "SELECT count(*) FROM first_uses"), 0);
		run_end(&run);
	}
}

TEST_RUN(test_a_forked_child)
{
	expect_one(run, "fork", READ);
	assert_true(touched_after_ns(run) >= 20000000);
}

TEST(test_memory_that_is_not_ours_any_more)
{
	if (HAS_SANITIZER)
		skip(); /* the fault is the sanitizer's, and it prints */
	expect_kinds("remapped", "3");
}

TEST_RUN(test_threads)
{
	trace_scenario(run, "threads");
	assert_int_equal(run_number(run, "SELECT count(*) FROM first_uses WHERE kind = 1"), 800);
}

/* Kernels that reach the heap must not find it closed. */
TEST(test_kernels_that_reach_the_heap)
{
	const char *const environment[] = {watching[0], watching[1], "FAKE_PAGEABLE_ACCESS=1",
					   NULL};
	struct run run;

	if (HAS_SANITIZER)
		skip();
	trace_with(&run, "launch", environment);
	run_open(&run);
	assert_int_equal(run_number(&run, "SELECT kind FROM first_uses"), GIVEN_UP);
	run_end(&run);
	expect_kinds("launch", "1");
}

/* Without the option nothing is watched, nor without the library that sees what is touched. */
TEST(test_off)
{
	const char *const alone[] = {watching[1], NULL}, *const off[] = {watching[0], NULL};
	struct run run;

	trace_with(&run, "soon", off);
	run_open(&run);
	assert_int_equal(run_number(&run, "SELECT (SELECT count(*) FROM first_uses)"
					  " + (SELECT count(*) FROM metadata"
					  " WHERE key = 'first_use')"),
			 0);
	run_end(&run);
	trace_with(&run, "soon", alone);
	run_open(&run);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM first_uses"), 0);
	assert_non_null(strstr(run_text(&run, "SELECT value FROM metadata WHERE key = 'first_use'"),
			       "libstrace_touch.so is not loaded"));
	run_end(&run);
}

/* The call site of a copy in the first trace selects its copies in the second run. */
TEST(test_chosen_sites)
{
	char chosen[4096];
	const char *const environment[] = {watching[0], chosen, NULL};
	struct run run;

	trace_scenario(&run, "two_sites");
	assert_string_equal(kinds(&run), "1 1");
	snprintf(chosen, sizeof(chosen), "STREAMTRACE_FIRST_USE=%s",
		 run_text(&run,
			  "SELECT '/no/such/module:10,' || m.path || ':' ||"
			  " printf('%%x', f.offset) FROM named_calls n"
			  " JOIN frames f ON f.site_id = n.site_id AND f.depth = 0"
			  " JOIN modules m ON m.id = f.module_id WHERE n.name = 'cudaMemcpy'"));
	run_end(&run);
	trace_with(&run, "two_sites", environment);
	run_open(&run);
	assert_string_equal(run_text(&run, "SELECT group_concat(n.name) FROM first_uses"
					   " JOIN call_correlations k USING (correlation_id)"
					   " JOIN named_calls n ON n.id = k.call_id"),
			    "cudaMemcpy");
	run_end(&run);
}

static void run_in(const struct run *run, const char *format, ...)
{
	char command[2048], text[1600];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	snprintf(command, sizeof(command), "cd %s && %s", run->folder, text);
	assert_int_equal(system(command), 0);
}

/* The commands of docs/use/first-use.md: what the first run could not tell the second one does. With
 * --all: how much of the run the waits are depends on what else the machine does. */
TEST_RUN(test_a_second_run)
{
	trace_with(run, "loop", NULL);
	run_in(run, "%s report trace.db >first", CLI_PATH);
	run_in(run, "grep -q '  - sync-in-loop: ' first");
	run_in(run,
	       "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 LD_LIBRARY_PATH=%s"
	       " %s run --no-measure --first-use=trace.db -o second.db --"
	       " %s loop >/dev/null 2>&1",
	       FAKE_FOLDER, CLI_PATH, APP_PATH);
	run_in(run, "mv second.db trace.db");
	run_open(run);
	assert_string_equal(kinds(run), "1 1 1");
	run_in(run, "%s report --all trace.db | tr -s ' \\n' ' ' >second", CLI_PATH);
	run_in(run, "grep -q 'sync-in-loop' second");
	run_in(run, "grep -q '; removable: ' second");
	run_in(run, "grep -q 'cudaStreamSynchronize at .*: 2 removable' second");
}

RUN_TESTS_BESIDE()
