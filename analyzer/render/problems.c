/* A line for each line of a finding, as compilers print warnings: editors and CI read them. */
#include "base/format.h"
#include "findings/analysis.h"
#include "render/render.h"

#include <stdlib.h>

/* On one line. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text != '\n')
			fputc(*text, out);
		else
			fputc(' ', out);
}

static void put_problem(FILE *out, const struct analysis *analysis, const struct finding *finding,
			const struct finding *part, const struct site *site)
{
	struct format time, share;
	int64_t saved_ns = finding_saved_ns(finding, analysis->check.has_estimates);

	if (!site->file || site->line <= 0)
		return;
	put_text(out, site->file);
	fprintf(out, ":%d:1: warning: %s; the fix saves %s%s (%s). ", site->line, part->title,
		!analysis->check.has_estimates || finding->is_bound || finding->is_open ? "at most "
											: "",
		format_time(&time, saved_ns),
		format_percent(&share, saved_ns, analysis->check.untraced_ns));
	put_text(out, part->fix);
	fprintf(out, " [%s]\n", part->id);
}

static bool report_problems(struct rendering *rendering, const struct trace *trace,
			    const struct analysis *analysis, bool all)
{
	(void)trace;
	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct finding *finding = &analysis->findings.items[i];

		for (size_t k = 0;
		     analysis_shows(analysis, i, all) && k < finding_part_count(finding); k++) {
			const struct finding *part = finding_part(finding, k);

			for (size_t line = 0; line < part->site_count; line++)
				put_problem(rendering->out, analysis, finding, part,
					    &part->sites[line].site);
		}
	}
	return true;
}

static void begin_problems(struct rendering *rendering)
{
	rendering->seen_count++;
}

static bool end_problems(struct rendering *rendering)
{
	(void)rendering;
	return true;
}

const struct renderer renderer_problems = {
	.begin = begin_problems,
	.report = report_problems,
	.end = end_problems,
};
