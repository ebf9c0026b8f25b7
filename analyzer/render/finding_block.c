#include "render/finding_block.h"

#include "base/format.h"
#include "base/memory.h"
#include "findings/source_edits.h"
#include "findings/sources.h"
#include "render/finding_text.h"
#include "render/render.h"
#include "render/tried.h"

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

/* rows: at most. */
static void print_evidence(const struct page *page, const struct finding *finding, size_t rows)
{
	for (size_t i = 0; i < finding->evidence_count && i < rows; i++) {
		const struct evidence_row *row = &finding->evidence[i];
		char *text = finding_text_row(row, i ? row - 1 : NULL);

		print_row(page, row, text);
		free(text);
	}
}

/* Frees the text. */
static void print_text(const struct page *page, char *text)
{
	if (text)
		print_paragraphs(page, INDENT, text);
	free(text);
}

/* What the saving consists of, why its range is wide, and what the other fixes do to it. */
static void print_doubts(const struct page *page, const struct analysis *analysis,
			 const struct finding *finding)
{
	static const char lead[] = "    low end: ";
	const char *doubt = analysis->check.has_estimates ? range_doubt(finding) : NULL;

	print_text(page, finding_text_terms(analysis, finding));
	if (doubt && !finding->is_open)
		print_formatted(page, lead, (int)strlen(lead), "%s.", doubt);
	print_text(page, finding_text_order(analysis, finding));
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

static void print_fix(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis, size_t number, size_t same)
{
	char *order, *unrelied;
	const struct finding *finding = &analysis->findings.items[number - 1];
	const struct finding *above = same ? &analysis->findings.items[same - 1] : NULL;

	page_set_style(page, PAGE_GOOD);
	if (above)
		print_formatted(page, "    fix: ", 9, "as for %zu.", same);
	else
		print_wrapped(page, "    fix: ", 9, finding->fix);
	page_set_style(page, PAGE_PLAIN);
	print_unless_same(page, "    needs: ", finding->relies_on, above ? above->relies_on : NULL);
	order = finding_text_order_needed(trace, analysis, finding);
	print_unless_same(page, "    needs: ", order, NULL);
	free(order);
	unrelied = finding_text_unrelied(analysis, finding);
	print_unless_same(page, "    needs: ", unrelied, NULL);
	free(unrelied);
	print_unless_same(page, "    price: ", finding_price(finding),
			  above ? finding_price(above) : NULL);
}

static void print_tried(const struct page *page, const struct trace *trace,
			const struct finding *finding)
{
	for (size_t i = 0; i < finding_part_count(finding); i++) {
		char *text = tried_text(trace, finding_part(finding, i));

		if (text)
			print_wrapped(page, "    tried ", 10, text);
		free(text);
	}
}

static void print_name(const struct page *page, const struct trace *trace,
		       const struct finding *finding, size_t number)
{
	char lead[24], *name = finding_text_name(trace, finding);

	snprintf(lead, sizeof(lead), "%zu.", number);
	page_set_style(page, PAGE_STRONG);
	print_wrapped(page, lead, INDENT, name);
	page_set_style(page, PAGE_PLAIN);
	free(name);
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

/* Lines that are not wrapped and begin at the margin, as patch reads them. */
static void print_diff(const struct page *page, const char *diff)
{
	while (*diff) {
		size_t bytes = strcspn(diff, "\n");
		char *line = memory_format("%.*s", (int)bytes, diff),
		     *shown = page_text(page, line);

		fprintf(page->out, "%s\n", shown);
		free(shown);
		free(line);
		diff += bytes + (diff[bytes] == '\n');
	}
}

/* The change of the source, if asked for. */
static void print_edit(const struct page *page, const struct analysis *analysis, size_t number)
{
	const struct source_edit *edit =
		analysis->edits ? &analysis->edits->items[number - 1] : NULL;

	if (!edit)
		return;
	if (!edit->diff) {
		print_formatted(page, "    edit: ", 10, "none: %s.", edit->why_not);
		return;
	}
	print_formatted(page, "    edit: ", 10, "patch -p1 in %s, with", edit->folder);
	print_diff(page, edit->diff);
	if (edit->needs)
		print_formatted(page, "    needs: ", 11, "%s.", edit->needs);
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
	print_text(page, finding_text_saves(analysis, finding));
	print_fix(page, trace, analysis, number, same);
	print_joined_fixes(page, trace, finding);
	print_tried(page, trace, finding);
	print_edit(page, analysis, number);
	print_doubts(page, analysis, finding);
	print_text(page, render_joined(trace, finding));
	print_text(page, finding_text_sites(trace, finding));
	if (finding->count > 1 && finding->evidence_count)
		print_wrapped(page, NULL, INDENT, "longest:");
	print_evidence(page, finding, same && !all ? 1 : EVIDENCE_ROWS);
}
