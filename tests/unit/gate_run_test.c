/* What a gate keeps of a trace, and what a diff makes of two of them: of findings made by hand. */
#include "build_trace.h"
#include "cmocka_test.h"
#include "detectors/detector.h"
#include "detectors/instance.h"
#include "findings/interval_private.h"
#include "gate/gate_diff.h"
#include "gate/gate_run.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 2, COPIES = 3 };

static char *folder, path[256];

static struct trace *load(const char *sql)
{
	char *error = NULL;
	struct trace *trace;

	build_trace(path, "overlap.sql", sql);
	trace = trace_load(path, &error);
	if (error)
		fail_msg("%s", error);
	return trace;
}

/* A finding of two lines of one function, and a copy of the second one as its instance, three times. */
static struct gate_run *collect_with(const struct trace *trace, const struct finding *like,
				     bool has_estimates)
{
	const struct model model = {.trace = trace};
	struct finding_site lines[LINES] = {
		{.site = site_describe(trace, trace->calls[0].form->site, NULL),
		 .count = 9,
		 .blocked_ns = 100},
		{.site = site_describe(trace, trace->calls[1].form->site, NULL),
		 .count = 1,
		 .blocked_ns = 300},
	};
	struct instance copies[COPIES];
	struct finding finding = *like;
	struct analysis analysis = {.observed.model = &model,
				    .check.has_estimates = has_estimates,
				    .findings = {.items = &finding, .count = 1}};
	const struct gate_rules rules = {.max_lost = -1};

	for (size_t i = 0; i < COPIES; i++)
		copies[i] =
			(struct instance){.site_call = &trace->calls[1], .call = &trace->calls[1]};
	finding.sites = lines;
	finding.site_count = LINES;
	finding.instances = copies;
	finding.instance_count = COPIES;
	return gate_run_collect(trace, &analysis, &rules);
}

static struct gate_run *collect(const struct trace *trace, const struct finding *like)
{
	return collect_with(trace, like, false);
}

static struct interval plain_range = {40, 400, 4000};

static const struct finding plain = {.id = "pageable-copy",
				     .title = "A title",
				     .fix = "A fix.",
				     .count = 10,
				     .lost = {20, 400, 8000},
				     .replayed = &plain_range};

static void check_saved(const struct gate_run *run, size_t index, int line, int64_t low,
			int64_t estimate, int64_t high)
{
	const struct gate_finding *finding = &run->findings.items[index];

	assert_int_equal(finding->at.line, line);
	assert_int_equal(finding->low_ns, low);
	assert_int_equal(finding->saved_ns, estimate);
	assert_int_equal(finding->high_ns, high);
}

/* Lines that share a fix have parts of it as they have of the time; of the calls where no time was lost. What
 * saves most comes first. */
TEST(test_lines_share_what_is_saved)
{
	struct trace *trace = load(NULL);
	struct finding finding = plain;
	struct gate_run *run;

	finding.blocked_ns = 400;
	run = collect(trace, &finding);
	assert_int_equal(run->findings.count, LINES);
	check_saved(run, 0, 13, 30, 300, 3000);
	check_saved(run, 1, 12, 10, 100, 1000);
	assert_int_equal(run->findings.items[0].bytes, COPIES * 1000000);
	assert_int_equal(run->findings.items[0].kinds.count, 1);
	assert_int_equal(run->findings.items[1].bytes, 0);
	assert_true(run->findings.items[0].is_further);
	assert_null(run->findings.items[0].others);
	assert_non_null(strstr(run->findings.items[1].others, "overlap.cu:13"));
	gate_run_free(run);
	finding.blocked_ns = 0;
	run = collect(trace, &finding);
	check_saved(run, 0, 12, 36, 360, 3600);
	check_saved(run, 1, 13, 4, 40, 400);
	gate_run_free(run);
	trace_close(trace);
}

static void apply_nothing(const struct observed *observed, const struct instance *instances,
			  size_t count, enum doubt doubt, struct edits *edits)
{
}

static bool is_shown_with(int64_t saved_ns, bool has_estimates, const struct detector *detector)
{
	struct trace *trace = load(NULL);
	struct finding finding = plain;
	struct gate_run *run;
	bool is_shown;

	finding.lost.estimate_ns = saved_ns;
	finding.detector = detector;
	run = collect_with(trace, &finding, has_estimates);
	is_shown = run->findings.items[0].is_shown;
	gate_run_free(run);
	trace_close(trace);
	return is_shown;
}

/* Unless it is not known that it saves nothing: without estimates, or if no replay shows the fix. */
TEST(test_nothing_fails_no_gate)
{
	static const struct detector replayed = {.apply = apply_nothing}, open = {.apply = NULL};

	assert_true(is_shown_with(1, true, &replayed));
	assert_false(is_shown_with(0, true, &replayed));
	assert_true(is_shown_with(0, true, &open));
	assert_true(is_shown_with(0, false, &replayed));
}

/* A fix with what the estimate assumes belongs to the finding, which is freed before the run is used. */
TEST(test_fix_outlives_the_finding)
{
	struct trace *trace = load(NULL);
	struct finding finding = plain;
	char fix[] = "A fix.";
	struct gate_run *run;

	finding.fix = fix;
	run = collect(trace, &finding);
	fix[0] = '?';
	assert_string_equal(run->findings.items[0].fix, "A fix.");
	gate_run_free(run);
	trace_close(trace);
}

/* A trace may say anything. */
TEST(test_more_bytes_than_there_are)
{
	struct trace *trace = load("UPDATE operations SET size_bytes = 9223372036854775807;"
				   "UPDATE calls SET size_bytes = 9223372036854775807");
	struct gate_run *run = collect(trace, &plain);

	assert_true(run->findings.items[1].bytes == UINT64_MAX);
	gate_run_free(run);
	trace_close(trace);
}

static const struct gate_finding in_run = {.identity = "pageable-copy a.cu:run",
					   .id = "pageable-copy",
					   .title = "A title",
					   .place = "a.cu:run",
					   .at = {"a.cu", 1, "a.cu:1 in run"},
					   .count = 10,
					   .bytes = 1000,
					   .all_saved = {100, 100, 100},
					   .saved_ns = 100,
					   .low_ns = 100,
					   .high_ns = 100,
					   .pass = 1,
					   .is_shown = true};

/* One finding on each side, and the copies of its place. The caller calls gate_free(). */
static struct gate diff_pair(struct gate_finding *base_finding, struct gate_finding *head_finding)
{
	static const char *const paths[] = {"base.db", "head.db"};
	struct gate gate = {.command = "diff", .paths = paths, .base_count = 1, .path_count = 2};
	const struct gate_rules rules = {.deny = "all", .max_lost = -1};
	struct place_calls base_calls = {base_finding->place, "copy", 10, 1000, 1, 1};
	struct place_calls head_calls = {head_finding->place, "copy", 10, 1000, 1, 1};
	struct gate_run base = {.path = paths[0],
				.untraced_ns = 1000,
				.lead_ns = 300,
				.tail_ns = 40,
				.findings = {base_finding, 1, 1},
				.calls = {&base_calls, 1, 1}};
	struct gate_run head = {.path = paths[1],
				.untraced_ns = 950,
				.lead_ns = 350,
				.tail_ns = 70,
				.has_estimates = true,
				.lost = {1, 2, 3},
				.findings = {head_finding, 1, 1},
				.calls = {&head_calls, 1, 1}};
	const struct gate_run *const runs[] = {&base, &head};

	*vector_add(&base_finding->kinds) = "copy";
	*vector_add(&head_finding->kinds) = "copy";
	gate_diff(&gate, &rules, runs);
	vector_free(&base_finding->kinds);
	vector_free(&head_finding->kinds);
	return gate;
}

/* What is gone in one function and new in another is one that moved, if it is in as many calls and bytes. */
TEST(test_moves)
{
	struct gate_finding base = in_run, head = in_run;
	struct gate gate;

	head.identity = "pageable-copy b.cu:load";
	head.place = "b.cu:load";
	head.at = (struct gate_place){"b.cu", 9, "b.cu:9 in load"};
	gate = diff_pair(&base, &head);
	assert_int_equal(gate.rows.count, 1);
	assert_int_equal(gate.rows.items[0].verdict, GATE_MOVED);
	assert_string_equal(gate.rows.items[0].moved_from, "a.cu:1 in run");
	assert_string_equal(gate.rows.items[0].identity, head.identity);
	assert_int_equal(gate.status, GATE_PASSED);
	assert_int_equal(gate.change.gone_count, 0);
	gate_free(&gate);
	head.bytes = 1100;
	gate = diff_pair(&base, &head);
	assert_int_equal(gate.rows.count, 2);
	assert_int_equal(gate.rows.items[0].verdict, GATE_NEW);
	assert_int_equal(gate.rows.items[1].verdict, GATE_GONE);
	assert_int_equal(gate.status, GATE_FAILED);
	assert_int_equal(gate.change.gone_count, 1);
	gate_free(&gate);
	head = in_run;
	head.at.line = 7;
	gate = diff_pair(&base, &head);
	assert_int_equal(gate.rows.items[0].verdict, GATE_SAME);
	assert_string_equal(gate.rows.items[0].moved_from, "a.cu:1 in run");
	gate_free(&gate);
	gate = diff_pair(&base, &base);
	assert_null(gate.rows.items[0].moved_from);
	gate_free(&gate);
}

/* The wall time with and without what passes before the first operation, and what is left. */
TEST(test_three_numbers)
{
	struct gate_finding base = in_run, head = in_run;
	struct gate gate = diff_pair(&base, &head);
	const struct gate_change *change = &gate.change;

	assert_true(gate.has_change);
	assert_int_equal(change->base.median_ns, 1000);
	assert_int_equal(change->head.median_ns, 950);
	assert_int_equal(change->realised_ns, 50);
	assert_int_equal(change->behind_lead_ns, 100);
	assert_int_equal(change->between_ns, 130);
	assert_int_equal(change->percent, 0);
	assert_true(change->has_left);
	assert_int_equal(change->left.estimate_ns, 2);
	assert_int_equal(change->left_count, 1);
	assert_null(change->rank);
	gate_free(&gate);
}

/* What fails must save something, and as much as asked for; by the whole finding, not by its part at the place. */
TEST(test_what_is_enough)
{
	struct gate_rules rules = {.least_share = 0.005};

	assert_true(gate_is_enough(&rules, 5, 1000));
	assert_false(gate_is_enough(&rules, 4, 1000));
	assert_false(gate_is_enough(&rules, 0, 0));
	rules = (struct gate_rules){.least_ns = 10};
	assert_true(gate_is_enough(&rules, 10, 1000));
	assert_false(gate_is_enough(&rules, 9, 1000));
	rules = (struct gate_rules){0};
	assert_false(gate_is_enough(&rules, 0, 1000));
	assert_true(gate_is_enough(&rules, 1, 1000));
}

static enum gate_verdict diff(const struct gate_finding *lines, size_t count)
{
	static const char *const paths[] = {"base.db", "head.db"};
	struct gate gate = {.command = "diff", .paths = paths, .base_count = 1, .path_count = 2};
	const struct gate_rules rules = {.max_lost = -1};
	struct gate_run base = {.path = paths[0], .untraced_ns = 1000};
	struct gate_run head = {.path = paths[1], .untraced_ns = 1000};
	const struct gate_run *const runs[] = {&base, &head};
	enum gate_verdict verdict;

	for (size_t i = 0; i < count; i++)
		*vector_add(&head.findings) = lines[i];
	gate_diff(&gate, &rules, runs);
	assert_int_equal(gate.rows.count, 1);
	verdict = gate.rows.items[0].verdict;
	vector_free(&head.findings);
	gate_free(&gate);
	return verdict;
}

/* A place has been found as early as the first of its lines that the report lists; what was found in a later pass
 * needs the fixes of others, and is not surely new. */
TEST(test_the_first_pass_of_a_place)
{
	struct gate_finding first = {.identity = "pageable-copy a.cu:run",
				     .id = "pageable-copy",
				     .title = "A title",
				     .place = "a.cu:run",
				     .at = {"a.cu", 1, "a.cu:1 in run"},
				     .count = 1,
				     .saved_ns = 100,
				     .low_ns = 100,
				     .high_ns = 100,
				     .pass = 1,
				     .is_shown = true};
	struct gate_finding second = first, folded = first;

	second.pass = 2;
	folded.is_shown = false;
	assert_int_equal(diff((struct gate_finding[]){first}, 1), GATE_UNDECIDED);
	assert_int_equal(diff((struct gate_finding[]){second}, 1), GATE_SAME);
	assert_int_equal(diff((struct gate_finding[]){first, second}, 2), GATE_UNDECIDED);
	assert_int_equal(diff((struct gate_finding[]){second, first}, 2), GATE_UNDECIDED);
	assert_int_equal(diff((struct gate_finding[]){second, folded}, 2), GATE_SAME);
}

/* So many traces, the first ones of base; text: what the row says. */
static void check_text(const struct gate_run *runs, size_t base_count, size_t count,
		       const char *text)
{
	const char *paths[8];
	const struct gate_run *pointers[8];
	struct gate gate = {
		.command = "diff", .paths = paths, .base_count = base_count, .path_count = count};
	const struct gate_rules rules = {.max_lost = -1};

	for (size_t i = 0; i < count; i++) {
		paths[i] = runs[i].path;
		pointers[i] = &runs[i];
	}
	gate_diff(&gate, &rules, pointers);
	assert_int_equal(gate.rows.count, 1);
	assert_string_equal(gate.rows.items[0].text, text);
	gate_free(&gate);
}

/* How many traces list it, and what its fix saves: the medians. */
TEST(test_what_a_row_says)
{
	struct gate_finding line = {.identity = "pageable-copy a.cu:run",
				    .id = "pageable-copy",
				    .title = "A title",
				    .place = "a.cu:run",
				    .at = {"a.cu", 1, "a.cu:1 in run"},
				    .count = 1,
				    .saved_ns = 100,
				    .low_ns = 100,
				    .high_ns = 100,
				    .pass = 1,
				    .is_shown = true};
	struct place_calls calls = {"a.cu:run", "copy", 10, 1000, 1, 1};
	struct gate_run runs[5];

	*vector_add(&line.kinds) = "copy";
	for (size_t i = 0; i < 5; i++) {
		runs[i] = (struct gate_run){.path = "a.db", .untraced_ns = 1000};
		runs[i].calls.items = &calls;
		runs[i].calls.count = 1;
		runs[i].findings.items = &line;
		runs[i].findings.count = i > 1;
	}
	check_text(runs, 1, 3,
		   "its fix saves 0 ns -> 50 ns (5.0 % of the run)"
		   "; listed in 0 of 1 traces of base, 1 of 2 of head");
	check_text(&runs[1], 1, 3, "its fix saves 0 ns -> 100 ns (10.0 % of the run)");
	check_text(&runs[1], 2, 4,
		   "its fix saves 50 ns -> 100 ns (10.0 % of the run)"
		   "; listed in 1 of 2 traces of base, 2 of 2 of head");
	vector_free(&line.kinds);
}

static int set_up(void **state)
{
	folder = make_folder();
	snprintf(path, sizeof(path), "%s/trace.db", folder);
	return 0;
}

static int tear_down(void **state)
{
	remove_folder(folder);
	free(folder);
	return 0;
}

RUN_TESTS(set_up, tear_down)
