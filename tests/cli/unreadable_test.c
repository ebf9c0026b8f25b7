/*
 * Files that cannot be read as traces: report and info refuse each with one line and exit status 3.
 */
#include "outcome.h"

#include <sys/stat.h>

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
	{"UPDATE operations SET kind = 5", "kind is out of range: 5"},
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

RUN_TESTS(NULL, NULL)
