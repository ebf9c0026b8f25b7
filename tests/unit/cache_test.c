/* The cache of measured numbers: what comes back, whatever lies in its place. */
#include "commands/cache.h"

#include "cmocka_test.h"
#include "base/memory.h"
#include "build_trace.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GPU "GPU-01234567-89ab-cdef-0123-456789abcdef"

static char *folder;

static void write_one(const char *subject, const char *key, double value)
{
	struct cache cache = {0};

	cache_set(&cache, key, value);
	cache_write(&cache, subject);
	cache_free(&cache);
}

/* -1: it is not there. */
static double read_one(const char *subject, const char *key)
{
	struct cache cache = {0};
	double value = -1;
	bool is_found;

	cache_read(&cache, subject);
	is_found = cache_find(&cache, key, &value);
	assert_int_equal(is_found, value != -1);
	cache_free(&cache);
	return value;
}

static void fill(const char *subject, const char *text)
{
	char *path = memory_format("%s/streamtrace/%s", folder, subject);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
	free(path);
}

static int set_up(void **state)
{
	folder = make_folder();
	setenv("XDG_CACHE_HOME", folder, 1);
	return 0;
}

static int tear_down(void **state)
{
	remove_folder(folder);
	free(folder);
	return 0;
}

/* Numbers of one subject stay apart from those of another, and beside each other. */
TEST_WITH(test_kept, set_up, tear_down)
{
	assert_true(read_one(GPU, "rate") == -1);
	write_one(GPU, "rate", 5.5e10);
	write_one(GPU, "latency", 1250);
	write_one("host", "rate", 7);
	assert_true(read_one(GPU, "rate") == 5.5e10);
	assert_true(read_one(GPU, "latency") == 1250);
	assert_true(read_one("host", "rate") == 7);
	write_one(GPU, "rate", 6e10);
	assert_true(read_one(GPU, "rate") == 6e10);
	assert_true(read_one(GPU, "latency") == 1250);
}

TEST_WITH(test_garbage, set_up, tear_down)
{
	write_one(GPU, "rate", 1);
	fill(GPU, "rate\nrate x\nrate 1 2\n\n\xff\xfe 3\nsize nan\nsize inf\nlatency 12\nrate 2");
	assert_true(read_one(GPU, "rate") == 2);
	assert_true(read_one(GPU, "latency") == 12);
	assert_true(read_one(GPU, "size") == -1);
	fill(GPU, "");
	assert_true(read_one(GPU, "rate") == -1);
	write_one(GPU, "rate", 3);
	assert_true(read_one(GPU, "rate") == 3);
}

/* Nothing is left of a new file beside the one that it replaces. */
TEST_WITH(test_files, set_up, tear_down)
{
	char *pattern = memory_format("%s/streamtrace/*", folder);
	glob_t found = {0};

	write_one(GPU, "rate", 1);
	write_one(GPU, "rate", 2);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 1);
	globfree(&found);
	free(pattern);
}

/* A subject from a trace names no file elsewhere. */
TEST_WITH(test_subjects, set_up, tear_down)
{
	static const char *const wrong[] = {"", ".", "..", "../up", "/tmp/x", ".hidden", "a b"};

	write_one(GPU, "rate", 1);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		write_one(wrong[i], "rate", 1);
		assert_true(read_one(wrong[i], "rate") == -1);
	}
	assert_true(read_one("../streamtrace/" GPU, "rate") == -1);
}

/* Neither a folder nor a pipe in its place ends or stops anything; nor that there is no place. */
TEST_WITH(test_no_place, set_up, tear_down)
{
	char *path = memory_format("%s/streamtrace/pipe", folder);

	write_one(GPU, "rate", 1);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_true(read_one("pipe", "rate") == -1);
	free(path);
	setenv("XDG_CACHE_HOME", "/dev/null/cache", 1);
	write_one(GPU, "rate", 1);
	assert_true(read_one(GPU, "rate") == -1);
	setenv("XDG_CACHE_HOME", "relative", 1);
	unsetenv("HOME");
	write_one(GPU, "rate", 1);
	assert_true(read_one(GPU, "rate") == -1);
	assert_int_not_equal(access("relative", F_OK), 0);
}

/* ~/.cache where no other place is named; folders that are missing are made. */
TEST_WITH(test_home, set_up, tear_down)
{
	char *home = memory_format("%s/home", folder), *path;

	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", home, 1);
	write_one(GPU, "rate", 1);
	assert_true(read_one(GPU, "rate") == 1);
	path = memory_format("%s/.cache/streamtrace/" GPU, home);
	assert_int_equal(access(path, R_OK), 0);
	free(path);
	path = memory_format("%s/.cache", home);
	remove_folder(path);
	free(path);
	free(home);
}

RUN_TESTS(NULL, NULL)
