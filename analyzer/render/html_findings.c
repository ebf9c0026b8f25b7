#include "render/html_findings.h"

#include "base/format.h"
#include "base/memory.h"
#include "findings/sources.h"
#include "races/race_words.h"
#include "render/figures.h"
#include "render/finding_text.h"
#include "render/idle_table.h"
#include "render/incident_text.h"
#include "render/page.h"
#include "render/render.h"
#include "render/tried.h"
#include "viewer/viewer.h"

#include <stdlib.h>
#include <string.h>

/* The section that is written. */
struct section {
	FILE *out;
	const struct trace *trace;
	const struct analysis *analysis;
	char prefix[32]; /* of ids: "process-2-", or nothing where there is one process */
};

/* Writes markup, the text escaped, and markup; no line breaks between a number and its unit. text NULL: nothing. */
static void put_marked(FILE *out, const char *before, const char *text, const char *behind)
{
	char *bound;

	if (!text)
		return;
	bound = page_bind_units(text);
	fputs(before, out);
	viewer_write_text(bound, out);
	fputs(behind, out);
	free(bound);
}

/* The same for a text that is the function's to free. */
static void put_own(FILE *out, const char *before, char *text, const char *behind)
{
	put_marked(out, before, text, behind);
	free(text);
}

static void put_run(const struct section *section, bool is_alone)
{
	const struct trace *trace = section->trace;
	char *devices = render_devices(trace),
	     *check = figures_self_check(trace, section->analysis);
	char *recorded = figures_recorded(trace, section->analysis);
	char *run = memory_format("%s%s%s%s%s", devices ? devices : "", devices ? " \xc2\xb7 " : "",
				  recorded, check ? " \xc2\xb7 " : "", check ? check : "");

	put_own(section->out, "<h1>", is_alone ? figures_program(trace) : figures_process(trace),
		"</h1>\n");
	put_own(section->out, "<p class=\"run quiet\">", run, "</p>\n");
	free(recorded);
	free(check);
	free(devices);
}

/* What the watch mode noticed comes before what could be won back. */
static void put_incident(const struct section *section)
{
	const struct incident *incident = section->analysis->incident;

	put_own(section->out, "<p class=\"incident\">",
		incident ? incident_text_line(incident) : NULL, "</p>\n");
}

/* The saving, the first words of the answer, is large. */
static void put_answer(const struct section *section)
{
	const struct analysis *analysis = section->analysis;
	bool has_saving =
		section->trace->operation_count && analysis->findings.lost.estimate_ns > 0;
	char *answer = section->trace->operation_count && !has_saving
			       ? idle_answer(analysis)
			       : figures_answer(section->trace, analysis);
	char *rest = has_saving ? strstr(answer, " (") : answer;

	fputs("<section class=\"headline\">\n<h2>", section->out);
	if (rest != answer) {
		*rest = '\0';
		put_marked(section->out, "<strong>", answer, "</strong> ");
		rest++;
	}
	put_marked(section->out, "", rest, "</h2>\n");
	free(answer);
	if (has_saving && !analysis->check.has_estimates)
		fputs("<p>no estimates</p>\n", section->out);
	put_own(section->out, "<p>range ",
		has_saving ? figures_range(analysis, &analysis->findings.lost) : NULL, "</p>\n");
	put_own(section->out, "<p>", figures_sample(analysis), "</p>\n");
	put_own(section->out, "<p>", figures_steps(section->trace, analysis), "</p>\n");
	fputs("</section>\n", section->out);
	put_own(section->out,
		"<p class=\"quiet\">GPU idle because: ", idle_causes_of_host(analysis), "</p>\n");
}

static void put_title(const struct section *section, size_t index)
{
	const struct analysis *analysis = section->analysis;
	const struct finding *finding = &analysis->findings.items[index];
	struct format saved;

	fprintf(section->out, "<h3 class=\"title\"><span class=\"number\">%zu</span><span>",
		index + 1);
	put_marked(section->out, "<b>", finding->title, "</b>");
	put_own(section->out, "<code>", render_sites(section->trace, finding),
		"</code></span><span class=\"saves\">");
	format_time(&saved, finding_saved_ns(finding, analysis->check.has_estimates));
	put_marked(section->out, "", finding_mark(finding), saved.text);
	fputs("</span></h3>\n", section->out);
}

static void put_source(const struct section *section, size_t index)
{
	const struct sources *sources = section->analysis->sources;
	const struct source_lines *source = sources ? &sources->items[index] : NULL;
	int line = section->analysis->findings.items[index].site.line;

	if (!source || !source->count)
		return;
	put_marked(section->out, "<p class=\"source\">source: changed since the trace: ",
		   source->has_changed ? source->file : NULL, "</p>\n");
	fputs("<pre>", section->out);
	for (size_t i = 0; i < source->count; i++) {
		int number = source->first + (int)i;

		fprintf(section->out, "<%s>%d  ", number == line ? "b" : "span", number);
		viewer_write_text(source->lines[i], section->out);
		fputs(number == line ? "\n</b>" : "\n</span>", section->out);
	}
	fputs("</pre>\n", section->out);
}

static void put_fixes(const struct section *section, const struct finding *finding)
{
	FILE *out = section->out;

	put_marked(out, "<p class=\"fix\"><b>fix:</b> ", finding->fix, "</p>\n");
	for (size_t i = 0; i < finding->joined_count; i++) {
		const struct finding *part = &finding->joined[i];

		put_own(out, "<p class=\"fix\"><b>fix:</b> at ",
			render_line(section->trace, &part->site, part->copies), ": ");
		put_marked(out, "", strcmp(part->fix, finding->fix) ? part->fix : "the same.",
			   "</p>\n");
	}
	put_marked(out, "<p><b>needs:</b> ", finding->relies_on, ".</p>\n");
	put_own(out, "<p><b>needs:</b> ",
		finding_text_order_needed(section->trace, section->analysis, finding), ".</p>\n");
	put_own(out, "<p><b>needs:</b> ", finding_text_unrelied(section->analysis, finding),
		".</p>\n");
	put_marked(out, "<p><b>price:</b> ", finding_price(finding), ".</p>\n");
	for (size_t i = 0; i < finding_part_count(finding); i++)
		put_own(out, "<p><b>tried</b> ",
			tried_text(section->trace, finding_part(finding, i)), "</p>\n");
}

static void put_evidence(const struct section *section, const struct finding *finding)
{
	fputs("<ol class=\"evidence\">\n", section->out);
	for (size_t i = 0; i < finding->evidence_count; i++) {
		const struct evidence_row *row = &finding->evidence[i];
		struct format start, duration;

		fprintf(section->out, "<li>at %s for %s: ",
			format_time_apart(&start, row->start_ns, row->end_ns - row->start_ns),
			format_time(&duration, row->end_ns - row->start_ns));
		put_own(section->out, "", finding_text_row(row, NULL), "</li>\n");
	}
	fputs("</ol>\n", section->out);
}

static void put_finding(const struct section *section, size_t index)
{
	const struct analysis *analysis = section->analysis;
	const struct finding *finding = &analysis->findings.items[index];
	FILE *out = section->out;

	fprintf(out, "<article class=\"card\" id=\"%sfinding-%zu\">\n", section->prefix, index + 1);
	put_title(section, index);
	fputs("<div class=\"more\">\n", out);
	put_source(section, index);
	put_own(out, "<p>", finding_text_saves(analysis, finding), "</p>\n");
	put_fixes(section, finding);
	put_own(out, "<p>", finding_text_terms(analysis, finding), "</p>\n");
	put_marked(out, "<p><b>low end:</b> ",
		   analysis->check.has_estimates ? range_doubt(finding) : NULL, ".</p>\n");
	put_own(out, "<p>", finding_text_order(analysis, finding), "</p>\n");
	put_own(out, "<p>", render_joined(section->trace, finding), "</p>\n");
	put_own(out, "<p>", finding_text_sites(section->trace, finding), "</p>\n");
	put_evidence(section, finding);
	fputs("</div>\n</article>\n", out);
}

static void put_races(const struct section *section, bool all)
{
	const struct races *races = &section->analysis->races;
	const size_t shown = races_shown(races, all);

	if (!shown)
		return;
	fputs("<h3>" RACE_TITLE "</h3>\n<ol class=\"evidence races\">\n", section->out);
	for (size_t i = 0; i < shown; i++) {
		struct format times;

		fprintf(section->out,
			"<li>%s, %s time%s: ", race_certainty_name(races->items[i].certainty),
			format_count(&times, races->items[i].count),
			races->items[i].count == 1 ? "" : "s");
		put_own(section->out, "", race_sentence(section->trace, &races->items[i]),
			"</li>\n");
	}
	fputs("</ol>\n", section->out);
}

static void put_not_seen(const struct section *section)
{
	const struct not_seen_list *list = &section->analysis->not_seen;

	if (!list->count)
		return;
	fprintf(section->out,
		"<details class=\"notes\"><summary>Limitations of this trace: %zu</summary>\n",
		list->count);
	for (size_t i = 0; i < list->count; i++) {
		put_marked(section->out, "<p><b>", list->items[i].what, ":</b> ");
		put_marked(section->out, "", list->items[i].why, "</p>\n");
	}
	fputs("</details>\n", section->out);
}

char *html_findings(const struct trace *trace, const struct analysis *analysis, bool all,
		    size_t number, bool is_alone)
{
	struct section section = {.trace = trace, .analysis = analysis};
	char *text = NULL;
	size_t size;

	section.out = open_memstream(&text, &size);
	if (!section.out)
		return NULL;
	if (!is_alone)
		snprintf(section.prefix, sizeof(section.prefix), "process-%zu-", number);
	fprintf(section.out, "<section class=\"process\" id=\"process-%zu\">\n", number);
	put_run(&section, is_alone);
	put_incident(&section);
	put_answer(&section);
	for (size_t i = 0; i < analysis->findings.count; i++)
		if (analysis_shows(analysis, i, all))
			put_finding(&section, i);
	put_races(&section, all);
	put_not_seen(&section);
	fputs("</section>\n", section.out);
	if (fclose(section.out)) {
		free(text);
		return NULL;
	}
	return text;
}
