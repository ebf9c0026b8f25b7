/* What parts of the host's time count in a sample: those of the slices, not what lies between them. */
#include "cmocka_test.h"
#include "build_trace.h"
#include "detectors/host/host_parts.h"
#include "replay/observed.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

/* The case has 8 compilations, a call of line 40 behind each. */
enum { COMPILATIONS = 8 };

struct sampled {
	char *folder;
	struct trace *trace;
	struct trace_window window;
};

static void open_case(struct sampled *sampled)
{
	char *prelude = read_file(PRELUDE_FILE, NULL), *rows = read_case(CASE_FILE), *error = NULL;
	char *path, *sql;

	sampled->folder = make_folder();
	assert_true(asprintf(&path, "%s/trace.db", sampled->folder) > 0);
	assert_true(asprintf(&sql, "%s%s", prelude, rows) > 0);
	build_trace(path, NULL, sql);
	sampled->trace = trace_load(path, &error);
	assert_non_null(sampled->trace);
	free(sql);
	free(path);
	free(rows);
	free(prelude);
}

/* The run is one slice that counts from that call on. */
static size_t found_from(struct sampled *sampled, uint32_t counted_call)
{
	struct observed observed = observed_build(model_build(sampled->trace));
	struct instances found = {0};
	size_t count;

	sampled->window = (struct trace_window){.start_ns = INT64_MIN,
						.end_ns = INT64_MAX,
						.weight = 1,
						.counted_call = counted_call,
						.end_call = UINT32_MAX};
	sampled->trace->windows = &sampled->window;
	sampled->trace->window_count = 1;
	sampled->trace->is_sample = true;
	host_parts_find(&observed, HOST_KIND_COMPILE, &found);
	sampled->trace->is_sample = false;
	sampled->trace->windows = NULL;
	sampled->trace->window_count = 0;
	count = found.count;
	free(found.items);
	observed_free(&observed);
	return count;
}

TEST(parts_between_slices_do_not_count)
{
	struct sampled sampled = {0};

	open_case(&sampled);
	assert_int_equal(found_from(&sampled, 0), COMPILATIONS);
	assert_int_equal(found_from(&sampled, (uint32_t)sampled.trace->call_count), 0);
	trace_close(sampled.trace);
	remove_folder(sampled.folder);
	free(sampled.folder);
}

RUN_TESTS(NULL, NULL)
