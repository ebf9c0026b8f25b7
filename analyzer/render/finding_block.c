#include "render/finding_block.h"

#include "base/format.h"
#include "base/memory.h"
#include "findings/sources.h"
#include "render/figures.h"
#include "render/render.h"
#include "trace/short_name.h"

#include <stdlib.h>
#include <string.h>

#define EVIDENCE_ROWS 3
#define INDENT	      4
#define NARROW_INDENT 8

/* Beside its times, or below where a name is too long for that. */
static void print_row(const struct page *page, const struct evidence_row *row, const char *text)
{
	struct format start, duration;
	char *lead = memory_format("    at %-7s for %-7s  ", format_time(&start, row->start_ns),
				   format_time(&duration, row->end_ns - row->start_ns));
	int indent = (int)strlen(lead);

	if ((size_t)indent + page_longest_word(page, text) > page->width) {
		print_formatted(page, NULL, INDENT, "at %s for %s", start.text, duration.text);
		print_wrapped(page, NULL, NARROW_INDENT, text);
	} else {
		print_wrapped(page, lead, indent, text);
	}
	free(lead);
}

/* What the row before said is not said again. */
static char *row_text(const struct evidence_row *row, const struct evidence_row *before)
{
	const char *text = before && !strcmp(before->text, row->text) ? "the same" : row->text;
	char *range = render_range(row->range), *before_range, *result;
	bool is_same;

	before_range = before ? render_range(before->range) : NULL;
	is_same = range && before_range && !strcmp(range, before_range);
	if (!range || (is_same && text != row->text))
		result = memory_format("%s", text);
	else
		result = memory_format("%s, in NVTX range %s", text, range);
	free(before_range);
	free(range);
	return result;
}

/* rows: at most. */
static void print_evidence(const struct page *page, const struct finding *finding, size_t rows)
{
	for (size_t i = 0; i < finding->evidence_count && i < rows; i++) {
		const struct evidence_row *row = &finding->evidence[i];
		char *text = row_text(row, i ? row - 1 : NULL);

		print_row(page, row, text);
		free(text);
	}
}

/* What the list says beside what the fix saves alone. */
static void print_order(const struct page *page, const struct analysis *analysis,
			const struct finding *finding)
{
	const struct in_order *row = &analysis->in_order[finding - analysis->findings.items];
	int64_t other_ns = row->saved_ns - finding->lost.estimate_ns;
	struct format time;

	if (finding->pass == 1 && row->saved_ns >= 0 &&
	    llabs(other_ns) > analysis->headline.wall_ns / 200)
		print_formatted(page, NULL, INDENT, "With the fixes above applied it saves %s.",
				format_time(&time, row->saved_ns));
	if (row->moved_ns)
		print_formatted(page, NULL, INDENT,
				"Fix %zu too, or %s of this wait only moves to it.",
				row->moves_to + 1, format_time(&time, row->moved_ns));
	if (finding->costs_ns)
		print_formatted(page, NULL, INDENT,
				"Leave it out with the fixes above: it then costs %s.",
				format_time(&time, finding->costs_ns));
}

/* What the saving consists of, and why its range is wide. */
static void print_parts(const struct page *page, const struct analysis *analysis,
			const struct finding *finding)
{
	static const char lead[] = "    low end: ";
	struct saving_terms terms = range_terms(finding);
	const char *doubt = range_doubt(finding);
	struct format own, overlap, released;
	char also[64] = "";

	if (!analysis->check.has_estimates)
		return;
	if (terms.released_ns > 0)
		snprintf(also, sizeof(also), " + %s freeing",
			 format_time(&released, terms.released_ns));
	if (terms.overlap_ns > 0)
		print_formatted(
			page, NULL, INDENT,
			"that is %s %s%s + %s of other time that goes with it or can then overlap",
			format_time(&own, terms.own_ns), finding->cost, also,
			format_time(&overlap, terms.overlap_ns));
	else if (terms.released_ns > 0)
		print_formatted(page, NULL, INDENT, "that is %s %s%s",
				format_time(&own, terms.own_ns), finding->cost, also);
	if (doubt)
		print_formatted(page, lead, (int)strlen(lead), "%s.", doubt);
}

static void print_cost(const struct page *page, const struct analysis *analysis,
		       const struct finding *finding)
{
	const struct stated bound = {finding->lost.high_ns, finding->lost.high_ns,
				     finding->lost.high_ns};
	char *interval = figures_interval(analysis, finding->is_bound ? &bound : &finding->lost);
	struct format blocked, count;

	print_formatted(page, NULL, INDENT, "%s %s: %s time%s, %s %s",
			finding->is_bound && analysis->check.has_estimates ? "saves at most"
			: finding->pass > 1				   ? "saves a further"
									   : "saves",
			interval, format_count(&count, finding->count),
			finding->count == 1 ? "" : "s", format_time(&blocked, finding->blocked_ns),
			finding->cost);
	if (finding->pass > 1)
		print_wrapped(page, NULL, INDENT,
			      "Limits the run once the fixes above are applied.");
	free(interval);
}

static void print_doubts(const struct page *page, const struct analysis *analysis,
			 const struct finding *finding)
{
	print_parts(page, analysis, finding);
	print_order(page, analysis, finding);
}

/* The number of an earlier finding that has the same fix; 0: there is none. */
static size_t find_same_fix(const struct analysis *analysis, size_t number, bool all)
{
	for (size_t i = 1; i < number; i++)
		if (analysis_shows(analysis, i - 1, all) &&
		    !strcmp(analysis->findings.items[i - 1].fix,
			    analysis->findings.items[number - 1].fix))
			return i;
	return 0;
}

/* Unless the finding above says the same. */
static void print_unless_same(const struct page *page, const char *lead, const char *text,
			      const char *above)
{
	if (text && !(above && !strcmp(text, above)))
		print_formatted(page, lead, (int)strlen(lead), "%s.", text);
}

static void print_fix(const struct page *page, const struct analysis *analysis, size_t number,
		      size_t same)
{
	const struct finding *finding = &analysis->findings.items[number - 1];
	const struct finding *above = same ? &analysis->findings.items[same - 1] : NULL;

	page_set_style(page, PAGE_GOOD);
	if (above)
		print_formatted(page, "    fix: ", 9, "as for %zu.", same);
	else
		print_wrapped(page, "    fix: ", 9, finding->fix);
	page_set_style(page, PAGE_PLAIN);
	print_unless_same(page, "    needs: ", finding->relies_on, above ? above->relies_on : NULL);
	print_unless_same(page, "    price: ", finding_price(finding),
			  above ? finding_price(above) : NULL);
}

static void print_name(const struct page *page, const struct trace *trace,
		       const struct finding *finding, size_t number)
{
	struct short_name name;
	const char *function = render_more_function(trace, &finding->site, &name);
	char lead[24], *site = render_line(trace, &finding->site, finding->copies);
	char *through = render_through(&finding->site);

	snprintf(lead, sizeof(lead), "%zu.", number);
	page_set_style(page, PAGE_STRONG);
	print_formatted(page, lead, INDENT, "%s at %s%s%s%s%s", finding->id, site,
			function ? " in " : "", function ? function : "",
			through ? " through " : "", through ? through : "");
	page_set_style(page, PAGE_PLAIN);
	free(through);
	free(site);
}

/* More lines are counted. */
#define MOST_SITES 8

static void print_sites(const struct page *page, const struct trace *trace,
			const struct finding *finding)
{
	char *text = NULL, more[32] = "";

	if (finding->site_count < 2 || !finding->shared)
		return;
	for (size_t i = 0; i < finding->site_count && i < MOST_SITES; i++) {
		const struct finding_site *line = &finding->sites[i];
		char *site = render_line(trace, &line->site, line->copies), *before = text;
		struct format count;

		text = memory_format("%s%s%s (%s)", before ? before : "", before ? ", " : "", site,
				     format_count(&count, line->count));
		free(before);
		free(site);
	}
	if (finding->site_count > MOST_SITES)
		snprintf(more, sizeof(more), " and %zu more", finding->site_count - MOST_SITES);
	print_formatted(page, NULL, INDENT, "same %s in %zu lines, one fix covers %s: %s%s",
			finding->shared, finding->site_count,
			finding->site_count == 2 ? "both" : "all", text, more);
	free(text);
}

static void print_joined(const struct page *page, const struct trace *trace,
			 const struct finding *finding)
{
	char *text = render_joined(trace, finding);

	if (text)
		print_wrapped(page, NULL, INDENT, text);
	free(text);
}

static void print_joined_fixes(const struct page *page, const struct trace *trace,
			       const struct finding *finding)
{
	for (size_t i = 0; i < finding->joined_count; i++) {
		const struct finding *part = &finding->joined[i];
		char *site = render_line(trace, &part->site, part->copies);

		print_formatted(page, "    fix: ", 9, "at %s: %s", site,
				strcmp(part->fix, finding->fix) ? part->fix : "the same.");
		free(site);
	}
}

static void print_source_line(const struct page *page, const struct source_lines *source,
			      size_t index, int line)
{
	int number = source->first + (int)index;
	char *text = memory_format("%s%6d  %s", number == line ? "  > " : "    ", number,
				   source->lines[index]);
	char *cut = page_cut_end(page, text, page->width);

	fprintf(page->out, "%s\n", cut);
	free(cut);
	free(text);
}

/* The lines around the finding's, if asked for. */
static void print_source(const struct page *page, const struct analysis *analysis, size_t number)
{
	const struct source_lines *source;

	if (!analysis->sources)
		return;
	source = &analysis->sources->items[number - 1];
	if (source->file && !source->count)
		print_formatted(page, NULL, INDENT, "source: no such line on this machine: %s",
				source->file);
	if (source->has_changed)
		print_formatted(page, NULL, INDENT, "source: changed since the trace: %s",
				source->file);
	for (size_t i = 0; i < source->count; i++)
		print_source_line(page, source, i, analysis->findings.items[number - 1].site.line);
}

/* Whether the one that is shown before it has the same title. */
static bool is_like_last(const struct analysis *analysis, size_t number, bool all)
{
	for (size_t i = number - 1; i > 0; i--)
		if (analysis_shows(analysis, i - 1, all))
			return !strcmp(analysis->findings.items[i - 1].title,
				       analysis->findings.items[number - 1].title);
	return false;
}

void print_finding_block(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis, size_t number, bool all)
{
	const struct finding *finding = &analysis->findings.items[number - 1];
	size_t same = find_same_fix(analysis, number, all);

	fputc('\n', page->out);
	print_name(page, trace, finding, number);
	if (!is_like_last(analysis, number, all))
		print_wrapped(page, NULL, INDENT, finding->title);
	print_source(page, analysis, number);
	print_cost(page, analysis, finding);
	print_fix(page, analysis, number, same);
	print_joined_fixes(page, trace, finding);
	print_doubts(page, analysis, finding);
	print_joined(page, trace, finding);
	print_sites(page, trace, finding);
	if (finding->count > 1 && finding->evidence_count)
		print_wrapped(page, NULL, INDENT, "longest:");
	print_evidence(page, finding, same && !all ? 1 : EVIDENCE_ROWS);
}
