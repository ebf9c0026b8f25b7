/* The report of a job for people. */
#include "base/format.h"
#include "base/memory.h"
#include "base/quote.h"
#include "job/groups.h"
#include "render/job.h"
#include "render/job_figures.h"
#include "render/job_incident_text.h"
#include "render/job_tables.h"
#include "render/page.h"

#include <stdlib.h>
#include <string.h>

#define INDENT 4

/* So many groups are explained, and so many are named that are left out. */
#define MOST_BLOCKS   12
#define MOST_LEFT_OUT 16
#define MOST_CLOCKS   8
#define MOST_LIMITS   16

/* Frees the text; NULL: nothing. */
static void print_made(const struct page *page, char *text)
{
	if (text)
		print_wrapped(page, NULL, 0, text);
	free(text);
}

static void print_head(const struct page *page, const struct job_report *report)
{
	char *answer = job_figures_answer(report);
	char *range = report->has_estimates && report->lost.high_ns > 0
			      ? job_figures_range(&report->lost)
			      : NULL;
	char *ends = range ? memory_format("range %s", range) : memory_format("%s", "");

	print_made(page, job_figures_run(report));
	page_set_style(page, PAGE_STRONG);
	print_apart(page, answer, ends);
	page_set_style(page, PAGE_PLAIN);
	print_made(page, job_figures_most(report));
	print_made(page, job_figures_straggler(report));
	free(ends);
	free(range);
	free(answer);
}

static void print_saving(const struct page *page, const struct job_report *report,
			 const struct job_group *group)
{
	char *range = job_figures_range(&group->saved);
	struct format saved, percent, count, blocked;

	print_formatted(page, NULL, INDENT, "saves the job %s%s (%s%s%s): %s time%s, %s %s",
			group->is_bound			? "at most "
			: job_figures_is_further(group) ? "a further "
							: "",
			format_time(&saved, group->saved.estimate_ns),
			format_percent(&percent, group->saved.estimate_ns, report->untraced_ns),
			range ? ", range " : "", range ? range : "",
			format_count(&count, group->count), group->count == 1 ? "" : "s",
			format_time(&blocked, group->blocked_ns), group->finding->cost);
	free(range);
}

/* What the fix saves each rank by itself. */
static void print_spread(const struct page *page, const struct job_report *report,
			 const struct job_group *group)
{
	char *most = job_row_name(report, group->most);
	struct format smallest, median, largest;

	if (group->row_count == 1)
		print_formatted(page, NULL, INDENT, "alone it saves %s %s.", most,
				format_time(&largest, group->largest_ns));
	else
		print_formatted(page, NULL, INDENT,
				"alone it saves each of them: smallest %s, median %s, "
				"largest %s (%s).",
				format_time(&smallest, group->smallest_ns),
				format_time(&median, group->median_ns),
				format_time(&largest, group->largest_ns), most);
	free(most);
}

static size_t find_same_fix(const struct job_report *report, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(report->groups[i].finding->fix, report->groups[index].finding->fix))
			return i;
	return SIZE_MAX;
}

static void print_fix(const struct page *page, const struct job_report *report, size_t index)
{
	const struct summary_finding *finding = report->groups[index].finding;
	size_t same = find_same_fix(report, index);

	page_set_style(page, PAGE_GOOD);
	if (same != SIZE_MAX)
		print_formatted(page, "    fix: ", 9, "as for %zu.", same + 1);
	else
		print_wrapped(page, "    fix: ", 9, finding->fix);
	page_set_style(page, PAGE_PLAIN);
	if (finding->relies_on && same == SIZE_MAX)
		print_formatted(page, "    needs: ", 11, "%s.", finding->relies_on);
	if (finding->price && same == SIZE_MAX)
		print_formatted(page, "    price: ", 11, "%s.", finding->price);
}

static void print_group(const struct page *page, const struct job_report *report, size_t index)
{
	const struct job_group *group = &report->groups[index];
	const struct summary_finding *finding = group->finding;
	char *rows = job_rows_name(report, group->rows, group->row_count);
	char *costs = job_figures_costs(report, group);
	char lead[24];

	fputc('\n', page->out);
	snprintf(lead, sizeof(lead), "%zu.", index + 1);
	page_set_style(page, PAGE_STRONG);
	print_formatted(page, lead, INDENT, "%s at %s%s%s, on %s", group->id, group->where,
			finding->function ? " in " : "", finding->function ? finding->function : "",
			rows);
	page_set_style(page, PAGE_PLAIN);
	print_wrapped(page, NULL, INDENT, finding->title);
	print_saving(page, report, group);
	print_spread(page, report, group);
	if (finding->evidence) {
		char *most = job_row_name(report, group->most);

		print_formatted(page, NULL, INDENT, "longest on %s: %s", most, finding->evidence);
		free(most);
	}
	print_fix(page, report, index);
	if (costs)
		print_wrapped(page, NULL, INDENT, costs);
	free(costs);
	free(rows);
}

/* What the shown ones save together is another time than their sum. */
static const char *compare_with_sum(const struct job_report *report)
{
	int64_t sum_ns = 0, lost_ns = report->lost.estimate_ns;

	for (size_t i = 0; i < report->group_count; i++)
		if (!report->groups[i].is_folded)
			sum_ns = collectives_add(sum_ns, report->groups[i].saved.estimate_ns);
	if (sum_ns > lost_ns + lost_ns / 100)
		return "Together they save less than their sum: the savings overlap.";
	if (sum_ns < lost_ns - lost_ns / 100)
		return "Together they save more than their sum: some waits hide others.";
	return NULL;
}

static bool print_findings(const struct page *page, const struct job_report *report, bool all)
{
	size_t shown = report->group_count - (all ? 0 : report->folded_count);
	size_t folded = report->group_count - shown;
	bool ok = true;

	if (shown) {
		fputc('\n', page->out);
		ok = print_job_groups(page, report, all);
		if (compare_with_sum(report))
			print_wrapped(page, NULL, 0, compare_with_sum(report));
	}
	if (folded)
		print_formatted(page, NULL, 0, "%zu smaller finding%s: shown with --all.", folded,
				folded == 1 ? "" : "s");
	for (size_t i = 0; i < shown && (all || i < MOST_BLOCKS); i++)
		print_group(page, report, i);
	return ok;
}

static void print_left_out(const struct page *page, const struct job_report *report, bool all)
{
	size_t count = report->left_out_count;
	size_t shown = all || count <= MOST_LEFT_OUT ? count : MOST_LEFT_OUT;

	if (!count)
		return;
	print_heading(page, "Left out or incomplete:");
	for (size_t i = 0; i < shown; i++)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s: %s", report->left_out[i].who,
				report->left_out[i].why);
	if (count > shown)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%zu more: shown with --all",
				count - shown);
}

/* "ranks 0-2: untimed: 5 GPU records have no time (of rank 0)". */
static void print_limit(const struct page *page, const struct job_report *report,
			const struct job_limit *limit)
{
	char *rows = job_rows_name(report, limit->rows, limit->row_count);
	char *first = job_row_name(report, limit->rows[0]);

	print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s: %s: %s%s%s%s", rows, limit->what,
			limit->why, limit->is_same ? "" : " (of ", limit->is_same ? "" : first,
			limit->is_same ? "" : ")");
	free(first);
	free(rows);
}

static void print_limits(const struct page *page, const struct job_report *report, bool all)
{
	size_t count = report->limit_count;
	size_t shown = all || count <= MOST_LIMITS ? count : MOST_LIMITS;

	if (!count)
		return;
	print_heading(page, "Limitations of these traces:");
	for (size_t i = 0; i < shown; i++)
		print_limit(page, report, &report->limits[i]);
	if (count > shown)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%zu more: shown with --all",
				count - shown);
}

static void print_own_report(const struct page *page, const struct job_report *report)
{
	const struct job_row *row;
	char *name, *trace;

	if (!report->row_count)
		return;
	row = &report->rows[report->group_count ? report->groups[0].most : 0];
	name = job_row_name(report, (size_t)(row - report->rows));
	trace = quote_for_shell(row->member->summary->trace);
	print_formatted(page, ITEM_LEAD, ITEM_INDENT,
			"The report of %s alone: streamtrace report %s", name, trace);
	free(trace);
	free(name);
}

static void print_columns(const struct page *page, const struct job_report *report, bool all)
{
	print_formatted(page, ITEM_LEAD, ITEM_INDENT,
			"%slost: what all fixes save that process alone.%s",
			report->complete_count ? "waits: time in collectives until the last rank "
						 "arrived, of wall time; "
					       : "",
			job_rows_are_cut(report, all)
				? " The list has the processes that lose most and least; --all "
				  "shows the others."
				: "");
}

static void print_clocks(const struct page *page, const struct job_report *report, bool all)
{
	size_t count = report->clock_line_count;
	size_t shown = all || count <= MOST_CLOCKS ? count : MOST_CLOCKS;

	for (size_t i = 0; i < shown; i++)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s", report->clock_lines[i]);
	if (count > shown)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%zu more clocks: shown with --all",
				count - shown);
}

bool print_job_text(FILE *out, const struct job_report *report, bool all)
{
	struct page page = page_open(out);
	char *method = job_figures_method(report), *collectives = job_figures_collectives(report);
	bool ok = true;

	ok = print_job_incidents(&page, report);
	print_head(&page, report);
	if (report->row_count) {
		fputc('\n', out);
		ok &= print_job_rows(&page, report, all) && print_findings(&page, report, all);
	}
	print_left_out(&page, report, all);
	if (report->row_count) {
		print_heading(&page, "Notes:");
		print_columns(&page, report, all);
		if (collectives)
			print_formatted(&page, ITEM_LEAD, ITEM_INDENT, "%s", collectives);
		if (method)
			print_formatted(&page, ITEM_LEAD, ITEM_INDENT, "%s", method);
		print_clocks(&page, report, all);
		print_own_report(&page, report);
		print_limits(&page, report, all);
	}
	free(collectives);
	free(method);
	return ok;
}
