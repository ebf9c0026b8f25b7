/* A report says the same, to the last digit, whatever the number of threads that made it. */
#include "base/parallel.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "findings/analysis.h"
#include "large_trace.h"
#include "report_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { OPERATIONS = 1500, THREADS = 4, STREAMS = 16 };

/* Freed with free(). */
static char *report_with(const char *path, size_t workers)
{
	struct trace *trace;
	struct analysis *analysis;
	char *error, *text;

	parallel_limit(workers);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	trace_resolve_sites(trace);
	analysis = analysis_run(trace);
	assert_true(analysis->check.has_estimates); /* else there is little to do */
	assert_true(analysis->findings.count > 1);
	text = report_text(trace, analysis);
	analysis_free(analysis);
	trace_close(trace);
	parallel_limit(0);
	return text;
}

TEST(test_threads_do_not_matter)
{
	char *folder = make_folder(), path[256], *alone;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	large_trace_make(path, OPERATIONS, THREADS, STREAMS);
	alone = report_with(path, 1);
	for (size_t workers = 2; workers <= 8; workers *= 2) {
		char *text = report_with(path, workers);

		assert_string_equal(text, alone);
		free(text);
	}
	free(alone);
	unlink(path);
	remove_folder(folder);
	free(folder);
}

RUN_TESTS(NULL, NULL)
