/*
 * libstrace.so under programs that a tracer could harm, or that could harm a tracer: each scenario of
 * harm_app runs untraced and traced, as who runs the test and, where that is root, as nobody too. Traced
 * it must print and end the same, and the trace must be whole, or say that it is not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

enum {
	BESIDE = 1,  /* the log may be left beside the trace: killed, or not allowed to remove it */
	LACKS = 2,   /* calls may be missing: then there is a loss, or no end */
	NO_FILE = 4, /* nothing can be written */
	SAYS = 8,    /* in a line that it runs untraced, or what is lost */
	AS_IT_IS = 16,	/* as root and nobody alike, once is enough; or it takes long */
	BELOW = 32,	/* another program runs it, which may not be allowed to */
	ANY_CALLS = -1, /* as many as there was time for */
};

static const struct row {
	const char *scenario;
	int calls;
	const char *end; /* NULL: any */
	unsigned int flags;
} rows[] = {
	{"calls", 10, "exit", 0},
	{"crowd-direct", 64, "_exit", 0},
	{"crowd-quick", 64, "exit", 0},
	{"crowd-abort", 64, "abort", 0},
	{"crowd-mixed", 64, NULL, 0},
	{"key-destructors", 32, "exit", 0},
	{"cxx-thread-locals", 10, "exit", 0},
	{"late-atexit", 10, "exit", 0},
	{"early-atexit", 10, "exit", 0},
	{"cancel-deferred", ANY_CALLS, "exit", 0},
	{"cancel-pending", 10, "exit", 0},
	{"many-threads", 2000, "exit", AS_IT_IS},
	{"churn-and-forks", 2000001, "exit", AS_IT_IS},
	{"thread-names", 10, "exit", 0},
	{"coroutines", 10, "exit", 0},
	{"joins-at-exit", ANY_CALLS, "exit", 0},
	{"exit-in-a-host-function", 10, "exit", 0},

	{"alarms", 200000, "exit", 0},
	{"alarms-restart", 200000, "exit", AS_IT_IS},
	{"profiler", 200000, "exit", AS_IT_IS},
	{"exit-under-alarms", 10, "exit", 0},
	{"timer-jumps", 10, "exit", AS_IT_IS},
	{"all-blocked", 10, "exit", 0},
	{"all-ignored", 10, "exit", 0},
	{"signal-wait", 10, "exit", 0},
	{"crash", 10, NULL, BESIDE},
	{"crash-handled", 10, NULL, BESIDE},
	{"small-signal-stack", 10, "_exit", 0},
	{"stack-overflow", 10, "_exit", 0},
	{"calls-on-signal-stack", 10, "exit", 0},
	{"terminated", 10, NULL, BESIDE},
	{"stopped", ANY_CALLS, "exit", AS_IT_IS},
	{"closed-pipe", 10, NULL, BESIDE},
	{"generated-code", 10, "exit", 0},

	{"close-from", 10, NULL, LACKS | BESIDE | SAYS},
	{"close-range-unshared", 10, "exit", 0},
	{"close-before", 10, "exit", 0},
	{"take-all-descriptors", 80005, NULL, LACKS | BESIDE | SAYS},
	{"no-standard-files", 10, "exit", 0},
	{"reads-the-folder", 10, "exit", 0},
	{"removes-the-folder", 0, NULL, NO_FILE},
	{"renames-the-trace", 10, "exit", BESIDE},
	{"no-umask", 10, "exit", 0},
	{"new-root", 10, "exit", BESIDE},
	{"no-proc", 10, "exit", 0},
	{"no-tmp", 0, NULL, NO_FILE | SAYS},
	{"no-sys", 10, "exit", 0},
	{"drop-root-late", 10, "exit", BESIDE},
	{"drop-root-early", 0, NULL, NO_FILE | SAYS},
	{"drop-root-of-a-thread", 10, "exit", BESIDE},
	{"not-dumpable", 10, "exit", 0},
	{"no-new-privileges", 10, "exit", 0},
	{"namespaces", 10, "exit", 0},
	{"clone-of-memory", 10, "exit", 0},
	{"spawns", 10, "exit", 0},
	{"fork-storm", 10, "exit", 0},
	{"no-environment", 10, "exit", 0},
	{"odd-name", 10, "exit", 0},
	{"no-name", 10, "exit", 0},
	{"traced-by-parent", 10, "exit", 0},
	{"locked-memory", 10, "exit", AS_IT_IS},

	{"few-files", 10, "exit", 0},
	{"no-files", 0, NULL, NO_FILE | SAYS},
	{"no-more-files", 10, "exit", 0},
	{"no-file-size", 0, NULL, NO_FILE},
	{"small-file-size", 0, NULL, NO_FILE | SAYS},
	{"no-memory", 0, NULL, NO_FILE | SAYS},
	{"memory-of-a-mb", 0, NULL, NO_FILE | SAYS},
	{"memory-of-16-mb", 0, NULL, NO_FILE | SAYS},
	{"no-more-memory", 10, "exit", LACKS},
	{"no-data", 0, NULL, NO_FILE | SAYS},
	{"small-stack", 10, "exit", 0},
	{"endless-stack", 10, "exit", 0},
	{"no-locked-memory", 10, "exit", 0},
	{"no-processes", 0, NULL, NO_FILE | SAYS},
	{"low-priority", 10, "exit", 0},

	{"kill-early", 10, "exit", 0},
	{"kill-late", 10, "exit", 0},
	{"deny-open-early", 0, NULL, NO_FILE | SAYS},
	{"deny-open-late", 10, "exit", 0},
	{"deny-write-early", 0, NULL, NO_FILE | SAYS},
	{"deny-write-late", 10, NULL, LACKS | BESIDE | SAYS},
	{"deny-stat-early", 0, NULL, NO_FILE},
	{"deny-stat-late", 10, NULL, LACKS | BESIDE},
	{"deny-unlink-late", 10, "exit", BESIDE},
	{"deny-sync-early", 10, "exit", 0},
	{"deny-sync-late", 10, "exit", 0},
	{"deny-threads-early", 0, NULL, NO_FILE | SAYS},
	{"deny-threads-late", 10, "exit", 0},
	{"deny-maps-early", 0, NULL, NO_FILE | SAYS},
	{"deny-maps-late", 10, "exit", LACKS},
	{"deny-advice-early", 10, "exit", 0},
	{"deny-advice-late", 10, "exit", 0},
	{"deny-futex-late", 10, "exit", 0},
	{"deny-signals-early", 10, "exit", 0},
	{"deny-signals-late", 10, "exit", 0},
	{"deny-names-early", 10, "exit", 0},
	{"deny-names-late", 10, "exit", 0},
	{"deny-schedule-early", 10, "exit", 0},
	{"deny-schedule-late", 10, "exit", 0},
	{"deny-clocks-early", 10, "exit", 0},
	{"deny-clocks-late", 10, "exit", 0},
	{"deny-identity-early", 10, "exit", 0},
	{"deny-identity-late", 10, "exit", 0},
	{"deny-close-range", 10, "exit", AS_IT_IS},
	{"deny-own-table", 10, "exit", AS_IT_IS},

	{"watch-descriptors", 10, "exit", AS_IT_IS},
	{"quiet", 10, "exit", AS_IT_IS},
	{"own-perf-events", 10, "exit", 0},
	{"bare-threads", 10, "exit", AS_IT_IS},
	{"vanishing-stacks", 401, "exit", AS_IT_IS},
	{"real-time", 10, "exit", 0},
	{"first-thread-ends", 10, "exit", AS_IT_IS},
	{"thread-storm", 10000, "exit", AS_IT_IS},

	{"below-valgrind", 10, "exit", BELOW | AS_IT_IS},
	{"below-strace", 10, "exit", BELOW},
	{"below-setarch", 10, "exit", BELOW},
	{"below-setsid", 10, "exit", BELOW},
	{"below-taskset", 10, "exit", BELOW},
	{"below-chrt", 10, "exit", BELOW},
	{"below-unshare", 10, "exit", BELOW},
	{"below-gdb", 10, "exit", BELOW},
	{"below-perf", 10, "exit", BELOW},
	{"bound-now", 10, "exit", BELOW},
};

static const char untold[] = "off: /proc/self/task is not readable",
		  untold_later[] = "on: /proc/self/task was not readable for a part of the run";

/* What the trace says of the looks at threads; of other scenarios it may say anything. */
static const struct {
	const char *scenario, *status;
} looks[] = {
	{"new-root", untold_later},
	{"no-proc", untold},
	{"drop-root-late", untold_later},
	{"namespaces", untold},
	{"deny-close-range", "on"},
	{"deny-own-table", "off: close_range() and unshare() are forbidden"},
	{"watch-descriptors", "on"},
	{"quiet", "on"},
};

/* With a sanitizer's runtime in the program, which replaces functions that the library calls, too. */
static const struct row sanitized_rows[] = {
	{"calls", 10, "exit", AS_IT_IS},
	{"crowd-direct", 64, "_exit", AS_IT_IS},
	{"crowd-quick", 64, "exit", AS_IT_IS},
	{"key-destructors", 32, "exit", AS_IT_IS},
	{"cxx-thread-locals", 10, "exit", AS_IT_IS},
	{"late-atexit", 10, "exit", AS_IT_IS},
	{"cancel-deferred", ANY_CALLS, "exit", AS_IT_IS},
	{"joins-at-exit", ANY_CALLS, "exit", AS_IT_IS},
	{"exit-in-a-host-function", 10, "exit", AS_IT_IS},
	{"spawns", 10, "exit", AS_IT_IS},
	{"close-from", 10, NULL, AS_IT_IS | LACKS | BESIDE | SAYS},
	{"take-all-descriptors", 80005, NULL, AS_IT_IS | LACKS | BESIDE | SAYS},
};

static const char *const sanitized_apps[] = {
#ifdef ADDRESS_APP_PATH
	ADDRESS_APP_PATH,
#endif
#ifdef THREAD_APP_PATH
	THREAD_APP_PATH,
#endif
#ifdef UNDEFINED_APP_PATH
	UNDEFINED_APP_PATH,
#endif
	NULL,
};

static void check_calls(struct run *run, const struct row *row)
{
	const int64_t calls = run_calls(run, 0);
	const int64_t losses = run_number(run, "SELECT count(*) FROM losses");
	const bool has_end =
		!strcmp(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");

	if (row->calls != ANY_CALLS && calls != row->calls &&
	    !(row->flags & LACKS && calls < row->calls && (losses || !has_end)))
		fail_msg("%d calls are in the trace, not %d", (int)calls, row->calls);
	if (row->calls == ANY_CALLS)
		assert_int_not_equal(calls, 0);
	if (!(row->flags & LACKS))
		assert_int_equal(losses, 0);
}

/* It may say more: system calls are filtered, above all. */
static void check_status(struct run *run, const char *expected)
{
	char status[256];

	snprintf(status, sizeof(status), "%s",
		 run_text(run, "SELECT value FROM metadata WHERE key = 'host_states'"));
	status[strnlen(expected, sizeof(status) - 1)] = '\0';
	assert_string_equal(status, expected);
}

static void check_trace(struct run *run, const struct row *row)
{
	if (row->flags & NO_FILE) {
		assert_int_equal(run_file_count(run), 0);
		return;
	}
	if (!(row->flags & BESIDE))
		assert_int_equal(run_file_count(run), 1);
	run_open_as_it_is(run);
	check_calls(run, row);
	if (row->end)
		assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"),
				    row->end);
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (!strcmp(looks[i].scenario, row->scenario))
			check_status(run, looks[i].status);
}

static void check_words(const struct run *plain, const struct run *traced, const struct row *row)
{
	assert_string_equal(traced->out, plain->out);
	if (!(row->flags & SAYS)) {
		assert_string_equal(traced->err, plain->err);
		return;
	}
	assert_non_null(strstr(traced->err, row->flags & NO_FILE ? ": the program runs untraced\n"
								 : " rows could not be written: "));
	for (const char *line = traced->err; *line; line = strchr(line, '\n') + 1)
		assert_int_equal(strncmp(line, "streamtrace: ", 13), 0);
}

/* False: this cannot be tried here. */
static bool check_as(const char *program, const struct row *row, const char *const *environment)
{
	struct run plain, traced;
	bool can;

	run_launch(&plain, program, row->scenario, false, environment);
	run_launch(&traced, program, row->scenario, true, environment);
	run_wait(&plain);
	run_wait(&traced);
	can = strncmp(plain.out, "cannot: ", 8) != 0 && !(row->flags & BELOW && plain.status);
	if (can) {
		if (traced.status != plain.status)
			fail_msg("%s: status %x, not %x: %s%s", row->scenario,
				 (unsigned int)traced.status, (unsigned int)plain.status,
				 traced.out, traced.err);
		check_words(&plain, &traced, row);
		check_trace(&traced, row);
	} else {
		print_message("%s%s", plain.out, plain.err);
	}
	run_end(&plain);
	run_end(&traced);
	return can;
}

static void test_scenario(void **state)
{
	static const char *const as_nobody[] = {"HARM_AS_NOBODY=1", NULL};
	const struct row *row = *state;
	bool can = check_as(APP_PATH, row, NULL);

	if (!geteuid() && !(row->flags & AS_IT_IS))
		can |= check_as(APP_PATH, row, as_nobody);
	if (!can)
		skip();
}

/* With leaks looked for; the sanitizer's runtime wants to be the first library, and it is not; nor does it
 * sleep for a second at each exit. */
static void test_sanitized(void **state)
{
	static const char *const options[] = {"ASAN_OPTIONS=verify_asan_link_order=0",
					      "TSAN_OPTIONS=die_after_fork=0:atexit_sleep_ms=0",
					      NULL};
	const char *program = *state;

	for (size_t i = 0; i < sizeof(sanitized_rows) / sizeof(sanitized_rows[0]); i++)
		check_as(program, &sanitized_rows[i], options);
}

static void test_sanitizers_are_here(void **state)
{
	if (!sanitized_apps[0]) {
		print_message("the compiler has no sanitizers\n");
		skip();
	}
}

enum {
	ROWS = sizeof(rows) / sizeof(rows[0]),
	APPS = sizeof(sanitized_apps) / sizeof(sanitized_apps[0]) - 1,
};

int main(int argc, char **argv)
{
	static struct CMUnitTest tests[ROWS + APPS + 1];
	size_t count = 0;

	for (size_t i = 0; i < ROWS; i++)
		tests[count++] = (struct CMUnitTest){.name = rows[i].scenario,
						     .test_func = test_scenario,
						     .initial_state = (void *)&rows[i]};
	for (size_t i = 0; sanitized_apps[i]; i++)
		tests[count++] = (struct CMUnitTest){.name = strrchr(sanitized_apps[i], '/') + 1,
						     .test_func = test_sanitized,
						     .initial_state = (void *)sanitized_apps[i]};
	tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_sanitizers_are_here);
	return run_tests_beside(tests, count, argc > 1 ? argv[1] : NULL);
}
