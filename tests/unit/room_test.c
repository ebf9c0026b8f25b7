#include "base/free_memory.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "findings/analysis.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MB (UINT64_C(1) << 20)

uint64_t __real_free_memory_bytes(void);
uint64_t __wrap_free_memory_bytes(void);

static char *folder, path[256];
static uint64_t free_bytes; /* that this machine plays to have */

uint64_t __wrap_free_memory_bytes(void)
{
	return free_bytes;
}

/* Eight rows, 48 bytes each. */
TEST(test_what_cannot_be_held_is_refused)
{
	struct trace *trace;
	char *error = NULL;

	build_trace(path, "overlap.sql", NULL);
	free_bytes = 8 * 48 - 1;
	assert_null(trace_load(path, &error));
	assert_string_equal(error, "has 8 calls and GPU operations: reading them takes 384 B of "
				   "memory, and 383 B are free. Record a part of the run "
				   "(STREAMTRACE_START=paused)");
	free(error);
	free_bytes++;
	trace = trace_load(path, &error);
	assert_non_null(trace);
	assert_int_equal(analysis_least_bytes(trace), 5 * 100 + 3 * 200);
	trace_close(trace);
}

/* Ids that are far apart say nothing: the file has no bytes for so many rows. */
TEST(test_gaps_are_no_rows)
{
	struct trace *trace;
	char *error = NULL;

	build_trace(path, "overlap.sql", "UPDATE operations SET id = 4000000000000 WHERE id = 3");
	free_bytes = MB;
	trace = trace_load(path, &error);
	assert_non_null(trace);
	trace_close(trace);
}

TEST(test_free_memory)
{
	uint64_t before = __real_free_memory_bytes();
	struct rlimit limit, lower;
	unsigned long long pages;
	FILE *file = fopen("/proc/self/statm", "r");

	assert_in_range(before, 1, UINT64_MAX);
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%llu", &pages), 1);
	fclose(file);
	assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
	lower = limit;
	lower.rlim_cur = pages * 4096 + 64 * MB;
	assert_int_equal(setrlimit(RLIMIT_AS, &lower), 0);
	assert_in_range(__real_free_memory_bytes(), 0, 64 * MB);
	assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

int main(int argc, char **argv)
{
	int failed;

	folder = make_folder();
	snprintf(path, sizeof(path), "%s/a.db", folder);
	failed = run_registered(argc, argv, NULL, NULL);
	remove_folder(folder);
	free(folder);
	return failed;
}
