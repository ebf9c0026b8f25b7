/*
 * How the analysis grows with the trace: for 32 times the operations it takes at most 64 times the
 * steps and the memory. n log n is 47 times, n squared 1024.
 *
 * Steps are basic blocks, counted by a call that the compiler puts into each (CMakeLists.txt): the same
 * in each run and on each machine, which no time is. SQLite's own are not counted.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "findings/analysis.h"
#include "large_trace.h"
#include "model/model.h"
#include "replay/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OPERATIONS = 2000, FACTOR = 32, MOST = 64, THREADS = 4, STREAMS = 16 };

/* Each goes through the whole trace. */
enum part { LOAD, SITES, MODEL, TIMELINE, REPLAY, ANALYSIS, MEMORY_KB, PART_COUNT };

static const char *const part_names[PART_COUNT] = {"load",   "sites",	 "model",	"timeline",
						   "replay", "analysis", "memory in kB"};

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
	steps++;
}

static void note(uint64_t *parts, enum part part)
{
	parts[part] = steps;
	steps = 0;
}

static uint64_t peak_memory_kb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)usage.ru_maxrss;
}

static void measure(const char *path, uint64_t *parts)
{
	const uint64_t before_kb = peak_memory_kb();
	struct trace *trace;
	struct model *model;
	struct timeline *timeline;
	struct analysis *analysis;
	char *error;

	steps = 0;
	trace = trace_load(path, &error);
	assert_non_null(trace);
	note(parts, LOAD);
	trace_resolve_sites(trace);
	note(parts, SITES);
	model = model_build(trace);
	note(parts, MODEL);
	timeline = timeline_build(model);
	note(parts, TIMELINE);
	assert_true(timeline_replay(timeline, NULL) >= 0);
	note(parts, REPLAY);
	timeline_free(timeline);
	model_free(model);
	steps = 0;
	analysis = analysis_run(trace);
	note(parts, ANALYSIS);
	assert_true(analysis->check.has_estimates); /* else it would be cheap */
	analysis_free(analysis);
	trace_close(trace);
	parts[MEMORY_KB] = peak_memory_kb() - before_kb;
}

/* In a process of its own, as its peak of memory is then. */
static void measure_size(const char *path, int64_t operations, const char *change, uint64_t *parts)
{
	pid_t child;
	int status;

	large_trace_make(path, operations, THREADS, STREAMS);
	change_trace(path, change);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		measure(path, parts);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	unlink(path);
}

static void check_growth(const char *change)
{
	uint64_t(*parts)[PART_COUNT] = mmap(NULL, 2 * sizeof(*parts), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *folder = make_folder(), path[256];
	double growth;
	int too_much = 0;

	assert_ptr_not_equal(parts, MAP_FAILED);
	snprintf(path, sizeof(path), "%s/trace.db", folder);
	measure_size(path, OPERATIONS, change, parts[0]);
	measure_size(path, (int64_t)OPERATIONS * FACTOR, change, parts[1]);
	for (int i = 0; i < PART_COUNT; i++) {
		growth = (double)parts[1][i] / (double)parts[0][i];
		print_message("%-12s %10" PRIu64 " %11" PRIu64 ": %.1f times\n", part_names[i],
			      parts[0][i], parts[1][i], growth);
		assert_int_not_equal(parts[0][i], 0);
		too_much += growth > MOST;
	}
	assert_int_equal(too_much, 0);
	munmap(parts, 2 * sizeof(*parts));
	remove_folder(folder);
	free(folder);
}

TEST(test_no_part_grows_as_the_square)
{
	check_growth("SELECT 1");
}

/* Kernels of one length that started together, as no device runs them. */
TEST(test_nor_with_equal_times)
{
	check_growth("UPDATE operations SET start_ns = (SELECT max(end_ns) FROM operations),"
		     " end_ns = (SELECT max(end_ns) + 1000 FROM operations) WHERE kind = 1");
}

/* Correlation ids as a program leaves them that makes other calls between: three in five. */
TEST(test_a_map_with_gaps_is_not_searched)
{
	enum { KEYS = 300000, STEPS_A_KEY = 200 };
	struct map map = {0};

	steps = 0;
	for (uint64_t key = 0; key < KEYS; key++)
		if (key % 5 < 3)
			map_set(&map, key, key);
	for (uint64_t key = 0; key < KEYS; key++)
		map_find(&map, key);
	print_message("%.1f steps a key\n", (double)steps / KEYS);
	assert_in_range(steps, 1, (uint64_t)KEYS * STEPS_A_KEY);
	map_free(&map);
}

int main(int argc, char **argv)
{
	parallel_limit(1); /* steps counts one thread's */

	return run_registered(argc, argv, NULL, NULL);
}
