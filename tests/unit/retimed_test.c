/* A run with a fix in: what a fix has dropped. */
#include "build_trace.h"
#include "cmocka_test.h"

#include "base/memory.h"
#include "replay/retiming/retimed.h"
#include "replay/timeline.h"

#include <stdio.h>
#include <stdlib.h>

/* Twice: a kernel of 10 ms, 4 bytes back to the host, which waits for them. */
static const char rows[] = "INSERT INTO operation (what, memory, stream, line, enter, leave, "
			   "start, end, host, device) VALUES"
			   " ('kernel', NULL, 13, 40, 0, 1, 1, 11, NULL, NULL),"
			   " ('d2h', 'pageable', 13, 41, 1, 2, 11, 12, 1000000, 60000000),"
			   " ('kernel', NULL, 13, 40, 20, 21, 21, 31, NULL, NULL),"
			   " ('d2h', 'pageable', 13, 41, 21, 22, 31, 32, 1000000, 60000000);"
			   "INSERT INTO call (function, stream, event, line, enter, leave) VALUES"
			   " ('cudaStreamSynchronize', 13, NULL, 42, 2, 12), "
			   "('cudaStreamSynchronize', 13, NULL, 42, 22, 32);"
			   "UPDATE operations SET size_bytes = 4 WHERE kind = 2;";

static struct trace *load(void)
{
	char *folder = make_folder(), path[256], *sql, *error;
	char *prelude = read_file(PRELUDE_FILE, NULL);
	struct trace *trace;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	sql = memory_format("%s%s", prelude, rows);
	build_trace(path, NULL, sql);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	remove_folder(folder);
	free(folder);
	free(prelude);
	free(sql);
	return trace;
}

static size_t count_results(const struct model *model, uint64_t *bytes)
{
	size_t count = 0;

	*bytes = 0;
	for (size_t i = 0; i < model->trace->operation_count; i++) {
		uint64_t of_one = model_result_bytes(model, &model->trace->operations[i]);

		*bytes += of_one;
		count += of_one != 0;
	}
	return count;
}

/* The host reads nothing of a copy that is not made, so that no wait is there for it. */
TEST(test_dropped_copy_gives_no_result)
{
	struct trace *trace = load();
	struct model *model = model_build(trace);
	struct timeline *timeline = timeline_build(model);
	struct edits *edits = edits_create(model);
	struct retimed *retimed;
	uint64_t bytes;

	assert_int_equal(count_results(model, &bytes), 2);
	assert_int_equal(bytes, 8);
	edits_drop_operation(edits, model, &trace->operations[1]);
	retimed = retimed_build(timeline, edits);
	assert_non_null(retimed);
	assert_int_equal(count_results(retimed_observed(retimed)->model, &bytes), 1);
	assert_int_equal(bytes, 4);
	retimed_free(retimed);
	edits_free(edits);
	timeline_free(timeline);
	model_free(model);
	trace_close(trace);
}

RUN_TESTS(NULL, NULL)
