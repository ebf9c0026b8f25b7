/*
 * Runs the streamtrace program: exit statuses, its one line on bad input, the keys of its JSON.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "facts/format.h"
#include "test_folder.h"

#include <elf.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a run of the program left behind. */
struct outcome {
	int status; /* as waitpid() gives it */
	char *out, *errors;
};

/* Runs file with arguments, in folder. output: where its standard output goes, instead of into
 * outcome.out; -1: nowhere else. */
static struct outcome run_file_into(int output, const char *file, char *const *arguments)
{
	char out[300], errors[300];
	struct outcome outcome;
	pid_t child;

	snprintf(out, sizeof(out), "%s/stdout", folder);
	snprintf(errors, sizeof(errors), "%s/stderr", folder);
	child = fork();
	if (child == 0) {
		if (!freopen(out, "w", stdout) || !freopen(errors, "w", stderr) || chdir(folder) ||
		    (output >= 0 && dup2(output, STDOUT_FILENO) < 0))
			_exit(99);
		setenv("LC_ALL", "C", 1);
		unsetenv("STREAMTRACE_OUTPUT");
		execv(file, arguments);
		_exit(99);
	}
	assert_int_equal(waitpid(child, &outcome.status, 0), child);
	outcome.out = read_file(out, NULL);
	outcome.errors = read_file(errors, NULL);
	unlink(out);
	unlink(errors);
	return outcome;
}

static struct outcome run_file(const char *file, char *const *arguments)
{
	return run_file_into(-1, file, arguments);
}

#define RUN(...) run_file(CLI_PATH, (char *[]){"streamtrace", __VA_ARGS__, NULL})

static void outcome_free(struct outcome *outcome)
{
	free(outcome->out);
	free(outcome->errors);
}

/* Ended by itself with that status. */
static void check_status(struct outcome *outcome, int status)
{
	if (!WIFEXITED(outcome->status) || WEXITSTATUS(outcome->status) != status)
		fail_msg("wait status %#x, not exit %d: %s", outcome->status, status,
			 outcome->errors);
}

/* report and info refuse the file with one line that names it and says expected. */
static void check_refused(const char *what, const char *expected)
{
	static char *const commands[] = {"report", "info"};
	char prefix[300];
	size_t i;

	snprintf(prefix, sizeof(prefix), "streamtrace: %s: ", path);
	for (i = 0; i < 2; i++) {
		struct outcome outcome = RUN(commands[i], path);
		const char *newline = strchr(outcome.errors, '\n');

		check_status(&outcome, 3);
		if (strncmp(outcome.errors, prefix, strlen(prefix)) != 0 || !newline ||
		    newline[1] || !strstr(outcome.errors, expected) || outcome.out[0])
			fail_msg("%s %s: '%s' where '%s' is expected; stdout '%s'", commands[i],
				 what, outcome.errors, expected, outcome.out);
		outcome_free(&outcome);
	}
}

TEST_IN_FOLDER(test_no_database)
{
	static const char text[] = "This is a text, and not a short one: it is longer than the one "
				   "hundred bytes that the header of a database has.\n";

	check_refused("missing", "No such file or directory");
	write_file(path, "", 0);
	check_refused("empty", "the file is empty");
	write_file(path, text, strlen(text));
	check_refused("text", "it is not a SQLite database");
	write_file(path, "SQLite format 3", 16);
	check_refused("a header's begin", "is truncated");
	unlink(path);
	mkdir(path, 0700);
	check_refused("directory", "is a folder without traces (*.db)");
	rmdir(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	check_refused("pipe", "not a regular file");
}

TEST_IN_FOLDER(test_truncated)
{
	char *bytes;
	size_t size;
	int i;

	build_trace(path, "overlap.sql", NULL);
	bytes = read_file(path, &size);
	for (i = 1; i < 50; i++) {
		write_file(path, bytes, size * (size_t)i / 50);
		check_refused("truncated", "is truncated");
	}
	write_file(path, bytes, size - 1);
	check_refused("truncated", "is truncated");
	free(bytes);
}

/* A killed program's file that was copied without its write-ahead log. */
TEST_IN_FOLDER(test_without_its_log)
{
	static const char unread[] = "INSERT OR REPLACE INTO metadata VALUES ('log', 'unread')";
	char log[300];
	struct outcome outcome;

	build_trace(path, "overlap.sql", unread);
	check_refused("copied without its log", "its log, which is missing");
	snprintf(log, sizeof(log), "%s-wal", path);
	write_file(log, "some of it", 10);
	outcome = RUN("info", path);
	check_status(&outcome, 0);
	outcome_free(&outcome);
	unlink(log);
	build_trace(path, "overlap.sql", "INSERT INTO metadata VALUES ('log', 'read')");
	outcome = RUN("info", path);
	check_status(&outcome, 0);
	outcome_free(&outcome);
}

/* Changes that make a valid trace wrong. %: the message must have this. */
static const struct {
	const char *sql, *expected;
} wrong[] = {
	{"PRAGMA application_id = 1", "written by another program"},
	{"PRAGMA user_version = 3000", "trace format 3.0, this streamtrace reads up to 2.x"},
	{"PRAGMA user_version = 0", "no valid trace format version"},
	{"PRAGMA user_version = -5", "no valid trace format version"},
	{"DROP TABLE metadata", "no such table: metadata"},
	{"DROP TABLE operations", "no such table: operations"},
	{"DROP TABLE losses", "no such table: losses"},
	{"ALTER TABLE calls RENAME COLUMN site_id TO place", "no such column: site_id"},
	{"DROP TABLE calls; CREATE TABLE calls (id)", "no such column"},
	{"UPDATE calls SET start_ns = 'noon' WHERE id = 2",
	 "table calls, row 2: start_ns is of a wrong type"},
	{"UPDATE calls SET start_ns = 0.5 WHERE id = 2", "start_ns is of a wrong type"},
	{"UPDATE calls SET start_ns = x'00' WHERE id = 2", "start_ns is of a wrong type"},
	{"UPDATE functions SET name = x'ff00'", "name is of a wrong type"},
	{"UPDATE functions SET id = 99 WHERE id = 1", "functions has no row 1"},
	{"DELETE FROM call_sites WHERE id = 2", "call_sites has no row 2"},
	{"DELETE FROM frames WHERE site_id = 2", "site 2 has 0 rows, not 1"},
	{"UPDATE frames SET depth = 1 WHERE site_id = 2", "depth is out of range: 1"},
	{"UPDATE frames SET module_id = 5", "modules has no row 5"},
	{"UPDATE frames SET line = -1", "line is out of range: -1"},
	{"UPDATE call_sites SET depth = -1", "depth is out of range: -1"},
	{"UPDATE operations SET name_id = 9 WHERE id = 2", "strings has no row 9"},
	{"INSERT INTO correlations VALUES (50, 77)", "calls has no row 77"},
	{"UPDATE calls SET size_bytes = -1 WHERE id = 2", "size_bytes is out of range: -1"},
	{"UPDATE operations SET size_bytes = -1 WHERE id = 1", "size_bytes is out of range: -1"},
	{"UPDATE operations SET kind = 4", "kind is out of range: 4"},
	{"UPDATE operations SET stream_id = -1", "stream_id is out of range: -1"},
	{"UPDATE operations SET end_ns = start_ns - 1", "it ends before it starts"},
	{"UPDATE calls SET end_ns = start_ns - 1 WHERE id = 5", "row 5: it ends before it starts"},
	{"UPDATE calls SET end_ns = 9223372036854775807", "end_ns is out of range"},
	{"UPDATE calls SET start_ns = -9223372036854775808", "start_ns is out of range"},
	{"UPDATE operations SET start_ns = -1", "start_ns is out of range"},
	{"UPDATE calls SET start_ns = 0, end_ns = 4611686018427387903", "sum of the durations"},
	{"UPDATE losses SET count = 1; INSERT INTO losses VALUES (1, 'untimed', "
	 "9223372036854775807, 0, NULL, NULL)",
	 "count is out of range"},
	{"CREATE TABLE f AS SELECT * FROM functions; DROP TABLE functions; ALTER TABLE f RENAME TO "
	 "functions; INSERT INTO functions SELECT * FROM functions",
	 "id 1 is a duplicate"},
	{"CREATE TABLE c AS SELECT * FROM calls; DROP TABLE calls; ALTER TABLE c RENAME TO calls; "
	 "INSERT INTO calls SELECT * FROM calls",
	 "id 1 is a duplicate or out of order"},
	{"CREATE TABLE o AS SELECT * FROM operations; DROP TABLE operations; ALTER TABLE o RENAME "
	 "TO operations; UPDATE operations SET id = 1",
	 "id 1 is a duplicate"},
	{"UPDATE event_records SET context_id = -7", "context_id is out of range: -7"},
	{"UPDATE synchronizations SET correlation_id = 'x'", "correlation_id is of a wrong type"},
};

TEST_IN_FOLDER(test_wrong_rows)
{
	char sql[1024];
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		snprintf(sql, sizeof(sql),
			 "DROP VIEW top_sites; DROP VIEW named_calls; DROP VIEW top_calls; DROP "
			 "VIEW top_operations;"
			 "DROP VIEW matched_operations; DROP VIEW call_correlations; "
			 "DROP VIEW node_calls; DROP VIEW named_host_functions; "
			 "DROP VIEW top_host_functions; %s",
			 wrong[i].sql);
		build_trace(path, "overlap.sql", sql);
		check_refused(wrong[i].sql, wrong[i].expected);
	}
}

TEST_IN_FOLDER(test_no_activity)
{
	struct outcome outcome;

	build_trace(path, NULL, NULL);
	outcome = RUN("report", path);
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.out, "No CUDA call was traced"));
	assert_string_equal(outcome.errors, "");
	outcome_free(&outcome);
	outcome = RUN("info", path);
	check_status(&outcome, 0);
	outcome_free(&outcome);
}

TEST_IN_FOLDER(test_losses_are_said)
{
	struct outcome outcome;

	build_trace(
		path, "overlap.sql",
		"INSERT INTO losses VALUES (1, 'ring-overflow', 5, 0, 1, NULL),"
		"(2, 'ring-overflow', 7, 0, 1, NULL), (3, 'cupti-error', 1, 0, NULL, 'code 39');"
		"UPDATE operations SET start_ns = NULL WHERE id = 3;"
		"UPDATE operations SET correlation_id = 999 WHERE id = 1;"
		"UPDATE metadata SET value = 'running' WHERE key = 'end';"
		"UPDATE metadata SET value = 'no libcupti.so was found' WHERE key = 'cupti'");
	outcome = RUN("report", path);
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.out, "12 calls were dropped"));
	assert_non_null(strstr(outcome.out, "1 CUPTI calls failed (code 39)"));
	assert_non_null(strstr(outcome.out, "1 GPU records have no time"));
	assert_non_null(strstr(outcome.out, "1 GPU operations have no matching call"));
	assert_non_null(strstr(outcome.out, "still running"));
	assert_non_null(strstr(outcome.out, "no libcupti.so was found"));
	outcome_free(&outcome);
}

/* A trace in which calls past the wrappers left no events says so, and why. */
TEST_IN_FOLDER(test_missing_events_are_said)
{
	static const struct {
		const char *sql, *why;
	} cases[] = {
		{"UPDATE calls SET api_path = 1 WHERE id = 1",
		 "(recorded by an older libstrace.so)"},
		{"UPDATE calls SET api_path = 1 WHERE id = 1;"
		 "INSERT INTO metadata VALUES ('events', 'wrappers')",
		 "(STREAMTRACE_EVENTS=0)"},
		{"UPDATE calls SET api_path = 1 WHERE id = 1;"
		 "INSERT INTO metadata VALUES ('events', 'all')",
		 NULL},
		{"INSERT INTO metadata VALUES ('events', 'wrappers')", NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct outcome outcome;

		build_trace(path, "overlap.sql", cases[i].sql);
		outcome = RUN("report", path);
		check_status(&outcome, 0);
		if (cases[i].why) {
			assert_non_null(
				strstr(outcome.out, "1 of 3 operations were not issued through"));
			assert_non_null(strstr(outcome.out, cases[i].why));
		} else {
			assert_null(strstr(outcome.out, "through the wrappers"));
		}
		outcome_free(&outcome);
	}
}

/* Every path of design section 9, and the type behind it: 's' text, 'i' number, 'a' list, 'n'
 * null. */
static const struct {
	const char *path;
	char type;
} keys[] = {
	{"schema_version", 'i'},
	{"trace.path", 's'},
	{"trace.program", 's'},
	{"trace.device", 's'},
	{"trace.driver", 's'},
	{"trace.events", 'i'},
	{"trace.lost_events", 'i'},
	{"trace.untimed_records", 'i'},
	{"headline.wall_ns", 'i'},
	{"headline.busy_ns.compute", 'i'},
	{"headline.busy_ns.h2d", 'i'},
	{"headline.busy_ns.d2h", 'i'},
	{"headline.overlapped_ns", 'i'},
	{"headline.lost_overlap_ns.low", 'i'},
	{"headline.lost_overlap_ns.high", 'i'},
	{"headline.lost_overlap_ns.estimate", 'i'},
	{"self_check.measured_ns", 'i'},
	{"self_check.replayed_ns", 'i'},
	{"self_check.error", 'r'},
	{"findings", 'a'},
	{"not_seen", 'a'},
};

static void check_key(const json_t *report, const char *key, char type)
{
	char name[64], *part, *rest = name;
	const json_t *value = report;

	snprintf(name, sizeof(name), "%s", key);
	while ((part = strsep(&rest, ".")))
		value = json_object_get(value, part);
	if (!value || (type == 's' && !json_is_string(value)) ||
	    (type == 'i' && !json_is_integer(value)) || (type == 'a' && !json_is_array(value)) ||
	    (type == 'r' && !json_is_real(value)))
		fail_msg("%s is missing or of another type", key);
}

TEST_IN_FOLDER(test_json)
{
	struct outcome outcome;
	json_error_t error;
	json_t *report;
	size_t i;

	build_trace(path, "overlap.sql",
		    "INSERT INTO losses VALUES (1, 'cupti-dropped', 5, 0, 1, NULL)");
	outcome = RUN("report", "--format=json", path);
	check_status(&outcome, 0);
	report = json_loads(outcome.out, 0, &error);
	assert_non_null(report);
	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		check_key(report, keys[i].path, keys[i].type);
	assert_int_equal(json_integer_value(
				 json_object_get(json_object_get(report, "trace"), "lost_events")),
			 5);
	json_decref(report);
	outcome_free(&outcome);
	outcome = RUN("report", "--format", "json", path, path);
	report = json_loads(outcome.out, 0, &error);
	assert_int_equal(json_array_size(report), 2);
	check_key(json_array_get(report, 1), "trace.path", 's');
	json_decref(report);
	outcome_free(&outcome);
}

/* A page goes to the file that -o names, and is of all traces that can be read. */
TEST_IN_FOLDER(test_html)
{
	static const char name[] = "<img src=x onerror=alert(1)>";
	struct outcome outcome;
	char *page, file[300];

	build_trace(path, "overlap.sql", NULL);
	change_trace(path, "INSERT OR REPLACE INTO metadata VALUES ('program', "
			   "'<img src=x onerror=alert(1)>')");
	snprintf(file, sizeof(file), "%s/r.html", folder);
	outcome = RUN("report", "--no-measure", "--format", "html", "-o", file, path);
	check_status(&outcome, 0);
	assert_string_equal(outcome.out, "");
	outcome_free(&outcome);
	page = read_file(file, NULL);
	assert_int_equal(strncmp(page, "<!DOCTYPE html>", 15), 0);
	assert_non_null(strstr(page, "Content-Security-Policy"));
	assert_null(strstr(page, name));
	assert_null(strstr(page, "http://"));
	assert_null(strstr(page, "https://"));
	assert_null(strstr(page, "id=\"shown-2\""));
	free(page);
	outcome = RUN("report", "--format", "html", path, "/nowhere/a.db", path);
	check_status(&outcome, 3);
	assert_non_null(strstr(outcome.out, "id=\"shown-2\""));
	assert_null(strstr(outcome.out, "id=\"shown-3\""));
	assert_null(strstr(outcome.out, "<img"));
	outcome_free(&outcome);
	outcome = RUN("report", "--format", "html", "/nowhere/a.db");
	check_status(&outcome, 3);
	assert_string_equal(outcome.out, "");
	outcome_free(&outcome);
	outcome = RUN("whatif", "--format", "html", "--apply=1", path);
	check_status(&outcome, 2);
	outcome_free(&outcome);
	outcome = RUN("report", "-o", "/nowhere/r.txt", path);
	check_status(&outcome, 3);
	assert_non_null(strstr(outcome.errors, "/nowhere/r.txt: No such file or directory"));
	outcome_free(&outcome);
	unlink(file);
}

/* Python that could not be read is said, and read Python is not. */
TEST_IN_FOLDER(test_unread_python)
{
	struct outcome outcome;

	build_trace(path, "overlap.sql",
		    "INSERT INTO metadata VALUES ('python', 'Python 3.10.1: not supported')");
	outcome = RUN("report", path);
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.out, "Python lines: Python 3.10.1: not supported"));
	outcome_free(&outcome);
	change_trace(path, "UPDATE metadata SET value = 'on: 3.12.1' WHERE key = 'python'");
	outcome = RUN("report", path);
	check_status(&outcome, 0);
	assert_null(strstr(outcome.out, "Python"));
	outcome_free(&outcome);
}

/* One bad file among good ones: the others are reported, the status tells. */
TEST_IN_FOLDER(test_several_traces)
{
	struct outcome outcome;

	build_trace(path, "overlap.sql", NULL);
	outcome = RUN("report", path, "/no/such.db", path);
	check_status(&outcome, 3);
	/* Each says of which trace it is. */
	assert_non_null(strstr(strstr(outcome.out, path) + 1, path));
	assert_non_null(strstr(strstr(outcome.out, " recorded") + 1, " recorded"));
	outcome_free(&outcome);
}

TEST_IN_FOLDER(test_info)
{
	struct outcome outcome;
	char version[64];

	snprintf(version, sizeof(version), "trace format %d.%d", FORMAT_MAJOR, FORMAT_MINOR);
	build_trace(path, "overlap.sql", NULL);
	outcome = RUN("info", path);
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.out, version));
	assert_non_null(strstr(outcome.out, "tool_cpu_ns       1.50 ms"));
	assert_non_null(strstr(outcome.out, "copy          2         2"));
	assert_non_null(strstr(outcome.out, "python_frames"));
	assert_non_null(strstr(outcome.out, ", 10 events"));
	outcome_free(&outcome);
}

/* The file's name and a kernel's: a terminal's title, a line of their own, and text that runs backwards. */
TEST_IN_FOLDER(test_names_cannot_steer_the_terminal)
{
	static const char name[] = "\033]0;x\007\nevil\xe2\x80\xae.db";
	static const char *const commands[][3] = {{"report"},
						  {"report", "--all", "--format=json"},
						  {"info"},
						  {"whatif", "--apply=all"},
						  {"whatif", "--apply=99"}};
	char own[300];

	snprintf(own, sizeof(own), "%s/%s", folder, name);
	build_trace(own, "overlap.sql",
		    "UPDATE strings SET text = char(27) || '[31m' || char(8238) || text;"
		    "UPDATE metadata SET value = char(155, 8297) || value WHERE key = 'program'");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		struct outcome outcome = run_file(
			CLI_PATH, (char *[]){"streamtrace", (char *)commands[i][0], own,
					     (char *)commands[i][1], (char *)commands[i][2], NULL});

		assert_true(outcome.out[0] || outcome.errors[0]);
		if (strpbrk(outcome.out, "\033\007") || strpbrk(outcome.errors, "\033\007") ||
		    strstr(outcome.out, "\nevil") || strstr(outcome.errors, "\nevil") ||
		    strstr(outcome.out, "\xe2\x80\xae") || strstr(outcome.errors, "\xe2\x80\xae"))
			fail_msg("%s: %s%s", commands[i][0], outcome.out, outcome.errors);
		outcome_free(&outcome);
	}
	unlink(own);
}

static void check_usage(struct outcome outcome, int status, const char *out, const char *errors)
{
	check_status(&outcome, status);
	assert_non_null(strstr(outcome.out, out));
	assert_non_null(strstr(outcome.errors, errors));
	outcome_free(&outcome);
}

TEST_IN_FOLDER(test_usage)
{
	check_usage(RUN("--help"), 0, "Commands:", "");
	check_usage(RUN("--version"), 0, "streamtrace " STREAMTRACE_VERSION, "");
	check_usage(RUN("report", "--help"), 0, "Usage: streamtrace report", "");
	check_usage(RUN("run", "--help"), 0, "Usage: streamtrace run", "");
	check_usage(RUN("info", "--help"), 0, "Usage: streamtrace info", "");
	check_usage(run_file(CLI_PATH, (char *[]){"streamtrace", NULL}), 2, "", "Commands:");
	check_usage(RUN("frobnicate"), 2, "", "unknown command 'frobnicate'");
	check_usage(RUN("report"), 2, "", "report needs a trace");
	check_usage(RUN("report", "--format=xml", "x"), 2, "", "must be one of text|json");
	check_usage(RUN("report", "--frobnicate"), 2, "", "frobnicate");
	check_usage(RUN("info"), 2, "", "info needs a trace");
	check_usage(RUN("run"), 2, "", "run needs a program");
	check_usage(RUN("run", "-x", "true"), 2, "", "x");
	check_usage(RUN("run", "--output=", "true"), 2, "",
		    "--output=: the value must be a name that is not empty\n");
	check_usage(RUN("whatif", "x"), 2, "", "whatif needs --apply");
	check_usage(RUN("whatif", "--apply=all"), 2, "", "whatif needs --apply and a trace");
	check_usage(RUN("whatif", "--apply=all", "x", "y"), 2, "", "unexpected argument 'y'");
}

TEST_IN_FOLDER(test_explain)
{
	check_usage(RUN("explain"), 0, "\ndefault-stream ", "");
	check_usage(RUN("explain", "sync-in-loop"), 0, "\nIn Python\n", "");
	check_usage(RUN("explain", "sync-in-loop"), 0, "samples/sync_in_loop.cu", "");
	check_usage(RUN("explain", "pageable"), 2, "", "no finding has the id 'pageable'");
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
	check_usage(RUN("help", "run"), 0, "-o, --output=FILE", "");
	check_usage(RUN("help", "run"), 0, "STREAMTRACE_EXIT_TIMEOUT_MS=MS", "");
	check_usage(RUN("help", "report"), 0, "--format=text|json", "");
	check_usage(RUN("help", "frobnicate"), 2, "", "unknown command 'frobnicate'");
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

/* A folder with bin/streamtrace, a copy, and lib/libstrace.so, which is empty: the loader says that
 * it cannot preload that and goes on. The traced program writes the trace itself. */
static void install(char *program, size_t size, const char *library)
{
	char name[300], *bytes;
	size_t length;

	snprintf(name, sizeof(name), "%s/bin", folder);
	mkdir(name, 0700);
	bytes = read_file(CLI_PATH, &length);
	snprintf(program, size, "%s/bin/streamtrace", folder);
	write_file(program, bytes, length);
	chmod(program, 0700);
	free(bytes);
	if (!library)
		return;
	snprintf(name, sizeof(name), "%s/lib", folder);
	mkdir(name, 0700);
	snprintf(name, sizeof(name), "%s/lib/%s", folder, library);
	*strrchr(name, '/') = '\0';
	mkdir(name, 0700);
	snprintf(name, sizeof(name), "%s/lib/%s", folder, library);
	write_file(name, "", 0);
}

#define RUN_SHELL(program, ...)                                                                    \
	run_file(program, (char *[]){"streamtrace", "run", __VA_ARGS__, NULL})

TEST_IN_FOLDER(test_run_without_library)
{
	struct outcome outcome;
	char program[300];

	install(program, sizeof(program), NULL);
	outcome = RUN_SHELL(program, "true");
	check_status(&outcome, 3);
	assert_non_null(strstr(outcome.errors, "streamtrace: libstrace.so is missing"));
	assert_null(strchr(strchr(outcome.errors, '\n') + 1, '\n'));
	outcome_free(&outcome);
}

TEST_IN_FOLDER(test_run_with_a_library_that_cannot_be_preloaded)
{
	char program[300], name[300], target[300];

	install(program, sizeof(program), "a b/libstrace.so");
	snprintf(target, sizeof(target), "%s/lib/a b/libstrace.so", folder);
	snprintf(name, sizeof(name), "%s/lib/libstrace.so", folder);
	assert_int_equal(symlink(target, name), 0);
	check_usage(RUN_SHELL(program, "echo", "it ran"), 3, "", "LD_PRELOAD cannot name it");
}

TEST_IN_FOLDER(test_run_status)
{
	char program[300];

	install(program, sizeof(program), "libstrace.so");
	check_usage(RUN_SHELL(program, "sh", "-c", "exit 7"), 7, "", "no trace was written");
	check_usage(RUN_SHELL(program, "--", "sh", "-c", "kill -TERM $$"), 128 + SIGTERM, "", "");
	check_usage(RUN_SHELL(program, "sh", "-c", "echo out; exit 0"), 0, "out\n", "");
	check_usage(RUN_SHELL(program, "/no/such/program"), 127, "", "No such file or directory");
	check_usage(RUN_SHELL(program, "/"), 126, "", "Permission denied");
	/* Its parent has taken the signal when it sleeps again. */
	check_usage(RUN_SHELL(program, "sh", "-c",
			      "kill -INT $PPID; "
			      "until grep -q '^State:.S' /proc/$PPID/status; do :; done; exit 5"),
		    5, "", "");
	check_usage(RUN_SHELL(program, "sh", "-c", "kill -INT $$"), 128 + SIGINT, "", "");
	check_usage(RUN_SHELL(program, "sh", "-c", "kill -PIPE $$"), 128 + SIGPIPE, "", "");
}

TEST_IN_FOLDER(test_run_environment)
{
	struct outcome outcome;
	char program[300], expected[600];

	install(program, sizeof(program), "streamtrace/libstrace.so");
	snprintf(expected, sizeof(expected),
		 "%s/lib/streamtrace/libstrace.so|streamtrace.%%h.%%p.db\n", folder);
	outcome = RUN_SHELL(program, "sh", "-c", "echo \"$LD_PRELOAD|$STREAMTRACE_OUTPUT\"");
	assert_string_equal(outcome.out, expected);
	outcome_free(&outcome);
	setenv("LD_PRELOAD", "/other.so", 1);
	outcome = RUN_SHELL(program, "-o", "x.db", "sh", "-c",
			    "echo \"$LD_PRELOAD|$STREAMTRACE_OUTPUT\"");
	unsetenv("LD_PRELOAD");
	assert_non_null(strstr(outcome.out, "libstrace.so:/other.so|x.db\n"));
	outcome_free(&outcome);
}

/* The shell stands for the traced program: it writes the traces, one under its own process id and
 * one under another's. An older trace that the pattern matches is none of this run. */
TEST_IN_FOLDER(test_run_finds_its_traces)
{
	struct outcome outcome;
	char program[300];

	install(program, sizeof(program), "libstrace.so");
	build_trace(path, "overlap.sql", NULL);
	outcome = RUN_SHELL(program, "sh", "-c",
			    "cp trace.db streamtrace.$(uname -n).$$.db; "
			    "cp trace.db streamtrace.$(uname -n).child.db; "
			    "cp trace.db streamtrace.$(uname -n).old.db; "
			    "touch -d 2001-01-01 streamtrace.$(uname -n).old.db; exit 3");
	check_status(&outcome, 3);
	assert_non_null(strstr(outcome.errors, "child.db; next: streamtrace report streamtrace."));
	assert_null(strstr(outcome.errors, "old.db"));
	assert_null(strstr(outcome.errors, "no trace"));
	outcome_free(&outcome);
	change_trace(path, "INSERT INTO metadata VALUES ('start_ns', '1000000000')");
	check_usage(RUN_SHELL(program, "-o", "early.db", "cp", "trace.db", "early.db"), 0, "",
		    "this run has no trace of its own: early.db is of another streamtrace run");
	change_trace(path, "UPDATE metadata SET value = '4000000000000000000' "
			   "WHERE key = 'start_ns'");
	outcome = RUN_SHELL(program, "-o", "my [trace].db", "cp", "trace.db", "my [trace].db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.errors, "streamtrace: wrote my [trace].db; next:"));
	outcome_free(&outcome);
	/* The second process that wrote the same name. */
	outcome = RUN_SHELL(program, "-o", "a.b.db", "sh", "-c",
			    "cp trace.db a.b.db; cp trace.db a.b.2.db; cp trace.db a.b.c.db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.errors, "wrote a.b.db;"));
	assert_non_null(strstr(outcome.errors, "wrote a.b.2.db;"));
	assert_null(strstr(outcome.errors, "a.b.c.db"));
	outcome_free(&outcome);
	/* A dot that begins the name begins no ending. */
	outcome = RUN_SHELL(program, "-o", ".db", "sh", "-c",
			    "cp trace.db .db; cp trace.db .db.2; cp trace.db .2.db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.errors, "wrote .db;"));
	assert_non_null(strstr(outcome.errors, "wrote .db.2;"));
	assert_null(strstr(outcome.errors, ".2.db"));
	outcome_free(&outcome);
}

/* The report follows on standard output, or in a file beside the trace; the status is the program's.
 * The patterns match nothing older: a trace that does not say when it began counts as this run's where it
 * was written within a tick of the clock before. */
TEST_IN_FOLDER(test_run_reports)
{
	struct outcome outcome;
	char program[300], name[300], *text;
	json_t *report;

	install(program, sizeof(program), "libstrace.so");
	build_trace(path, "overlap.sql", NULL);
	outcome = RUN_SHELL(program, "--report", "-o", "app.db", "sh", "-c",
			    "echo first; cp trace.db app.db; exit 3");
	check_status(&outcome, 3);
	assert_memory_equal(outcome.out, "first\noverlap on NVIDIA H100, ", 29);
	assert_non_null(strstr(outcome.errors, "streamtrace: wrote app.db\n"));
	outcome_free(&outcome);
	outcome = RUN_SHELL(program, "--report=json", "-o", "app.db", "cp", "trace.db", "app.db");
	check_status(&outcome, 0);
	assert_string_equal(outcome.out, "");
	assert_non_null(strstr(outcome.errors, "streamtrace: wrote app.json\n"));
	outcome_free(&outcome);
	snprintf(name, sizeof(name), "%s/app.json", folder);
	text = read_file(name, NULL);
	report = json_loads(text, 0, NULL);
	check_key(report, "trace.path", 's');
	json_decref(report);
	free(text);
	outcome = RUN_SHELL(program, "--report", "-o", "p%p.db", "sh", "-c",
			    "cp trace.db p1.db; cp trace.db p2.db");
	check_status(&outcome, 0);
	assert_memory_equal(outcome.out, "2 processes\n", 12);
	assert_non_null(strstr(outcome.out, "overlap 4711: p1.db\n"));
	assert_non_null(strstr(outcome.out, "overlap 4711: p2.db\n"));
	outcome_free(&outcome);
	/* A rank is told before what may be cut off. */
	change_trace(path, "INSERT INTO metadata VALUES ('rank', '3')");
	outcome = RUN_SHELL(program, "--report", "-o", "p%p.db", "sh", "-c",
			    "cp trace.db p1.db; cp trace.db p2.db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.out, "rank 3: overlap 4711: p2.db\n"));
	outcome_free(&outcome);
	/* One page of both, named after the first. */
	outcome = RUN_SHELL(program, "--report=html", "-o", "p%p.db", "sh", "-c",
			    "cp trace.db p1.db; cp trace.db p2.db");
	check_status(&outcome, 0);
	assert_non_null(strstr(outcome.errors, "streamtrace: wrote p1.html\n"));
	assert_null(strstr(outcome.errors, "wrote p2.html"));
	outcome_free(&outcome);
	snprintf(name, sizeof(name), "%s/p1.html", folder);
	text = read_file(name, NULL);
	assert_non_null(strstr(text, "id=\"shown-2\""));
	free(text);
	check_usage(RUN_SHELL(program, "--report=xml", "true"), 2, "", "--report=xml");
	check_usage(RUN_SHELL(program, "--report", "true"), 0, "", "no trace was written");
}

/* Said before it starts, for it may run for long. */
TEST_IN_FOLDER(test_run_says_what_cannot_be_traced)
{
	static const Elf64_Ehdr no_interpreter = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_phentsize = sizeof(Elf64_Phdr)};
	char program[300], traced[300], *bytes;
	struct outcome outcome;
	size_t length;

	install(program, sizeof(program), "libstrace.so");
	snprintf(traced, sizeof(traced), "%s/traced", folder);
	write_file(traced, &no_interpreter, sizeof(no_interpreter));
	chmod(traced, 0700);
	outcome = RUN_SHELL(program, traced);
	assert_non_null(
		strstr(outcome.errors, "traced will run untraced: it is linked statically"));
	outcome_free(&outcome);
	outcome = RUN_SHELL(program, "true");
	assert_null(strstr(outcome.errors, "will run untraced"));
	outcome_free(&outcome);
	bytes = read_file("/bin/true", &length);
	write_file(traced, bytes, length);
	free(bytes);
	if (chown(traced, 65534, (gid_t)-1) || chmod(traced, 04755))
		skip(); /* only root can give a file away */
	outcome = RUN_SHELL(program, traced);
	assert_non_null(
		strstr(outcome.errors, "traced will run untraced: it runs with other rights"));
	outcome_free(&outcome);
}

RUN_TESTS(NULL, NULL)
