/* The report of a job for a pull request: tables, as md.c does it. */
#include "base/format.h"
#include "base/memory.h"
#include "job/groups.h"
#include "render/job.h"
#include "render/job_figures.h"
#include "render/job_incident_text.h"
#include "render/md_text.h"

#include <inttypes.h>
#include <stdlib.h>

/* So many processes, those that lose most are in the findings. */
#define MOST_ROWS 64

/* In a code span, behind what is before it; frees the text. */
static void put_made(FILE *out, const char *before, char *text, const char *after)
{
	if (text) {
		fputs(before, out);
		md_code(out, text);
		fputs(after, out);
	}
	free(text);
}

/* A paragraph of our own words; frees the text. */
static void put_plain(FILE *out, char *text)
{
	if (text)
		fprintf(out, "\n%s\n", text);
	free(text);
}

static void put_row(FILE *out, const struct job_report *report, size_t index)
{
	const struct job_row *row = &report->rows[index];
	const struct summary *summary = row->member->summary;
	struct format wall, idle, waits, lost, saved;

	put_made(out, "| ", job_row_name(report, index), " | ");
	md_code(out, summary->host ? summary->host : "?");
	fprintf(out, " | %s | %s | %s | %s | ", format_time(&wall, summary->wall_ns),
		job_figures_share(&idle, row, summary->load.idle_ns),
		job_figures_share(&waits, row, row->waiting.waited_ns),
		format_time(&lost, summary_saving(summary, &summary->lost)));
	if (row->worst) {
		md_code(out, row->worst->id);
		fputs(" at ", out);
		md_code(out, row->worst->where);
		fprintf(out, " (%s)",
			format_time(&saved, summary_saving(summary, &row->worst->lost)));
	}
	fputs(" |\n", out);
}

static void put_group(FILE *out, const struct job_report *report, size_t index)
{
	const struct job_group *group = &report->groups[index];
	char *range = job_figures_range(&group->saved);
	struct format saved, percent, smallest, largest;

	fprintf(out, "| %zu | %s%s | %s | %s | ", index + 1, job_figures_mark(group),
		format_time(&saved, group->saved.estimate_ns),
		format_percent(&percent, group->saved.estimate_ns, report->untraced_ns),
		range ? range : "");
	md_code(out, group->id);
	fputs(" | ", out);
	md_code(out, group->where);
	put_made(out, " | ", job_rows_name(report, group->rows, group->row_count), "");
	fprintf(out, " | %s to %s |\n", format_time(&smallest, group->smallest_ns),
		format_time(&largest, group->largest_ns));
	free(range);
}

static void put_tables(FILE *out, const struct job_report *report, bool all)
{
	size_t shown = all || report->row_count < MOST_ROWS ? report->row_count : MOST_ROWS;

	fputs("\n| process | host | wall | GPU idle | waits | lost | largest finding |\n"
	      "|---|---|--:|--:|--:|--:|---|\n",
	      out);
	for (size_t i = 0; i < shown; i++)
		put_row(out, report, i);
	if (shown < report->row_count)
		fprintf(out, "\n%zu more processes.\n", report->row_count - shown);
	fputs("\n| # | saves the job | of job | range | what | where | on | saves each alone |\n"
	      "|--:|--:|--:|--:|---|---|---|---|\n",
	      out);
	for (size_t i = 0; i < report->group_count; i++)
		if (all || !report->groups[i].is_folded)
			put_group(out, report, i);
}

static void put_limits(FILE *out, const struct job_report *report)
{
	for (size_t i = 0; i < report->limit_count; i++) {
		const struct job_limit *limit = &report->limits[i];

		fputs(i ? "- " : "\nLimitations of these traces:\n\n- ", out);
		put_made(out, "", job_rows_name(report, limit->rows, limit->row_count), ": ");
		md_code(out, limit->what);
		fputs(": ", out);
		md_code(out, limit->why);
		if (!limit->is_same)
			put_made(out, " (of ", job_row_name(report, limit->rows[0]), ")");
		fputc('\n', out);
	}
}

bool print_job_md(FILE *out, const struct job_report *report, bool all)
{
	char *answer = job_figures_answer(report), *range = job_figures_range(&report->lost);

	fprintf(out, "### streamtrace: %s%s%s\n\n", answer, range ? ", range " : "",
		range ? range : "");
	put_made(out, "", job_figures_run(report), "\n");
	put_made(out, "\n", job_figures_straggler(report), "\n");
	for (size_t i = 0; i < report->incidents.count; i++)
		put_made(out, "\n- ", job_incident_text(&report->incidents.items[i]), "\n");
	if (report->row_count)
		put_tables(out, report, all);
	for (size_t i = 0; i < report->left_out_count; i++) {
		fputs(i ? "- " : "\nLeft out or incomplete:\n\n- ", out);
		md_code(out, report->left_out[i].who);
		fputs(": ", out);
		md_code(out, report->left_out[i].why);
		fputc('\n', out);
	}
	put_limits(out, report);
	put_plain(out, job_figures_method(report));
	free(range);
	free(answer);
	return true;
}
