/*
 * Findings for a spreadsheet: a row each, below one row of names (RFC 4180). Texts of a trace are inert
 * (csv_text.h).
 */
#include "base/csv_text.h"
#include "base/memory.h"
#include "findings/steady.h"
#include "render/figures.h"
#include "render/render.h"
#include "trace/short_name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_cell(FILE *out, const char *text)
{
	fputc(',', out);
	csv_text(out, text);
}

static void put_number(FILE *out, int64_t number, bool is_known)
{
	fputc(',', out);
	if (is_known)
		fprintf(out, "%" PRId64, number);
}

static void put_site(FILE *out, const struct site *site)
{
	char *through = render_through(site);

	put_cell(out, site->file);
	put_number(out, site->line, site->line > 0);
	put_cell(out, site->function);
	put_cell(out, site->module);
	put_number(out, (int64_t)site->offset, site->module && !site->line);
	put_cell(out, through);
	free(through);
}

/* What the fix saves a step; empty cells: no steps are known, or there are no estimates. */
static void put_step_saving(FILE *out, const struct analysis *analysis,
			    const struct finding *finding)
{
	struct stated saving = {0};
	bool is_known = analysis->steady && analysis->check.has_estimates;

	if (is_known)
		saving = steady_saving(analysis, finding);
	put_number(out, saving.low_ns, is_known);
	put_number(out, saving.estimate_ns, is_known);
	put_number(out, saving.high_ns, is_known);
}

/* DOMAIN:NAME of the range that the longest one was in. */
static void put_range(FILE *out, const struct trace_range *range)
{
	const char *domain = range && range->domain ? range->domain : "";
	char *name = memory_format("%s%s%s", domain, *domain ? ":" : "",
				   range && range->name ? range->name : "");

	put_cell(out, name);
	free(name);
}

/* Takes over the text before. */
static char *add_site(char *before, const struct trace *trace, const struct finding_site *line)
{
	char *site = render_line(trace, &line->site, line->copies);
	char *text = memory_format("%s%s%s (%zu)", before, *before ? "; " : "", site, line->count);

	free(site);
	free(before);
	return text;
}

/* "load.cu:22 (49); load.cu:30 (2)". */
static void put_sites(FILE *out, const struct trace *trace, const struct finding *finding)
{
	char *text = memory_format("%s", "");

	for (size_t k = 0; k < finding_part_count(finding); k++)
		for (size_t i = 0; i < finding_part(finding, k)->site_count; i++)
			text = add_site(text, trace, &finding_part(finding, k)->sites[i]);
	put_cell(out, text);
	free(text);
}

static void put_finding(FILE *out, const struct trace *trace, const struct analysis *analysis,
			size_t index)
{
	const struct finding *finding = &analysis->findings.items[index];
	const struct stated lost = finding->lost;
	char *program = figures_program(trace);

	csv_text(out, trace->path);
	put_cell(out, program);
	free(program);
	put_number(out, (int64_t)index + 1, true);
	put_cell(out, finding->id);
	put_cell(out, finding->title);
	put_site(out, &finding->site);
	put_number(out, finding->pass, true);
	put_number(out, (int64_t)finding->count, true);
	put_number(out, finding->blocked_ns, true);
	put_number(out, lost.low_ns, analysis->check.has_estimates);
	put_number(out, lost.estimate_ns, analysis->check.has_estimates);
	put_number(out, lost.high_ns, true);
	put_number(out, analysis->check.untraced_ns, true);
	put_step_saving(out, analysis, finding);
	put_cell(out, finding->fix);
	put_cell(out, finding->relies_on);
	put_cell(out, finding_price(finding));
	put_range(out, finding->evidence_count ? finding->evidence[0].range : NULL);
	put_sites(out, trace, finding);
	fputs("\r\n", out);
}

static void begin_csv(struct rendering *rendering)
{
	if (!rendering->seen_count++)
		fputs("trace,program,number,id,title,file,line,function,module,offset,through,pass,"
		      "times,blocked_ns,saves_low_ns,saves_ns,saves_high_ns,run_ns,"
		      "saves_step_low_ns,saves_step_ns,saves_step_high_ns,fix,relies_on,price,nvtx_"
		      "range,sites\r\n",
		      rendering->out);
}

static bool report_csv(struct rendering *rendering, const struct trace *trace,
		       const struct analysis *analysis, bool all)
{
	for (size_t i = 0; i < analysis->findings.count; i++)
		if (analysis_shows(analysis, i, all))
			put_finding(rendering->out, trace, analysis, i);
	return true;
}

static bool end_csv(struct rendering *rendering)
{
	return true;
}

const struct renderer renderer_csv = {
	.begin = begin_csv,
	.report = report_csv,
	.end = end_csv,
};
