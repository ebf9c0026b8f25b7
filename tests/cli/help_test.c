/*
 * Usage, help and explanations, and output that cannot be written.
 */
#include "outcome.h"

#include <fcntl.h>

TEST_IN_FOLDER(test_usage)
{
	check_outcome(RUN("--help"), 0, "Commands:", "");
	check_outcome(RUN("--version"), 0, "streamtrace " STREAMTRACE_VERSION, "");
	check_outcome(RUN("report", "--help"), 0, "Usage: streamtrace report", "");
	check_outcome(RUN("run", "--help"), 0, "Usage: streamtrace run", "");
	check_outcome(RUN("info", "--help"), 0, "Usage: streamtrace info", "");
	check_outcome(run_file(CLI_PATH, (char *[]){"streamtrace", NULL}), 2, "", "Commands:");
	check_outcome(RUN("frobnicate"), 2, "", "unknown command 'frobnicate'");
	check_outcome(RUN("report"), 2, "", "report needs a trace");
	check_outcome(RUN("report", "--format=xml", "x"), 2, "", "must be one of text|json");
	check_outcome(RUN("report", "--frobnicate"), 2, "", "frobnicate");
	check_outcome(RUN("info"), 2, "", "info needs a trace");
	check_outcome(RUN("run"), 2, "", "run needs a program");
	check_outcome(RUN("run", "-x", "true"), 2, "", "x");
	check_outcome(RUN("run", "--output=", "true"), 2, "",
		      "--output=: the value must be a name that is not empty\n");
	check_outcome(RUN("whatif", "x"), 2, "", "whatif needs --apply");
	check_outcome(RUN("whatif", "--apply=all"), 2, "", "whatif needs --apply and a trace");
	check_outcome(RUN("whatif", "--apply=all", "x", "y"), 2, "", "unexpected argument 'y'");
}

/* What was mistyped, and what was meant. */
TEST_IN_FOLDER(test_did_you_mean)
{
	char report[300];

	check_outcome(RUN("reprot", "x"), 2, "",
		      "unknown command 'reprot': did you mean 'report'?");
	check_outcome(RUN("rep"), 2, "", "did you mean 'report'?");
	check_outcome(RUN("report", "--fromat=json", "x"), 2, "",
		      "--fromat=json is no option, or the beginning of several: did you mean "
		      "'format'?");
	check_outcome(RUN("report", "--format=jsno", "x"), 2, "", "did you mean 'json'?");
	check_outcome(RUN("explain", "pageable-cpoy"), 2, "", "did you mean 'pageable-copy'?");
	check_outcome(RUN("frobnicate"), 2, "", "'frobnicate': see streamtrace --help");
	check_outcome(RUN("/bin/true"), 2, "", "streamtrace run /bin/true runs and traces it");
	check_outcome(RUN("run", "--report", "html", "/bin/true"), 2, "",
		      "streamtrace run --report=html /bin/true");
	write_file(path, "no trace", 8);
	check_outcome(RUN(path), 3, "", path);
	snprintf(report, sizeof(report), "%s/app.nsys-rep", folder);
	rename(path, report);
	check_outcome(RUN(report), 3, "", "nsys export -t sqlite");
	unlink(report);
}

TEST_IN_FOLDER(test_explain)
{
	check_outcome(RUN("explain"), 0, "\ndefault-stream ", "");
	check_outcome(RUN("explain", "sync-in-loop"), 0, "\nIn Python\n", "");
	check_outcome(RUN("explain", "sync-in-loop"), 0, "samples/sync_in_loop.cu", "");
	check_outcome(RUN("explain", "pageable"), 2, "", "no finding has the id 'pageable'");
}

/* The same text whichever way it is asked for. */
TEST_IN_FOLDER(test_help)
{
	static char *const commands[] = {"run", "report", "whatif", "info", "help"};
	struct outcome asked = RUN("help"), flag = RUN("-h");

	check_status(&asked, 0);
	assert_string_equal(asked.out, flag.out);
	outcome_free(&asked);
	outcome_free(&flag);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		char start[64];

		asked = RUN("help", commands[i]);
		flag = RUN(commands[i], "--help");
		check_status(&asked, 0);
		check_status(&flag, 0);
		assert_string_equal(asked.out, flag.out);
		snprintf(start, sizeof(start), "Usage: streamtrace %s ", commands[i]);
		assert_memory_equal(asked.out, start, strlen(start));
		assert_string_equal(asked.errors, "");
		outcome_free(&asked);
		outcome_free(&flag);
	}
	check_outcome(RUN("help", "run"), 0, "-o, --output=FILE", "");
	check_outcome(RUN("help", "run"), 0, "STREAMTRACE_EXIT_TIMEOUT_MS=MS", "");
	check_outcome(RUN("help", "report"), 0, "--format=text|json", "");
	check_outcome(RUN("help", "frobnicate"), 2, "", "unknown command 'frobnicate'");
}

/* One line and exit status 3 where the output cannot be written. */
static void check_unwritable(int output, const char *why, char *const *arguments)
{
	struct outcome outcome = run_file_into(output, CLI_PATH, arguments);
	char expected[128];

	check_status(&outcome, 3);
	snprintf(expected, sizeof(expected), "streamtrace: standard output: %s\n", why);
	assert_string_equal(outcome.errors, expected);
	outcome_free(&outcome);
}

TEST_IN_FOLDER(test_output_that_cannot_be_written)
{
	char *const calls[][5] = {
		{"streamtrace", "report", path, NULL},
		{"streamtrace", "report", "--format=json", path, NULL},
		{"streamtrace", "whatif", "--apply=all", path, NULL},
		{"streamtrace", "info", path, NULL},
		{"streamtrace", "help", "--man", NULL},
		{"streamtrace", "run", "--help", NULL},
		{"streamtrace", "--version", NULL},
	};
	int full = open("/dev/full", O_WRONLY), ends[2];

	assert_int_not_equal(full, -1);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	build_trace(path, "overlap.sql", NULL);
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		check_unwritable(full, "No space left on device", calls[i]);
		check_unwritable(ends[1], "Broken pipe", calls[i]);
	}
	close(full);
	close(ends[1]);
}

RUN_TESTS(NULL, NULL)
