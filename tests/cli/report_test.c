/*
 * What report and info say of a trace, and the keys of the JSON and the safety of the page.
 */
#include "facts/format.h"
#include "outcome.h"

#include <jansson.h>

TEST_IN_FOLDER(test_no_activity)
{
	struct outcome outcome;

	build_trace(path, NULL, NULL);
	outcome = RUN("report", path);
	check_status(&outcome, 5);
	assert_non_null(strstr(outcome.out, "No CUDA call was traced: "));
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

/* What a step takes, where the user says what begins one; of what comes only once, or not, that it does. */
TEST_IN_FOLDER(test_steps)
{
	struct outcome outcome;
	json_t *report, *steps;
	json_error_t error;

	build_trace(path, "overlap.sql", NULL);
	outcome = RUN("report", "--step=overlap.cu:13", path);
	check_status(&outcome, 0);
	assert_non_null(
		strstr(outcome.out, "2 steps of 70.0 ms (median; each begins at overlap.cu:13)"));
	assert_string_equal(outcome.errors, "");
	outcome_free(&outcome);
	outcome = RUN("report", "--step=overlap.cu:13", "--format=json", path);
	report = json_loads(outcome.out, 0, &error);
	steps = json_object_get(json_object_get(report, "headline"), "steps");
	assert_int_equal(json_integer_value(json_object_get(steps, "count")), 2);
	assert_int_equal(json_integer_value(json_object_get(steps, "startup_ns")), 20000000);
	json_decref(report);
	outcome_free(&outcome);
	outcome = RUN("report", "--step=overlap.cu:12", path);
	check_status(&outcome, 0);
	assert_null(strstr(outcome.out, " steps of "));
	assert_non_null(
		strstr(outcome.errors, "nothing that comes twice matches --step=overlap.cu:12"));
	outcome_free(&outcome);
	outcome = RUN("report", path);
	assert_null(strstr(outcome.out, " steps of "));
	outcome_free(&outcome);
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
	/* Each of the two reports names its trace. */
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

RUN_TESTS(NULL, NULL)
