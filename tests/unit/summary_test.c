/* A summary as bytes and as a file, and what is done with damaged ones. */
#include "build_trace.h"
#include "cmocka_test.h"
#include "job_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *bytes_of(const struct summary *summary, size_t *size)
{
	char *error, *bytes = summary_to_bytes(summary, size, &error);

	assert_non_null(bytes);
	return bytes;
}

static struct summary *make(void)
{
	struct summary *summary = job_case_random(3, 8, 2);

	summary->run = arena_text(&summary->texts, "slurm:17");
	summary->traced_by = arena_text(&summary->texts, "node0.4711.1");
	summary->ranks = 8;
	summary->local_rank = 3;
	summary->lost = (struct stated){1, 2, 3};
	summary->load.idle_ns = 70;
	summary->load.idle_by_cause_ns[IDLE_LOADING] = 60;
	summary->findings[0].is_bound = true;
	summary->findings[0].costs_ns = 46 * MS;
	summary->devices = memory_array(1, sizeof(*summary->devices));
	summary->device_count = 1;
	summary->devices[0] = (struct summary_device){
		.id = 2, .name = "NVIDIA H200", .wall_ns = 5, .load = {.busy_ns = {1, 2, 3, 4}}};
	summary->idle_lines = memory_array(1, sizeof(*summary->idle_lines));
	summary->idle_line_count = 1;
	summary->idle_lines[0] = (struct summary_idle_line){
		.cause = IDLE_BLOCKED, .where = "a.cu:7", .function = "cudaMemcpy", .ns = 44};
	free(summary->notes);
	summary->notes = memory_array(1, sizeof(*summary->notes));
	summary->note_count = 1;
	summary->notes[0] = (struct summary_note){"sync-in-loop", "1 wait assumed necessary"};
	return summary;
}

static void check_made(const struct summary *summary)
{
	assert_string_equal(summary->run, "slurm:17");
	assert_string_equal(summary->traced_by, "node0.4711.1");
	assert_int_equal(summary->rank, 3);
	assert_int_equal(summary->ranks, 8);
	assert_int_equal(summary->lost.high_ns, 3);
	assert_int_equal(summary->load.idle_by_cause_ns[IDLE_LOADING], 60);
	assert_int_equal(summary->device_count, 1);
	assert_string_equal(summary->devices[0].name, "NVIDIA H200");
	assert_int_equal(summary->devices[0].load.busy_ns[ENGINE_PEER], 4);
	assert_int_equal(summary->communicator_count, 2);
	assert_int_equal(summary->communicators[1].unique_id, 1001);
	assert_int_equal(summary->idle_lines[0].cause, IDLE_BLOCKED);
	assert_null(summary->idle_lines[0].from);
	assert_string_equal(summary->notes[0].why, "1 wait assumed necessary");
	assert_true(summary->has_estimates);
	assert_true(summary->findings[0].is_bound);
	assert_int_equal(summary->findings[0].costs_ns, 46 * MS);
}

/* What is read and written again is the same. */
TEST(test_bytes)
{
	struct summary *summary = make(), *read;
	size_t size, again_size;
	char *bytes = bytes_of(summary, &size), *again, *error;

	/* Its header says so: half as large as with SQLite's own pages. */
	assert_memory_equal(bytes + 16, "\x04\0", 2);
	read = summary_from_bytes(bytes, size, &error);
	assert_non_null(read);
	check_made(read);
	assert_int_equal(read->arrival_count, summary->arrival_count);
	assert_memory_equal(read->arrivals, summary->arrivals,
			    read->arrival_count * sizeof(*read->arrivals));
	again = bytes_of(read, &again_size);
	assert_int_equal(again_size, size);
	assert_memory_equal(again, bytes, size);
	free(again);
	free(bytes);
	summary_free(read);
	summary_free(summary);
}

TEST(test_file)
{
	struct summary *summary = make(), *read;
	char *folder = make_folder(), path[300], *error;
	struct stat status;

	snprintf(path, sizeof(path), "%s/a.db", folder);
	assert_int_equal(summary_write(summary, path, &error), 0);
	/* For those who make the job's report. */
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0644);
	assert_true(summary_is_at(path));
	read = summary_read(path, &error);
	assert_non_null(read);
	check_made(read);
	summary_free(read);
	/* A trace is none. */
	build_trace(path, NULL, NULL);
	assert_false(summary_is_at(path));
	assert_null(summary_read(path, &error));
	assert_string_equal(error, "is no summary: it was written by another program");
	free(error);
	remove_folder(folder);
	free(folder);
	summary_free(summary);
}

/* Written before findings had is_bound and costs_ns. */
TEST(test_first_format)
{
	struct summary *summary = make(), *read;
	char *folder = make_folder(), path[300], *error = NULL;

	snprintf(path, sizeof(path), "%s/a.db", folder);
	assert_int_equal(summary_write(summary, path, &error), 0);
	change_trace(path, "ALTER TABLE findings DROP COLUMN is_bound;"
			   "ALTER TABLE findings DROP COLUMN costs_ns; PRAGMA user_version = 1000");
	read = summary_read(path, &error);
	assert_non_null(read);
	assert_int_equal(read->finding_count, summary->finding_count);
	assert_string_equal(read->findings[0].id, summary->findings[0].id);
	assert_false(read->findings[0].is_bound);
	assert_int_equal(read->findings[0].costs_ns, 0);
	summary_free(read);
	summary_free(summary);
	remove_folder(folder);
	free(folder);
}

/* One statement on a summary, and why it is refused then. */
static void check_changed(const char *sql, const char *expected)
{
	struct summary *summary = make(), *read;
	char *folder = make_folder(), path[300], *error;

	snprintf(path, sizeof(path), "%s/a.db", folder);
	assert_int_equal(summary_write(summary, path, &error), 0);
	change_trace(path, sql);
	read = summary_read(path, &error);
	assert_null(read);
	if (!strstr(error, expected))
		fail_msg("\"%s\" has no \"%s\"", error, expected);
	free(error);
	summary_free(summary);
	remove_folder(folder);
	free(folder);
}

TEST(test_refused)
{
	check_changed("PRAGMA user_version = 2000", "is a summary of format 2.0");
	check_changed("DELETE FROM metadata WHERE key = 'trace'", "of which trace");
	check_changed("UPDATE findings SET saved_ns = -1", "saved_ns is out of range");
	check_changed("UPDATE times SET ns = -1 WHERE what = 'idle'", "ns is out of range");
	check_changed("UPDATE packed SET data = X'00' WHERE what = 'arrivals'", "are damaged");
	check_changed("UPDATE packed SET count = 1000000 WHERE what = 'arrivals'", "are damaged");
	check_changed("DELETE FROM communicators", "are damaged");
	check_changed("DROP TABLE findings", "no such table");
	/* Written for another process they would be refused with all that was merged with them. */
	check_changed(
		"CREATE TABLE twice AS SELECT * FROM devices; DROP TABLE devices;"
		"ALTER TABLE twice RENAME TO devices; INSERT INTO devices SELECT * FROM devices",
		"the device comes twice");
	check_changed("CREATE TABLE twice AS SELECT * FROM findings; DROP TABLE findings;"
		      "ALTER TABLE twice RENAME TO findings; INSERT INTO findings SELECT * FROM "
		      "findings",
		      "the finding comes twice");
	check_changed(
		"DROP TABLE times; CREATE VIEW times AS SELECT 1 device_id, 'idle' what, 1 ns", "");
}

/* A rank with the fixes of so many lines and of all of them, which nothing comes of. */
static struct paths *make_fixes(size_t lines)
{
	struct paths *paths = memory_array(1, sizeof(*paths));

	paths->ranks = 1;
	paths->groups = memory_array(lines + 1, sizeof(*paths->groups));
	while (paths->group_count <= lines) {
		struct paths_group *group = &paths->groups[paths->group_count++];

		group->id = memory_format("%zu", 10 + paths->group_count);
		group->where = memory_format("a.cu:1");
	}
	return paths;
}

/* Each fix costs replays of the whole job: a file that has thousands would be hours of them. */
TEST(test_many_fixes)
{
	for (size_t lines = SUMMARY_FIXES; lines <= SUMMARY_FIXES + 1; lines++) {
		struct summary *summary = make(), *read;
		char *bytes, *error;
		size_t size;

		summary->paths = make_fixes(lines);
		bytes = bytes_of(summary, &size);
		read = summary_from_bytes(bytes, size, &error);
		assert_true((read != NULL) == (lines == SUMMARY_FIXES));
		assert_true(read || strstr(error, "the paths are damaged"));
		summary_free(read);
		summary_free(summary);
		free(bytes);
		free(error);
	}
}

/* Any bytes of it changed: a summary or an error, and nothing else. */
TEST(test_damaged)
{
	struct summary *summary = make();
	uint64_t random = 9;
	size_t size;
	char *bytes = bytes_of(summary, &size);

	for (int i = 0; i < 2000; i++) {
		size_t at = job_case_below(&random, size);
		char before = bytes[at], *error;
		struct summary *read;

		bytes[at] = (char)job_case_below(&random, 256);
		read = summary_from_bytes(bytes, i % 5 ? size : at, &error);
		assert_true(read || error);
		if (read)
			job_free(job_of_summary(read));
		free(error);
		bytes[at] = before;
	}
	free(bytes);
	summary_free(summary);
}

/* Arrivals keep their order, and hostile ones are refused. */
TEST(test_arrivals)
{
	struct arrival arrivals[] = {
		{.sequence = 4, .start_ns = 5, .end_ns = 9, .operation = 1},
		{.communicator = 1, .operation = 9, .peer = 3, .is_pair = true, .bytes = 1u << 31},
		{.communicator = 1,
		 .operation = 10,
		 .peer = 3,
		 .is_pair = true,
		 .start_ns = INT64_MAX / 2,
		 .end_ns = INT64_MAX / 2},
	};
	struct arrival *read;
	size_t size;
	void *bytes = arrivals_pack(arrivals, 3, &size);

	read = arrivals_unpack(bytes, size, 3, 2);
	assert_non_null(read);
	assert_memory_equal(read, arrivals, sizeof(arrivals));
	free(read);
	assert_null(arrivals_unpack(bytes, size, 3, 1));
	assert_null(arrivals_unpack(bytes, size - 1, 3, 2));
	free(bytes);
	arrivals[2].end_ns = 0;
	bytes = arrivals_pack(arrivals, 3, &size);
	assert_null(arrivals_unpack(bytes, size, 3, 2));
	free(bytes);
}

RUN_TESTS(NULL, NULL)
