/*
 * A report of a sample says what one of the whole run does: of a loop that waits for nothing that it needs,
 * with one wait of 30 ms somewhere in it. Times are ns.
 */
#include "base/parallel.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "findings/analysis.h"
#include "findings/interval_private.h"
#include "findings/sampling.h"
#include "findings/whatif_replay.h"
#include "findings/whatif_run.h"
#include "report_text.h"
#include "sample/sample.h"
#include "test_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOP_LINE  11
#define STALL_LINE 21

/*
 * An iteration of 20000 to 24000: a launch of 2000, a kernel of 7000 to 11000, which nothing follows in its
 * stream before the host has waited for it and worked for 8000. The kernels change by up to 2000 each 700
 * iterations, so that slices differ. Before one of 120000 a copy of 30 ms in another stream, which the host
 * waits for, too.
 */
static const char run[] =
	"INSERT INTO metadata VALUES ('program', 'app'), ('cupti', 'on'), ('end', 'exit');"
	"INSERT INTO devices (id, name, copy_engines, link_bytes_per_s) VALUES (0, 'NVIDIA H100', "
	"3, 1);"
	"INSERT INTO contexts VALUES (1, 0, 7);"
	"INSERT INTO strings VALUES (1, '_Z4workPf');"
	"INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (1, 7, 3, 0,"
	" NULL), (1, 13, 2, 0, 1300), (1, 14, 2, 0, 1400);"
	"INSERT INTO threads VALUES (100, 'app');"
	"INSERT INTO functions (id, name, class) VALUES (1, 'cudaMemcpyAsync', 'copy'), (2,"
	" 'cudaLaunchKernel', 'launch'), (4, 'cudaStreamSynchronize', 'stream-sync');"
	"INSERT INTO modules VALUES (1, 'app', NULL);"
	"INSERT INTO frames (site_id, depth, module_id, offset, function, file, line) VALUES"
	" (10, 0, 1, 10, '_Z3runv', 'app.cu', 10), (11, 0, 1, 11, '_Z3runv', 'app.cu', 11),"
	" (20, 0, 1, 20, '_Z3runv', 'app.cu', 20), (21, 0, 1, 21, '_Z3runv', 'app.cu', 21);"
	"INSERT INTO call_sites SELECT site_id, 1 FROM frames;"
	"CREATE TEMP TABLE loop AS WITH RECURSIVE n(i, at) AS (SELECT 0, 1000000000 UNION ALL"
	" SELECT i + 1, at + 20000 + i % 1009 * 2 + i / 700 * 37 % 11 * 200 +"
	" iif(i = 77777, 30010000, 0)  FROM n WHERE i + 1 < 120000) SELECT i, at +"
	" iif(i = 77777, 30010000, 0) at, 7000 + i % 1009 * 2 + i / 700 * 37 % 11 * 200"
	" kernel FROM n;"
	"CREATE VIEW row_of_call AS SELECT 0 id, 0 function, 0 line, 0 start, 0 end, 0 stream"
	" WHERE 0;"
	"CREATE TEMP TRIGGER put INSTEAD OF INSERT ON row_of_call BEGIN INSERT INTO calls"
	" (id, thread_id, function_id, start_ns, end_ns, result, api_path, "
	" per_thread_stream, site_id, correlation_id, stream_handle, size_bytes, dst, src)"
	" VALUES (NEW.id, 100, NEW.function, NEW.start, NEW.end, 0, 0, 0, NEW.line, "
	" iif(NEW.function = 4, NULL, NEW.id), NEW.stream, iif(NEW.function = 1, 1000000,"
	" NULL),  iif(NEW.function = 1, 50000000, NULL), iif(NEW.function = 1, 90000000,"
	" NULL));"
	" END;"
	"INSERT INTO row_of_call SELECT 2 * i + 10, 2, 10, at, at + 2000, 1300 FROM loop;"
	"INSERT INTO row_of_call SELECT 2 * i + 11, 4, 11, at + 2000, at + 4000 + kernel,"
	" 1300 FROM loop;"
	"INSERT INTO row_of_call SELECT 1, 1, 20, at - 30010000, at - 30008000, 1400 FROM"
	" loop WHERE i = 77777;"
	"INSERT INTO row_of_call SELECT 2, 4, 21, at - 30008000, at - 5000, 1400 FROM loop"
	" WHERE i = 77777;"
	"INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id,"
	" correlation_id, name_id, copy_kind, src_kind, dst_kind, is_async, size_bytes)"
	" SELECT 1, at + 2000, at + 2000 + kernel, 0, 1, 13, 2 * i + 10, 1, NULL, NULL, NULL,"
	" NULL,  NULL FROM loop UNION ALL SELECT 2, at - 30007000, at - 7000, 0, 1, 14, 1,"
	" NULL, 1, 2, 3, 1, 1000000 FROM loop  WHERE i = 77777;";

static struct trace *load(void)
{
	struct trace *trace;
	char *error;

	trace = trace_load(path, &error);
	if (!trace)
		fail_msg("%s", error);
	trace_resolve_sites(trace);
	return trace;
}

static const struct finding *find_line(const struct analysis *analysis, int line)
{
	for (size_t i = 0; i < analysis->findings.count; i++)
		if (analysis->findings.items[i].site.line == line &&
		    !analysis->findings.items[i].is_folded)
			return &analysis->findings.items[i];
	fail_msg("nothing found in line %d", line);
	return NULL;
}

static void check_near(double a, double b, double most)
{
	if (a - b > most || b - a > most)
		fail_msg("%g and %g differ by more than %g", a, b, most);
}

TEST(test_it_says_the_same)
{
	struct trace *trace = load();
	struct analysis *exact = analysis_run(trace), *sampled = analysis_run_sampled(trace);
	double most_ns = 0.01 * (double)exact->headline.wall_ns;
	const struct finding *a = find_line(exact, LOOP_LINE), *b = find_line(sampled, LOOP_LINE);

	assert_null(exact->sample);
	assert_non_null(sampled->sample);
	assert_true(2 * sample_taken(sampled->sample) < sample_slices(sampled->sample));
	assert_true(exact->check.has_estimates && sampled->check.has_estimates);
	assert_int_equal(sampled->headline.wall_ns, exact->headline.wall_ns);
	assert_int_equal(sampled->headline.idle_ns, exact->headline.idle_ns);
	check_near((double)sampled->check.replayed_ns, (double)exact->check.replayed_ns, most_ns);
	check_near((double)sampled->findings.lost.estimate_ns,
		   (double)exact->findings.lost.estimate_ns, most_ns);
	assert_true(sampled->findings.replayed->low_ns <= exact->findings.lost.estimate_ns);
	assert_true(sampled->findings.replayed->high_ns >= exact->findings.lost.estimate_ns);
	check_near((double)b->count, (double)a->count, 0.01 * (double)a->count);
	check_near((double)b->blocked_ns, (double)a->blocked_ns, 0.01 * (double)a->blocked_ns);
	check_near((double)b->lost.estimate_ns, (double)a->lost.estimate_ns, most_ns);
	assert_true(a->lost.estimate_ns > 20 * exact->headline.wall_ns / 100);
	analysis_free(sampled);
	analysis_free(exact);
	trace_close(trace);
}

TEST(test_what_happens_once)
{
	struct trace *trace = load();
	struct analysis *exact = analysis_run(trace), *sampled = analysis_run_sampled(trace);
	const struct finding *a = find_line(exact, STALL_LINE), *b = find_line(sampled, STALL_LINE);

	assert_int_equal(a->count, 1);
	assert_int_equal(b->count, 1);
	assert_int_equal(a->blocked_ns, b->blocked_ns);
	check_near((double)b->lost.estimate_ns, (double)a->lost.estimate_ns,
		   0.05 * (double)a->lost.estimate_ns);
	assert_true(a->lost.estimate_ns > 20000000);
	analysis_free(sampled);
	analysis_free(exact);
	trace_close(trace);
}

static void check_widened(const struct interval *widened, struct interval bare, int64_t error_ns)
{
	assert_true(error_ns > 0);
	assert_int_equal(widened->low_ns, bare.low_ns - error_ns);
	assert_int_equal(widened->estimate_ns, bare.estimate_ns);
	assert_int_equal(widened->high_ns, bare.high_ns + error_ns);
}

/* Both ends of a range lie farther out by the sample's error: of what all save, and of each finding. */
TEST(test_error_widens)
{
	struct trace *trace = load();
	struct analysis *sampled = analysis_run_sampled(trace);
	const struct findings *findings = &sampled->findings;
	struct sampling sampling = sampling_judge(sampled, findings);
	const struct finding *line = find_line(sampled, LOOP_LINE), **shown;
	size_t count;

	assert_int_equal(sampling.answer, SAMPLING_IS_ENOUGH);
	assert_int_equal(sampling.error_ns, findings->sample_error_ns);
	shown = whatif_shown(findings, &count);
	check_widened(
		findings->replayed,
		whatif_saving(sampled, shown, count, whatif_bound(sampled, shown, count, false)),
		sampling.error_ns);
	check_widened(line->replayed,
		      whatif_saving(sampled, &line, 1, whatif_bound(sampled, &line, 1, false)),
		      sampling.errors_ns[line - findings->items]);
	free(shown);
	free(sampling.errors_ns);
	analysis_free(sampled);
	trace_close(trace);
}

/* A range of 10 to 50 with an error of 3, and with one of 20: no saving is below 0. */
TEST(test_ends_of_error)
{
	struct interval range = {10, 30, 50}, low = {10, 30, 50};

	sampling_widen_by(&range, 3);
	assert_int_equal(range.low_ns, 7);
	assert_int_equal(range.estimate_ns, 30);
	assert_int_equal(range.high_ns, 53);
	sampling_widen_by(&low, 20);
	assert_int_equal(low.low_ns, 0);
	assert_int_equal(low.high_ns, 70);
}

/* The engines' times with the fixes. */
TEST(test_whatif)
{
	struct trace *trace = load();
	struct analysis *exact = analysis_run(trace), *sampled = analysis_run_sampled(trace);
	const struct finding *a = find_line(exact, LOOP_LINE), *b = find_line(sampled, LOOP_LINE);
	struct whatif x = whatif_replay(exact, &a, 1), y = whatif_replay(sampled, &b, 1);
	double most_ns = 0.01 * (double)exact->headline.wall_ns;

	check_near((double)y.saved.estimate_ns, (double)x.saved.estimate_ns, most_ns);
	/* Widened by the sample's error, as in the report. */
	assert_int_equal(y.saved.low_ns, b->lost.low_ns);
	assert_int_equal(y.saved.high_ns, b->lost.high_ns);
	check_near((double)y.headline.wall_ns, (double)x.headline.wall_ns, most_ns);
	check_near((double)y.headline.idle_ns, (double)x.headline.idle_ns, most_ns);
	check_near((double)y.headline.busy_ns[ENGINE_COMPUTE],
		   (double)x.headline.busy_ns[ENGINE_COMPUTE], most_ns);
	analysis_free(sampled);
	analysis_free(exact);
	trace_close(trace);
}

/* Freed with free(). */
static char *report_with(size_t workers)
{
	struct trace *trace;
	struct analysis *analysis;
	char *text;

	parallel_limit(workers);
	trace = load();
	analysis = analysis_run_sampled(trace);
	assert_non_null(analysis->sample);
	text = report_text(trace, analysis);
	analysis_free(analysis);
	trace_close(trace);
	parallel_limit(0);
	return text;
}

TEST(test_it_says_so_again)
{
	char *once = report_with(1);

	for (size_t workers = 1; workers <= 8; workers *= 2) {
		char *again = report_with(workers);

		assert_string_equal(again, once);
		free(again);
	}
	free(once);
}

static int set_up(void **state)
{
	int failed = test_folder_set_up(state);

	if (!failed)
		build_trace(path, NULL, run);
	return failed;
}

RUN_TESTS(set_up, test_folder_tear_down)
