/* Python's frames in the trace, with the Python that is installed here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "preload_run.h"

enum { SKIPPED = 77 };

static const char *python;

static void trace_script(struct run *run, const char *loader)
{
	const char *const environment[] = {loader, NULL};

	run_start(run, python, SCRIPT_PATH, true, environment);
	if (!WIFEXITED(run->status) || WEXITSTATUS(run->status))
		fail_msg("status %#x: %s", (unsigned)run->status, run->err);
	assert_string_equal(run->err, "");
	run_open(run);
}

/* Of the call that came as number `call`, from 0 on. */
static const char *innermost(struct run *run, int call)
{
	return run_text(run,
			"SELECT coalesce(p.function || ' ' || p.line, 'none') FROM calls c"
			" LEFT JOIN python_frames p ON p.site_id = c.site_id AND p.depth = 0"
			" ORDER BY c.start_ns LIMIT 1 OFFSET %d",
			call);
}

/* The script's `site FUNCTION LINE` lines are the calls, one by one. Returns their number. */
static int check_sites(struct run *run)
{
	char expected[128];
	int count = 0, length;

	for (const char *line = run->out; *line; line += length, count++) {
		length = -1;
		sscanf(line, "site %127[^\n]\n%n", expected, &length);
		assert_true(length > 0);
		assert_string_equal(innermost(run, count), expected);
	}
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), count);
	return count;
}

static void check_frames(const char *loader)
{
	enum { CALLS = 10 };
	struct run run;

	trace_script(&run, loader);
	assert_int_equal(check_sites(&run), CALLS);
	/* The first call's, outwards. */
	assert_string_equal(run_text(&run, "SELECT group_concat(function) FROM"
					   " (SELECT * FROM python_frames WHERE site_id ="
					   " (SELECT site_id FROM calls ORDER BY start_ns LIMIT 1)"
					   " ORDER BY depth)"),
			    "Model.forward,<module>");
	assert_int_equal(run_number(&run, "SELECT count(*) FROM python_frames"
					  " WHERE file = '/nowhere/gr\u00f6\u00dfe_\u4e2d.py'"),
			 1);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM python_frames"
					  " WHERE file LIKE '%%/python_app.py'"
					  " AND function = 'Model.forward'"),
			 2);
	/* The same line again is the same call site, and a loop has one. */
	assert_int_equal(run_number(&run, "SELECT count(DISTINCT site_id) FROM calls"), CALLS - 3);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM calls WHERE api_path = 1"), CALLS);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM losses"), 0);
	run_end(&run);
}

/* Sets is_read, or says why not: the tests of the frames then have nothing to read. */
static bool python_is_read(void)
{
	struct run run;
	char status[256];
	bool is_read;

	trace_script(&run, "PYTHON_APP_LOADER=CDLL");
	snprintf(status, sizeof(status), "%s",
		 run_text(&run, "SELECT value FROM metadata WHERE key = 'python'"));
	is_read = !strncmp(status, "on: 3.", 6);
	print_message("%s\n", status);
	/* Never silently: another Python is named, and no frame made up. */
	assert_true(is_read || !strncmp(status, "Python ", 7));
	if (!is_read)
		assert_int_equal(run_number(&run, "SELECT count(*) FROM python_frames"), 0);
	run_end(&run);
	return is_read;
}

TEST(test_lines_without_the_gil)
{
	if (!python_is_read())
		skip();
	check_frames("PYTHON_APP_LOADER=CDLL");
}

TEST(test_lines_with_the_gil)
{
	if (!python_is_read())
		skip();
	check_frames("PYTHON_APP_LOADER=PyDLL");
}

int main(int argc, char **argv)
{
#ifdef __SANITIZE_THREAD__
	puts("skipped: the sanitizer wants to be there from the start");
	return SKIPPED;
#endif
	python = getenv("TEST_PYTHON");
	if (!python)
		python = "/usr/bin/python3";
	if (access(python, X_OK)) {
		printf("skipped: no %s\n", python);
		return SKIPPED;
	}

	return run_registered(argc, argv, NULL, NULL);
}
