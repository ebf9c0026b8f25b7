/* Files in a test's folder, for the tests of what commands write. */
#ifndef STREAMTRACE_IN_FOLDER_H
#define STREAMTRACE_IN_FOLDER_H

#include "build_trace.h"
#include "test_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OLD "what was there before\n"

static inline const char *in_folder(const char *name)
{
	static char paths[4][300];
	static int next;
	char *in = paths[next++ % 4];

	snprintf(in, sizeof(paths[0]), "%s/%s", folder, name);
	return in;
}

static inline char *bytes_of(const char *name, size_t *size)
{
	return read_file(in_folder(name), size);
}

static inline bool has_file(const char *name)
{
	struct stat status;

	return !lstat(in_folder(name), &status);
}

/* Whether the file has these bytes. */
static inline bool has_bytes(const char *name, const char *bytes, size_t size)
{
	size_t found_size;
	char *found = bytes_of(name, &found_size);
	bool is_same = found_size == size && !memcmp(found, bytes, size);

	free(found);
	return is_same;
}

static inline void write_old(const char *name)
{
	write_file(in_folder(name), OLD, strlen(OLD));
}

static inline void make_traces(void)
{
	build_trace(in_folder("v1.db"), "overlap.sql", NULL);
	build_trace(in_folder("v2.db"), "overlap.sql", NULL);
}

/* A folder of two ranks. */
static inline void make_job(void)
{
	assert_int_equal(mkdir(in_folder("job"), 0755), 0);
	build_trace(in_folder("job/a.db"), "overlap.sql",
		    "INSERT INTO metadata VALUES ('rank', '0'), ('ranks', '2')");
	build_trace(in_folder("job/b.db"), "overlap.sql",
		    "INSERT INTO metadata VALUES ('rank', '1'), ('ranks', '2'), ('host', 'b')");
}

#endif
