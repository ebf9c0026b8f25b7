#include "render/finding_text.h"

#include "base/format.h"
#include "base/memory.h"
#include "detectors/cause.h"
#include "findings/reliance.h"
#include "races/race_words.h"
#include "render/figures.h"
#include "render/render.h"
#include "trace/short_name.h"

#include <stdlib.h>
#include <string.h>

char *finding_text_name(const struct trace *trace, const struct finding *finding)
{
	struct short_name name;
	const char *function = render_more_function(trace, &finding->site, &name);
	char *site = render_line(trace, &finding->site, finding->copies);
	char *through = render_through(&finding->site);
	char *text = memory_format("%s at %s%s%s%s%s", finding->id, site, function ? " in " : "",
				   function ? function : "", through ? " through " : "",
				   through ? through : "");

	free(through);
	free(site);
	return text;
}

/* "\nAt least 2 ms: ..." where the rest depends on what is not known; malloc'ed. */
static char *least_text(const struct analysis *analysis, const struct finding *finding)
{
	struct format least;

	if (!finding->is_open || !analysis->check.has_estimates)
		return memory_format("%s", "");
	return memory_format(
		"\nAt least %s: the rest depends on the rate of pinned copies, which is "
		"unknown here.",
		format_time(&least, finding->lost.low_ns));
}

char *finding_text_saves(const struct analysis *analysis, const struct finding *finding)
{
	const struct stated bound = {finding->lost.high_ns, finding->lost.high_ns,
				     finding->lost.high_ns};
	bool has_bound = analysis->check.has_estimates && (finding->is_bound || finding->is_open);
	char *interval = figures_interval(
		analysis, finding->is_bound || finding->is_open ? &bound : &finding->lost);
	char *step = figures_step_saving(analysis, finding), *least = least_text(analysis, finding);
	struct format blocked, count;
	char *text = memory_format(
		"%s %s%s%s: %s time%s, %s %s%s%s",
		!has_bound	    ? finding->pass > 1 ? "saves a further" : "saves"
		: finding->is_bound ? "saves at most"
				    : "saves up to",
		interval, step ? ", " : "", step ? step : "", format_count(&count, finding->count),
		finding->count == 1 ? "" : "s", format_time(&blocked, finding->blocked_ns),
		finding->cost, least,
		finding->pass > 1 ? "\nLimits the run once the fixes above are applied." : "");

	free(least);
	free(step);
	free(interval);
	return text;
}

char *finding_text_terms(const struct analysis *analysis, const struct finding *finding)
{
	struct saving_terms terms = range_terms(finding);
	struct format own, overlap, released;
	char freeing[64] = "", other[112] = "";

	if (!analysis->check.has_estimates || (terms.overlap_ns <= 0 && terms.released_ns <= 0))
		return NULL;
	if (terms.released_ns > 0)
		snprintf(freeing, sizeof(freeing), " + %s freeing",
			 format_time(&released, terms.released_ns));
	if (terms.overlap_ns > 0)
		snprintf(other, sizeof(other),
			 " + %s of other time that goes with it or can then overlap",
			 format_time(&overlap, terms.overlap_ns));
	return memory_format("that is %s %s%s%s", format_time(&own, terms.own_ns), finding->cost,
			     freeing, other);
}

/* Appends the line to *text, which is NULL at first. Takes the line. */
static void append_line(char **text, char *line)
{
	char *before = *text;

	*text = before ? memory_format("%s\n%s", before, line) : line;
	if (before)
		free(line);
	free(before);
}

char *finding_text_order(const struct analysis *analysis, const struct finding *finding)
{
	const struct in_order *row = &analysis->in_order[finding - analysis->findings.items];
	int64_t other_ns = row->saved_ns - finding->lost.estimate_ns;
	struct format time;
	char *text = NULL;

	if (finding->pass == 1 && row->saved_ns >= 0 &&
	    llabs(other_ns) > analysis->headline.wall_ns / 200)
		append_line(&text, memory_format("With the fixes above applied it saves %s.",
						 format_time(&time, row->saved_ns)));
	if (row->moved_ns)
		append_line(&text,
			    memory_format("Fix %zu too, or %s of this wait only moves to it.",
					  row->moves_to + 1, format_time(&time, row->moved_ns)));
	if (finding->costs_ns)
		append_line(&text,
			    memory_format("Leave it out with the fixes above: it then costs %s.",
					  format_time(&time, finding->costs_ns)));
	return text;
}

char *finding_text_order_needed(const struct trace *trace, const struct analysis *analysis,
				const struct finding *finding)
{
	const struct reliance *reliance = finding_reliance(analysis, finding);
	char *sentence, *text;

	if (!reliance)
		return NULL;
	sentence = reliance_sentence(trace, reliance);
	text = memory_format("an event in its place: %s", sentence);
	free(sentence);
	return text;
}

char *finding_text_unrelied(const struct analysis *analysis, const struct finding *finding)
{
	struct unrelied unrelied;
	struct format watched, places;

	if (!finding_is_unrelied(analysis, finding, &unrelied))
		return NULL;
	return memory_format("nothing relied on it in this run (%s of %s places watched)",
			     format_count(&watched, unrelied.watched),
			     format_count(&places, unrelied.places));
}

/* More lines are counted. */
#define MOST_SITES 8

/* "app.cu:12 (3), app.cu:14 (1) and 2 more"; the numbers of times are left out if all are 1. malloc'ed. */
static char *list_lines(const struct trace *trace, const struct finding *finding)
{
	bool has_counts = false;
	char *lines = NULL;

	for (size_t i = 0; i < finding->site_count; i++)
		has_counts |= finding->sites[i].count != 1;
	for (size_t i = 0; i < finding->site_count && i < MOST_SITES; i++) {
		const struct finding_site *line = &finding->sites[i];
		char *site = render_line(trace, &line->site, line->copies), *before = lines;
		struct format count;

		format_count(&count, line->count);
		lines = memory_format("%s%s%s%s%s%s", before ? before : "", before ? ", " : "",
				      site, has_counts ? " (" : "", has_counts ? count.text : "",
				      has_counts ? ")" : "");
		free(before);
		free(site);
	}
	if (finding->site_count > MOST_SITES) {
		char *before = lines;

		lines = memory_format("%s and %zu more", before, finding->site_count - MOST_SITES);
		free(before);
	}
	return lines;
}

char *finding_text_sites(const struct trace *trace, const struct finding *finding)
{
	const char *covered = finding->site_count == 2 ? "both" : "all";
	size_t copies = 0;
	struct format count;
	char *lines, *text;

	if (finding->site_count < 2 || !finding->shared)
		return NULL;
	for (size_t i = 0; i < finding->site_count; i++)
		copies += finding->sites[i].count;
	lines = list_lines(trace, finding);
	text = !strcmp(finding->shared, cause_word(CAUSE_HOST_MEMORY))
		       ? memory_format("one buffer, %s copies: %s; one fix covers %s",
				       format_count(&count, copies), lines, covered)
		       : memory_format("same %s in %zu lines, one fix covers %s: %s",
				       finding->shared, finding->site_count, covered, lines);
	free(lines);
	return text;
}

char *finding_text_row(const struct evidence_row *row, const struct evidence_row *before)
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
