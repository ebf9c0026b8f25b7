/* The findings of a job for a spreadsheet: a row a finding and process (RFC 4180, csv_text.h). */
#include "base/csv_text.h"
#include "job/groups.h"
#include "render/job.h"

#include <inttypes.h>
#include <string.h>

static void put_text(FILE *out, const char *text)
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

static void put_row(FILE *out, const struct job_report *report, size_t index,
		    const struct summary *summary, const struct summary_finding *finding)
{
	const struct job_group *group = &report->groups[index];

	fprintf(out, "%zu", index + 1);
	put_text(out, finding->id);
	put_text(out, finding->where);
	put_text(out, finding->function);
	put_number(out, group->saved.low_ns, true);
	put_number(out, group->saved.estimate_ns, true);
	put_number(out, group->saved.high_ns, true);
	put_number(out, summary->rank, summary->rank != SUMMARY_NO_RANK);
	put_text(out, summary->host);
	put_number(out, summary->process_id, summary->process_id >= 0);
	put_number(out, (int64_t)finding->count, true);
	put_number(out, finding->blocked_ns, true);
	put_number(out, finding->lost.low_ns, summary->has_estimates);
	put_number(out, finding->lost.estimate_ns, summary->has_estimates);
	put_number(out, finding->lost.high_ns, true);
	put_number(out, summary->untraced_ns, true);
	put_text(out, finding->fix);
	put_text(out, summary->trace);
	fputs("\r\n", out);
}

bool print_job_csv(FILE *out, const struct job_report *report, bool all)
{
	fputs("number,id,where,function,job_saves_low_ns,job_saves_ns,job_saves_high_ns,rank,host,"
	      "process_id,times,blocked_ns,saves_low_ns,saves_ns,saves_high_ns,run_ns,fix,"
	      "trace\r\n",
	      out);
	for (size_t i = 0; i < report->group_count; i++) {
		const struct job_group *group = &report->groups[i];

		for (size_t j = 0; j < group->row_count && (all || !group->is_folded); j++) {
			const struct summary *summary =
				report->rows[group->rows[j]].member->summary;

			for (size_t k = 0; k < summary->finding_count; k++)
				if (!strcmp(summary->findings[k].id, group->id) &&
				    !strcmp(summary->findings[k].where, group->where))
					put_row(out, report, i, summary, &summary->findings[k]);
		}
	}
	return true;
}
