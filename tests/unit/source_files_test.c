/* What a trace keeps of the program's source files, and what that says later. */
#include "trace/source_files.h"

#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A trace in the folder that began 1,000 s after 1970, of a program there. */
static const char rows[] =
	"INSERT OR REPLACE INTO metadata VALUES ('start_ns', '1000000000000'), "
	"('working_directory', '%s');"
	"INSERT INTO modules VALUES (1, '%s/app', NULL);"
	"INSERT INTO call_sites VALUES (1, 5);"
	"INSERT INTO frames (site_id, depth, module_id, offset, file, line, is_library) VALUES"
	" (1, 0, 1, 1, 'app.cu', 2, 0), (1, 1, 1, 2, '%s/new.cu', 3, 0), (1, 2, 1, 3, "
	"'missing.cu', 4, 0),"
	" (1, 3, 1, 4, 'header.h', 5, 1), (1, 4, 1, 5, 'app.cu', 6, 0);"
	"INSERT INTO python_frames VALUES (1, 0, 'train.py', 1, 'f');";

/* seconds: since 1970. */
static void write_source(const char *name, const char *text, time_t seconds)
{
	const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
	char source[300];

	snprintf(source, sizeof(source), "%s/%s", folder, name);
	write_file(source, text, strlen(text));
	assert_int_equal(utimensat(AT_FDCWD, source, times, 0), 0);
}

static enum source_age age_of(const struct trace *trace, const char *file)
{
	char *opened;
	int descriptor = source_file_open(trace, file, &opened);
	enum source_age age;

	assert_true(descriptor >= 0);
	age = source_file_age(trace, file, descriptor);
	close(descriptor);
	free(opened);
	return age;
}

static bool is_kept(const struct trace *trace, const char *file)
{
	for (size_t i = 0; i < trace->source_file_count; i++)
		if (!strcmp(trace->source_files[i].file, file))
			return true;
	return false;
}

static struct trace *load_trace(void)
{
	char *error;
	struct trace *trace = trace_load(path, &error);

	assert_non_null(trace);
	return trace;
}

TEST_IN_FOLDER(test_source_files)
{
	char sql[2048], *error;
	struct trace *trace;

	snprintf(sql, sizeof(sql), rows, folder, folder, folder);
	build_trace(path, NULL, sql);
	write_source("app.cu", "a\n", 900);
	write_source("new.cu", "b\n", 1100);
	write_source("header.h", "c\n", 900);
	write_source("train.py", "d\n", 900);
	trace = load_trace();
	assert_int_equal(age_of(trace, "app.cu"), SOURCE_SAME);
	assert_int_equal(trace_store_sites(trace, &error), 0);
	trace_close(trace);

	/* The program's own files, but none that may not be what ran. */
	trace = load_trace();
	assert_int_equal(trace->source_file_count, 2);
	assert_true(is_kept(trace, "app.cu") && is_kept(trace, "train.py"));
	/* FNV-1a of "a\n". */
	assert_int_equal(trace->source_files[0].hash, 0x89bdc07b544e7b2);

	/* The hash tells, whatever the time. */
	write_source("app.cu", "a\n", 1200);
	assert_int_equal(age_of(trace, "app.cu"), SOURCE_SAME);
	write_source("app.cu", "x\n", 900);
	assert_int_equal(age_of(trace, "app.cu"), SOURCE_CHANGED);
	assert_int_equal(age_of(trace, "header.h"), SOURCE_SAME);
	snprintf(sql, sizeof(sql), "%s/new.cu", folder);
	assert_int_equal(age_of(trace, sql), SOURCE_CHANGED);
	trace_close(trace);
}

/* A trace of a library that had no such table. */
TEST_IN_FOLDER(test_without_table)
{
	char sql[2048], *error;
	struct trace *trace;

	snprintf(sql, sizeof(sql), rows, folder, folder, folder);
	build_trace(path, NULL, sql);
	write_source("app.cu", "a\n", 900);
	change_trace(path, "DROP TABLE source_files");
	trace = load_trace();
	assert_int_equal(trace_store_sites(trace, &error), 0);
	assert_int_equal(trace->source_file_count, 0);
	assert_int_equal(age_of(trace, "app.cu"), SOURCE_SAME);
	trace_close(trace);
}

RUN_TESTS(NULL, NULL)
