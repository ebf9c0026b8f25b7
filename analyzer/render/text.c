#include "base/format.h"
#include "base/memory.h"
#include "findings/activity.h"
#include "render/device_table.h"
#include "render/figures.h"
#include "render/finding_block.h"
#include "render/finding_table.h"
#include "render/first_use_text.h"
#include "render/idle_table.h"
#include "render/incident_table.h"
#include "render/notes.h"
#include "render/page.h"
#include "render/race_text.h"
#include "render/render.h"
#include "render/spark.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "pageable_copy on NVIDIA H100, 1.12 s recorded               self-check 0.0 %" */
void render_run(const struct page *page, const struct trace *trace, const struct analysis *analysis)
{
	char *program = figures_program(trace), *devices = render_devices(trace);
	char *recorded = figures_recorded(trace, analysis);
	char *check = figures_self_check(trace, analysis);
	char *run = memory_format("%s on %s, %s", program, devices ? devices : "an unknown device",
				  recorded);

	print_apart(page, run, check ? check : "");
	free(run);
	free(check);
	free(recorded);
	free(devices);
	free(program);
}

/* figures_answer() as a line of its own; malloc'ed. */
static char *answer_line(const struct trace *trace, const struct analysis *analysis)
{
	char *answer = figures_answer(trace, analysis);

	*answer = (char)toupper((unsigned char)*answer);
	return answer;
}

/* "531 ms (47 %) can be won back by overlap                 range 406..541 ms" */
static void print_saving(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis)
{
	char *saving = answer_line(trace, analysis);
	char *range = figures_range(analysis, &analysis->findings.lost);
	char *ends =
		range ? memory_format("range %s", range)
		      : memory_format("%s", analysis->check.has_estimates ? "" : "no estimates");

	print_apart(page, saving, ends);
	free(ends);
	free(range);
	free(saving);
}

static void print_answer(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis)
{
	char *answer, *sample, *steps;

	page_set_style(page, PAGE_STRONG);
	if (trace->operation_count && figures_won_back_ns(analysis) > 0) {
		print_saving(page, trace, analysis);
	} else {
		answer = trace->operation_count ? idle_answer(analysis)
						: answer_line(trace, analysis);
		print_wrapped(page, NULL, 0, answer);
		free(answer);
	}
	page_set_style(page, PAGE_PLAIN);
	sample = figures_sample(analysis);
	if (sample)
		print_wrapped(page, NULL, 0, sample);
	free(sample);
	steps = figures_steps(trace, analysis);
	if (steps)
		print_wrapped(page, NULL, 0, steps);
	free(steps);
}

/* What the findings that are shown save together is another time than their sum. */
static const char *compare_with_sum(const struct analysis *analysis)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < analysis->findings.count; i++)
		if (!analysis->findings.items[i].is_folded && !analysis->findings.items[i].costs_ns)
			sum_ns += analysis->findings.items[i].lost.estimate_ns;
	if (sum_ns >
	    analysis->findings.lost.estimate_ns + analysis->findings.lost.estimate_ns / 100)
		return "Together they save less than their sum: the savings overlap.";
	if (analysis->check.has_estimates &&
	    sum_ns <
		    analysis->findings.lost.estimate_ns - analysis->findings.lost.estimate_ns / 100)
		return "Together they save more than their sum: some waits hide others.";
	return NULL;
}

/* What the marks in the table mean, where it has them; and what to leave out. */
static void print_marks(const struct page *page, const struct analysis *analysis, bool all)
{
	static const char *const marks[][2] = {{"+", "+ counts only once the fixes above are in."},
					       {"<", "< at most that: too small to be replayed."}};
	struct format time;

	for (size_t mark = 0; mark < sizeof(marks) / sizeof(*marks); mark++)
		for (size_t i = 0; i < analysis->findings.count; i++)
			if (analysis_shows(analysis, i, all) &&
			    !strcmp(finding_mark(&analysis->findings.items[i]), marks[mark][0])) {
				print_wrapped(page, NULL, 0, marks[mark][1]);
				break;
			}
	for (size_t i = 0; i < analysis->findings.count; i++)
		if (analysis_shows(analysis, i, all) && analysis->findings.items[i].costs_ns)
			print_formatted(page, NULL, 0,
					"Leave out %zu: with the fixes above it costs %s.", i + 1,
					format_time(&time, analysis->findings.items[i].costs_ns));
}

static bool print_table(const struct page *page, const struct trace *trace,
			const struct analysis *analysis, bool all)
{
	struct finding_table *table = finding_table_create();
	bool ok;

	finding_table_add(table, trace, analysis, all, NULL);
	ok = finding_table_print(table, page);
	finding_table_free(table);
	return ok;
}

static void print_hidden(const struct page *page, const struct analysis *analysis, bool has_rows)
{
	const char *plural = analysis->selected.hidden_count == 1 ? "" : "s";
	char *saving;

	if (!has_rows && analysis->selected.unmatched) {
		print_wrapped(page, NULL, 0, analysis->selected.unmatched);
		return;
	}
	if (!has_rows || !analysis->check.has_estimates) {
		print_formatted(page, NULL, 0, "%zu finding%s left out, as asked for.",
				analysis->selected.hidden_count, plural);
		return;
	}
	saving = figures_interval(analysis, &analysis->selected.lost);
	print_formatted(page, NULL, 0,
			"%zu finding%s left out, as asked for. Those shown save %s together.",
			analysis->selected.hidden_count, plural, saving);
	free(saving);
}

static bool lacks_line(const struct site *site)
{
	return site->module && !(site->file && site->line > 0);
}

/* "No source lines for ./app: compile it with -g." */
static void print_without_lines(const struct page *page, const struct trace *trace,
				const struct analysis *analysis, bool all)
{
	const char *module = NULL;
	bool is_one = true;

	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct site *site = &analysis->findings.items[i].site;

		if (!analysis_shows(analysis, i, all) || !lacks_line(site))
			continue;
		is_one &= !module || !strcmp(module, site->module);
		module = site->module;
	}
	if (module && !trace_metadata(trace, "recorder"))
		print_formatted(page, NULL, 0, "No source lines for %s%s: compile with -g.",
				strrchr(module, '/') ? strrchr(module, '/') + 1 : module,
				is_one ? "" : " and others");
}

static bool print_list(const struct page *page, const struct trace *trace,
		       const struct analysis *analysis, bool all)
{
	const char *sum =
		analysis->findings.lost.estimate_ns > 0 && !analysis->selected.hidden_count
			? compare_with_sum(analysis)
			: NULL;
	size_t smaller = finding_table_count(analysis, true) - finding_table_count(analysis, false);
	bool has_rows = finding_table_count(analysis, all) > 0, ok = true;
	struct format time;

	if (!has_rows && (all || !smaller) && !analysis->selected.hidden_count)
		return true;
	fputc('\n', page->out);
	if (has_rows)
		ok = print_table(page, trace, analysis, all);
	if (has_rows && sum)
		print_wrapped(page, NULL, 0, sum);
	print_marks(page, analysis, all);
	if (has_rows)
		print_without_lines(page, trace, analysis, all);
	if (smaller > 0 && !all)
		print_formatted(page, NULL, 0, "%zu smaller finding%s (%s%s): shown with --all.",
				smaller, smaller == 1 ? "" : "s",
				format_time(&time, analysis->findings.folded_ns),
				smaller == 1 ? "" : " in all");
	if (analysis->selected.hidden_count)
		print_hidden(page, analysis, has_rows);
	return ok;
}

static void print_activity(const struct page *page, const struct trace *trace,
			   const struct analysis *analysis)
{
	struct device_load load = {.idle_ns = analysis->headline.idle_ns,
				   .overlapped_ns = analysis->headline.overlapped_ns};

	fputc('\n', page->out);
	memcpy(load.busy_ns, analysis->headline.busy_ns, sizeof(load.busy_ns));
	if (analysis->device_count > 1)
		print_devices(page, trace, analysis);
	else
		print_sparks(page, trace, analysis, ACTIVITY_ALL, &load);
	print_idle_causes(page, analysis);
}

static void print_failures(const struct page *page, const struct trace *trace,
			   const struct analysis *analysis)
{
	char *failure = notes_failure(trace, analysis);

	if (failure)
		print_formatted(page, "failed:", 8, "%s", failure);
	free(failure);
}

/* The first finding's block is on the first screen, before the bars. */
static void print_blocks(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis, bool all)
{
	bool has_bars = !trace->operation_count;

	for (size_t i = 0; i < analysis->findings.count; i++) {
		if (!analysis_shows(analysis, i, all))
			continue;
		print_finding_block(page, trace, analysis, i + 1, all);
		if (!has_bars)
			print_activity(page, trace, analysis);
		has_bars = true;
	}
	if (!has_bars)
		print_activity(page, trace, analysis);
}

bool render_page(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all)
{
	char *nothing = not_seen_nothing(trace);
	bool ok = !analysis->incident || print_incident(page, analysis->incident, all);

	render_run(page, trace, analysis);
	print_failures(page, trace, analysis);
	print_race_alarm(page, trace, analysis);
	if (nothing) {
		print_formatted(page, NULL, 0, "No CUDA call was traced: %s.", nothing);
	} else {
		print_answer(page, trace, analysis);
		ok &= print_list(page, trace, analysis, all);
		print_blocks(page, trace, analysis, all);
		if (trace->operation_count)
			print_idle_lines(page, analysis);
		print_first_uses(page, trace, analysis);
		print_races(page, trace, analysis, all);
	}
	print_notes(page, trace, analysis, all);
	free(nothing);
	return ok;
}

bool render_text(FILE *out, const struct trace *trace, const struct analysis *analysis, bool all)
{
	struct page page = page_open(out);

	return render_page(&page, trace, analysis, all);
}
