/*
 * A report for a pull request: a table, and what is known of the findings folded below it.
 *
 * Texts of a trace are inert: short ones are code spans, the rest stands in one fenced block, whose
 * fence is longer than any run of backticks in it.
 */
#include "base/format.h"
#include "base/memory.h"
#include "render/figures.h"
#include "render/finding_block.h"
#include "render/finding_table.h"
#include "render/incident_table.h"
#include "render/md_text.h"
#include "render/notes.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_WIDTH 100

static void put_run(FILE *out, const struct trace *trace, const struct analysis *analysis)
{
	char *program = figures_program(trace), *devices = render_devices(trace);
	char *recorded = figures_recorded(trace, analysis);
	char *check = figures_self_check(trace, analysis);

	md_code(out, program);
	fputs(" on ", out);
	md_code(out, devices ? devices : "unknown device");
	fprintf(out, ", %s%s%s\n", recorded, check ? ", " : "", check ? check : "");
	free(check);
	free(recorded);
	free(devices);
	free(program);
}

static void put_row(FILE *out, const struct trace *trace, const struct analysis *analysis,
		    size_t index)
{
	const struct finding *finding = &analysis->findings.items[index];
	int64_t saved_ns = finding_saved_ns(finding, analysis->check.has_estimates);
	char *range = finding->is_bound ? NULL : figures_range(analysis, &finding->lost);
	char *site = render_sites(trace, finding);
	struct format time, percent, count;

	fprintf(out, "| %zu | %s%s | %s | %s | %s | ", index + 1, finding_mark(finding),
		format_time(&time, saved_ns),
		format_percent(&percent, saved_ns, analysis->check.untraced_ns), range ? range : "",
		finding->id);
	md_code(out, site);
	fprintf(out, " | %s |\n", format_count(&count, finding->count));
	free(site);
	free(range);
}

static void put_table(FILE *out, const struct trace *trace, const struct analysis *analysis,
		      bool all)
{
	fputs("\n| # | saves | of run | range | what | where | times |\n"
	      "|--:|--:|--:|--:|---|---|--:|\n",
	      out);
	for (size_t i = 0; i < analysis->findings.count; i++)
		if (analysis_shows(analysis, i, all))
			put_row(out, trace, analysis, i);
}

static struct page open_page(char **text, size_t *size)
{
	struct page page = {.width = BLOCK_WIDTH, .table_width = BLOCK_WIDTH, .is_utf8 = true};

	page.out = open_memstream(text, size);
	return page;
}

/* What a step takes, blocks and notes, as the text has them; malloc'ed, NULL: out of memory. */
static char *make_details(const struct trace *trace, const struct analysis *analysis, bool all)
{
	char *text = NULL, *steps;
	size_t size;
	struct page page = open_page(&text, &size);

	if (!page.out)
		return NULL;
	steps = figures_steps(trace, analysis);
	if (steps)
		print_heading(&page, steps);
	free(steps);
	for (size_t i = 0; i < analysis->findings.count; i++)
		if (analysis_shows(analysis, i, all))
			print_finding_block(&page, trace, analysis, i + 1, all);
	print_notes(&page, trace, analysis, all);
	return fclose(page.out) ? NULL : text;
}

/* The text, which ends a line, between fences. */
static void put_fenced(FILE *out, const char *text)
{
	size_t fence = md_longest_run(text) + 1;

	fence = fence < 3 ? 3 : fence;
	md_fence(out, fence);
	fprintf(out, "text%s", text);
	md_fence(out, fence);
}

static bool put_details(FILE *out, const struct trace *trace, const struct analysis *analysis,
			bool all)
{
	char *text = make_details(trace, analysis, all);

	if (!text)
		return false;
	fputs("\n<details><summary>Evidence, fixes and notes</summary>\n\n", out);
	put_fenced(out, text);
	fputs("\n\n</details>\n", out);
	free(text);
	return true;
}

/* False: out of memory. */
static bool put_incident(FILE *out, const struct incident *incident, bool all)
{
	char *text = NULL;
	size_t size;
	struct page page = open_page(&text, &size);
	bool ok;

	if (!page.out)
		return false;
	fputc('\n', page.out);
	ok = print_incident(&page, incident, all);
	ok &= !fclose(page.out);
	if (ok) {
		fputs("### streamtrace: incident\n\n", out);
		put_fenced(out, text);
		fputs("\n\n", out);
	}
	free(text);
	return ok;
}

static void begin_md(struct rendering *rendering)
{
	if (rendering->seen_count++)
		fputc('\n', rendering->out);
}

static bool report_md(struct rendering *rendering, const struct trace *trace,
		      const struct analysis *analysis, bool all)
{
	char *answer = figures_answer(trace, analysis);
	char *range = figures_range(analysis, &analysis->findings.lost);
	FILE *out = rendering->out;
	bool ok = !analysis->incident || put_incident(out, analysis->incident, all);

	fprintf(out, "### streamtrace: %s%s%s\n\n", answer, range ? ", range " : "",
		range ? range : "");
	free(range);
	free(answer);
	put_run(out, trace, analysis);
	if (finding_table_count(analysis, all))
		put_table(out, trace, analysis, all);
	return ok && put_details(out, trace, analysis, all);
}

static bool end_md(struct rendering *rendering)
{
	return true;
}

const struct renderer renderer_md = {
	.begin = begin_md,
	.report = report_md,
	.end = end_md,
};
