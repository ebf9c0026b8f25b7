#include "render/job_figures.h"

#include "base/format.h"
#include "base/memory.h"
#include "findings/idle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Whom the others wait for less is no straggler: somebody is always last. */
#define LEAST_LATE_SHARE 0.005

/* "8 ranks", "7 of 8 ranks", "3 processes". */
static char *describe_size(const struct job_report *report)
{
	bool has_ranks = report->rank_count > 0 && report->rank_count == report->row_count;
	const char *word = has_ranks ? "rank" : "process";
	const char *plural = report->row_count == 1 ? "" : has_ranks ? "s" : "es";

	if (has_ranks && report->expected_ranks > (int64_t)report->rank_count)
		return memory_format("%zu of %" PRId64 " ranks", report->rank_count,
				     report->expected_ranks);
	return memory_format("%zu %s%s", report->row_count, word, plural);
}

/* What all rows have in common, or NULL. */
static const char *common_text(const struct job_report *report, size_t offset)
{
	const char *text = NULL;

	for (size_t i = 0; i < report->row_count; i++) {
		const char *of_row;

		memcpy(&of_row, (const char *)report->rows[i].member->summary + offset,
		       sizeof(of_row));
		if (!of_row || (text && strcmp(text, of_row) != 0))
			return NULL;
		text = of_row;
	}
	return text;
}

char *job_figures_run(const struct job_report *report)
{
	const char *program = common_text(report, offsetof(struct summary, program));
	const char *gpu = common_text(report, offsetof(struct summary, gpu));
	size_t members = report->job->member_count;
	char *size, *hosts, *text;
	struct format wall;

	if (!report->row_count)
		return memory_format("%zu process%s without GPU operations", members,
				     members == 1 ? "" : "es");
	size = describe_size(report);
	hosts = report->host_count > 1 ? memory_format(" on %zu hosts", report->host_count)
				       : memory_format("%s", "");
	text = memory_format("%s%s: %s%s%s, %s recorded", size, hosts,
			     program ? program : "several programs", gpu ? " on " : "",
			     gpu ? gpu : "", format_time(&wall, report->wall_ns));
	free(hosts);
	free(size);
	return text;
}

char *job_figures_answer(const struct job_report *report)
{
	struct format time, percent;

	if (!report->row_count)
		return memory_format("Lost overlap unknown: no trace has GPU operations");
	if (!report->has_estimates)
		return memory_format("Lost overlap unknown: no self-check succeeded");
	if (report->lost.estimate_ns <= 0)
		return memory_format("No lost overlap found that the job would win back");
	return memory_format(
		"%s (%s) can be won back by overlap", format_time(&time, report->lost.estimate_ns),
		format_percent(&percent, report->lost.estimate_ns, report->untraced_ns));
}

char *job_figures_range(const struct stated *saved)
{
	struct format estimate, low, high, range;

	format_time(&estimate, saved->estimate_ns);
	format_time(&low, saved->low_ns);
	format_time(&high, saved->high_ns);
	if (!strcmp(low.text, estimate.text) && !strcmp(high.text, estimate.text))
		return NULL;
	return memory_format("%s", format_time_range(&range, saved->low_ns, saved->high_ns));
}

char *job_figures_most(const struct job_report *report)
{
	const struct job_group *group = report->groups;
	struct format time;
	char *rows, *text;

	for (size_t i = 1; i < report->group_count; i++)
		if (report->groups[i].saved.estimate_ns > group->saved.estimate_ns)
			group = &report->groups[i];
	if (!report->group_count || group->is_folded || group->saved.estimate_ns <= 0)
		return NULL;
	rows = job_rows_name(report, group->rows, group->row_count);
	text = memory_format("Most: %s at %s on %s (%s).", group->id, group->where, rows,
			     format_time(&time, group->saved.estimate_ns));
	free(rows);
	return text;
}

/* "all 120", "97.0 % of 120". */
static char *describe_part(uint64_t part, uint64_t whole)
{
	struct format percent, count;

	format_count(&count, whole);
	if (part >= whole)
		return memory_format("all %s", count.text);
	return memory_format("%s of %s", format_percent(&percent, (int64_t)part, (int64_t)whole),
			     count.text);
}

/* Why it is late, as far as it is known. */
static char *describe_cause(const struct job_report *report)
{
	const struct job_straggler *straggler = report->stragglers;
	const struct job_cause *cause = &report->late_cause;
	struct format launch, more;
	char *late = NULL, *text;

	if (straggler->launch_ns > straggler->late_ns / 2)
		late = memory_format(" %s of it is late launch: the GPU was ready before the host "
				     "enqueued the collective.",
				     format_time(&launch, straggler->launch_ns));
	if (cause->finding)
		text = memory_format("%s Cause: %s at %s.", late ? late : "", cause->finding->id,
				     cause->finding->where);
	else if (cause->line)
		text = memory_format(
			"%s Cause: its GPU was idle %s longer than others': %s%s%s%s%s at %s.",
			late ? late : "", format_time(&more, cause->more_ns),
			idle_cause_text(cause->line->cause), cause->line->from ? " from " : "",
			cause->line->from ? cause->line->from : "",
			cause->line->function ? " to " : "",
			cause->line->function ? cause->line->function : "", cause->line->where);
	else
		text = memory_format("%s", late ? late : "");
	free(late);
	return text;
}

char *job_figures_straggler(const struct job_report *report)
{
	const struct job_straggler *straggler = report->stragglers;
	size_t row = report->straggler_count ? job_report_row(report, straggler->member) : SIZE_MAX;
	char *name, *part, *cause, *text;
	struct format each, total;

	if (row == SIZE_MAX ||
	    (double)straggler->late_ns < LEAST_LATE_SHARE * (double)report->wall_ns)
		return NULL;
	name = job_row_name(report, row);
	part = describe_part(straggler->last_count, report->rows[row].waiting.complete);
	cause = describe_cause(report);
	text = memory_format(
		"Straggler: %s arrives last at %s collectives. The other ranks wait "
		"for it %s each time, %s in all.%s",
		name, part, format_time(&each, straggler->late_ns / (int64_t)straggler->last_count),
		format_time(&total, straggler->late_ns), cause);
	free(cause);
	free(part);
	free(name);
	return text;
}

char *job_figures_collectives(const struct job_report *report)
{
	int64_t wall_ns = 0, transfer_ns = 0, waited_ns = 0;
	struct format complete, seen, transfer, waited;

	if (!report->collective_count)
		return NULL;
	for (size_t i = 0; i < report->row_count; i++) {
		const struct job_row *row = &report->rows[i];

		wall_ns = collectives_add(wall_ns, row->member->summary->wall_ns);
		transfer_ns = collectives_add(transfer_ns, row->waiting.transfer_ns);
		waited_ns = collectives_add(waited_ns, row->waiting.waited_ns);
	}
	return memory_format("Collectives matched on all their ranks: %s of %s. Of the ranks' wall "
			     "time %s is transfer and %s waiting for the last rank.",
			     format_count(&complete, report->complete_count),
			     format_count(&seen, report->collective_count),
			     format_percent(&transfer, transfer_ns, wall_ns),
			     format_percent(&waited, waited_ns, wall_ns));
}

/* "1.20 s (measured 1.21 s, error 0.8 %)". */
static char *describe_check(const struct joint *joint)
{
	struct format model, measured, error;

	return memory_format("%s (measured %s, error %s)", format_time(&model, joint->traced_ns),
			     format_time(&measured, joint->measured_ns),
			     format_percent(&error, llabs(joint->traced_ns - joint->measured_ns),
					    joint->measured_ns));
}

/* " Some of the ranks ..."; or "". */
static char *describe_gaps(const struct joint *joint)
{
	struct format part, incomplete, events;
	char *of_part, *text;

	of_part = joint->scale > 1
			  ? memory_format(" Of each rank %s collectives are replayed, and savings "
					  "are multiplied by %.3g for the whole run.",
					  format_count(&part, joint->events), joint->scale)
			  : memory_format("%s", "");
	text = joint->incomplete
		       ? memory_format("%s %s of %s collectives have ranks without a trace, and "
				       "stay as late as they were.",
				       of_part, format_count(&incomplete, joint->incomplete),
				       format_count(&events, joint->events))
		       : memory_format("%s", of_part);
	free(of_part);
	return text;
}

char *job_figures_method(const struct job_report *report)
{
	static const char slowest[] =
		"Savings of the job: it takes as long as its slowest process, and what processes "
		"wait for in each other is not known. Low: they wait for nothing; estimate: a rank "
		"whose GPU is idle while its host makes no CUDA call waits for the others; high: "
		"all wait for the process that is fixed.";
	char *check, *gaps, *text;

	if (report->row_count < 2)
		return NULL;
	if (!report->joint.events)
		return memory_format("%s No collectives (NCCL) were seen.", slowest);
	check = describe_check(&report->joint);
	gaps = describe_gaps(&report->joint);
	text = report->method == JOB_JOINT
		       ? memory_format("Savings of the job replay all ranks together: a "
				       "collective begins when its last rank arrives. Self-check "
				       "without fixes: %s.%s",
				       check, gaps)
		       : memory_format("The replay of all ranks together fails its "
				       "self-check: %s. %s",
				       check, slowest);
	free(gaps);
	free(check);
	return text;
}

const char *job_figures_share(struct format *format, const struct job_row *row, int64_t ns)
{
	return format_percent(format, ns, row->member->summary->wall_ns);
}

const char *job_figures_mark(const struct job_group *group)
{
	return group->is_bound ? "<" : job_figures_is_further(group) ? "+" : "";
}

char *job_figures_costs(const struct job_report *report, const struct job_group *group)
{
	struct format time;
	char *row, *text;

	if (!group->costs_ns)
		return NULL;
	row = job_row_name(report, group->costs_most);
	text = memory_format("Leave it out on %s: with the fixes that its own report lists before "
			     "it, it costs %s.",
			     row, format_time(&time, group->costs_ns));
	free(row);
	return text;
}

bool job_figures_is_further(const struct job_group *group)
{
	return group->is_later && group->saved.estimate_ns > 0;
}
