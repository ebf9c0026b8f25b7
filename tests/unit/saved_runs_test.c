/* Runs of a gate in a file: what was written is read, and what others write is checked. */
#include "cmocka_test.h"
#include "gate/gate_change.h"
#include "gate/gate_diff.h"
#include "gate/saved_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"cudaMemcpy (pageable to device)"};

/* A finding of that number, in lines of their own. */
static struct gate_finding finding_at(size_t number, const char *place, int64_t saved_ns)
{
	return (struct gate_finding){.id = "pageable-copy",
				     .place = place,
				     .at = {"a.cu", 3, "a.cu:3 in run"},
				     .number = number,
				     .pass = 1,
				     .count = 49,
				     .bytes = UINT64_MAX,
				     .saved_ns = saved_ns,
				     .low_ns = saved_ns / 2,
				     .high_ns = 2 * saved_ns,
				     .all_saved = {saved_ns / 2, saved_ns, 2 * saved_ns},
				     .is_shown = true,
				     .kinds = {(const char **)(uintptr_t)kinds, 1, 1}};
}

static struct gate_finding findings[3];
static struct place_calls calls = {"a.cu:run", "cudaMemcpy", 49, 4900, 2, 3};
static struct work_count work = {"a kernel, \"quoted\"", 98};

static struct gate_run make_run(void)
{
	findings[0] = finding_at(1, "a.cu:first", 300);
	findings[1] = finding_at(2, "a.cu:run", 200);
	findings[2] = finding_at(3, "a.cu:third", 100);
	return (struct gate_run){.path = "traces/app.db",
				 .program = "app",
				 .words = "--steps 9",
				 .device = "NVIDIA H100",
				 .rank = "3",
				 .untraced_ns = 10000,
				 .lead_ns = 100,
				 .tail_ns = 50,
				 .has_estimates = true,
				 .lost = {250, 500, 900},
				 .findings = {findings, 3, 3},
				 .calls = {&calls, 1, 1},
				 .work = {&work, 1, 1}};
}

/* The caller frees the text. */
static char *write_run(const struct gate_run *run, size_t *size)
{
	const struct gate_run *const runs[] = {run};
	char *text = NULL;
	FILE *stream = open_memstream(&text, size);

	assert_true(saved_runs_write(stream, runs, 1));
	fclose(stream);
	return text;
}

TEST(test_what_was_written_is_read)
{
	struct gate_run run = make_run();
	size_t size, again_size;
	char *text = write_run(&run, &size), *again, *error;
	struct saved_runs saved;
	const struct gate_finding *found;

	assert_true(saved_runs_read(&saved, "main", text, size, &error));
	assert_int_equal(saved.count, 1);
	assert_string_equal(saved.runs[0]->path, "main (app.db)");
	assert_string_equal(saved.runs[0]->words, "--steps 9");
	assert_null(saved.runs[0]->driver);
	found = gate_run_find(saved.runs[0], "pageable-copy a.cu:run", &again_size);
	assert_int_equal(again_size, 1);
	assert_int_equal(found->saved_ns, 200);
	assert_int_equal(found->all_saved.high_ns, 400);
	assert_string_equal(found->kinds.items[0], kinds[0]);
	assert_non_null(strstr(found->title, "pageable"));
	assert_int_equal(saved.runs[0]->calls.items[0].streams, 3);
	assert_string_equal(saved.runs[0]->work.items[0].name, work.name);
	/* Byte by byte, but for the name of the trace. */
	again = write_run(saved.runs[0], &again_size);
	assert_non_null(strstr(text, "\"trace\":\"app.db\""));
	assert_non_null(strstr(again, "\"trace\":\"main (app.db)\""));
	assert_string_equal(strstr(text, "\"program\""), strstr(again, "\"program\""));
	free(again);
	saved_runs_free(&saved);
	free(text);
}

/* A finding a line: git shows and merges lines. Merged lines need not be in order. */
TEST(test_lines)
{
	struct gate_run run = make_run();
	size_t size, lines = 0;
	char *text = write_run(&run, &size), *error;
	struct saved_runs saved;

	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 11);
	free(text);
	run.findings.count = 2;
	findings[0] = finding_at(1, "z.cu:last", 300);
	text = write_run(&run, &size);
	assert_true(saved_runs_read(&saved, "main", text, size, &error));
	assert_string_equal(saved.runs[0]->findings.items[0].place, "a.cu:run");
	saved_runs_free(&saved);
	free(text);
}

static void check_refused(const char *text, const char *expected)
{
	struct saved_runs saved;
	char *error = NULL;

	assert_false(saved_runs_read(&saved, "main", text, strlen(text), &error));
	assert_non_null(strstr(error, expected));
	saved_runs_free(&saved);
	free(error);
}

/* The run's text with one part replaced. */
static void check_changed(const char *part, const char *with, const char *expected)
{
	struct gate_run run = make_run();
	size_t size;
	char *text = write_run(&run, &size), *at = strstr(text, part), *changed = NULL;

	assert_non_null(at);
	assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, with,
			     at + strlen(part)) > 0);
	check_refused(changed, expected);
	free(changed);
	free(text);
}

TEST(test_what_is_refused)
{
	check_refused("", "line 1: ");
	check_refused("{\"a\": 1}", "is not a baseline");
	check_refused("[]", "is not a baseline");
	check_refused("{\"streamtrace_baseline\": 2}", "newer version");
	check_refused("{\"streamtrace_baseline\": 1, \"runs\": []}", "has no runs");
	check_refused("{\"streamtrace_baseline\": 1, \"runs\": [7]}", "'trace' is missing");
	check_refused("<<<<<<< HEAD\n{}\n", "line 1: ");
	check_changed("\"times\":49", "\"times\":-1", "'times' is missing or wrong");
	check_changed("\"keys\":2", "\"keys\":0", "'keys' is missing or wrong");
	/* Lines of one name are added. */
	check_changed("\"calls\":49", "\"calls\":2305843009213693951",
		      "'calls' is missing or wrong");
	check_changed("\"operations\":98", "\"operations\":2305843009213693951",
		      "'operations' is missing or wrong");
	check_changed("\"operations\":98", "\"operations\":0", "'operations' is missing or wrong");
	check_changed("\"saved_ns\":500", "\"saved_ns\":\"x\"", "'saved_ns' is missing or wrong");
	check_changed("\"untraced_ns\":10000", "\"untraced_ns\":9223372036854775807",
		      "'untraced_ns' is missing or wrong");
}

/* A diff with a head that has what is not gone. The caller frees the gate. */
static struct gate recall(const struct gate_run *base, size_t first, size_t count)
{
	static const char *const paths[] = {"base", "head"};
	struct gate gate = {.command = "diff", .paths = paths, .base_count = 1, .path_count = 2};
	const struct gate_rules rules = {.max_lost = -1};
	struct gate_run head = *base;
	const struct gate_run *const runs[] = {base, &head};

	head.findings.items = findings + first;
	head.findings.count = count;
	gate_diff(&gate, &rules, runs);
	gate_change_recall(&gate, base);
	return gate;
}

/* A file has what each fix saves and what all do, and not what any others save together: savings cannot be added. */
TEST(test_what_is_recalled)
{
	struct gate_run made = make_run();
	size_t size;
	char *text = write_run(&made, &size), *error;
	struct saved_runs saved;
	struct gate_run *base;
	struct gate gate;

	assert_true(saved_runs_read(&saved, "main", text, size, &error));
	base = saved.runs[0];
	for (size_t i = 0; i < 3; i++)
		findings[i].identity = base->findings.items[i].identity;
	gate = recall(base, 0, 0);
	assert_int_equal(gate.change.gone_count, 3);
	assert_int_equal(gate.change.predicted.estimate_ns, 500);
	gate_free(&gate);
	gate = recall(base, 0, 2);
	assert_true(gate.change.has_predicted);
	assert_int_equal(gate.change.predicted.estimate_ns, 100);
	gate_free(&gate);
	gate = recall(base, 2, 1);
	assert_false(gate.change.has_predicted);
	assert_int_equal(gate.change.gone_count, 2);
	assert_non_null(strstr(gate.change.no_prediction, "300 ns to 500 ns"));
	gate_free(&gate);
	gate = recall(base, 0, 3);
	assert_false(gate.change.has_predicted);
	assert_null(gate.change.no_prediction);
	gate_free(&gate);
	/* The finding has two lines. One of them is gone. */
	base->findings.items[0].number = base->findings.items[1].number = 1;
	base->findings.items[1].is_further = true;
	gate = recall(base, 1, 2);
	assert_int_equal(gate.change.gone_count, 1);
	assert_false(gate.change.has_predicted);
	gate_free(&gate);
	saved_runs_free(&saved);
	free(text);
}

RUN_TESTS(NULL, NULL)
