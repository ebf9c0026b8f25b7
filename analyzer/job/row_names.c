/* What the rows of a job are called (job_report.h). */
#include "base/search.h"
#include "job/job_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct summary *summary_of(const struct job_report *report, size_t row)
{
	return report->rows[row].member->summary;
}

static bool shares_rank(const struct job_report *report, size_t row)
{
	int64_t rank = summary_of(report, row)->rank;

	return (row && summary_of(report, row - 1)->rank == rank) ||
	       (row + 1 < report->row_count && summary_of(report, row + 1)->rank == rank);
}

char *job_row_name(const struct job_report *report, size_t row)
{
	const struct summary *summary = summary_of(report, row);

	if (summary->rank == SUMMARY_NO_RANK)
		return memory_format("process %" PRId64, summary->process_id);
	if (shares_rank(report, row))
		return memory_format("rank %" PRId64 " (process %" PRId64 ")", summary->rank,
				     summary->process_id);
	return memory_format("rank %" PRId64, summary->rank);
}

size_t job_report_row(const struct job_report *report, job_member_id member)
{
	size_t first = search(report->row_count, i,
			      report->rows[i].member->id >> 63 == 0 &&
				      report->rows[i].member->id >> 32 < member >> 32);

	/* By rank; those of one rank, and those without, which are behind the others, by host, not by id. */
	for (; first < report->row_count; first++)
		if (report->rows[first].member->id == member)
			return first;
		else if (member >> 63 == 0 && report->rows[first].member->id >> 32 != member >> 32)
			break;
	return SIZE_MAX;
}

/* The last of the chosen rows from i on whose ranks follow each other. */
static size_t end_of_row(const struct job_report *report, const uint32_t *rows, size_t count,
			 size_t i)
{
	while (i + 1 < count &&
	       summary_of(report, rows[i + 1])->rank == summary_of(report, rows[i])->rank + 1)
		i++;
	return i;
}

/* So many ranks or rows of them are named. */
#define MOST_NAMED 4

static char *name_ranks(const struct job_report *report, const uint32_t *rows, size_t count)
{
	char *text = memory_format("%s", count == 1 ? "rank" : "ranks");
	size_t named = 0;

	for (size_t i = 0, last; i < count; i = last + 1) {
		const char *before = named ? ", " : " ";
		int64_t rank = summary_of(report, rows[i])->rank;
		char *longer;

		last = end_of_row(report, rows, count, i);
		if (named++ == MOST_NAMED)
			longer = memory_format("%s and %zu more", text, count - i);
		else if (last == i)
			longer = memory_format("%s%s%" PRId64, text, before, rank);
		else
			longer = memory_format("%s%s%" PRId64 "-%" PRId64, text, before, rank,
					       summary_of(report, rows[last])->rank);
		free(text);
		text = longer;
		if (named > MOST_NAMED)
			break;
	}
	return text;
}

char *job_rows_name(const struct job_report *report, const uint32_t *rows, size_t count)
{
	bool has_ranks = report->rank_count == report->row_count;

	if (count == 1)
		return job_row_name(report, rows[0]);
	if (count == report->row_count && count == 2)
		return memory_format("both %s", has_ranks ? "ranks" : "processes");
	if (count == report->row_count)
		return memory_format("all %zu %s", count, has_ranks ? "ranks" : "processes");
	if (!has_ranks)
		return memory_format("%zu of %zu processes", count, report->row_count);
	return name_ranks(report, rows, count);
}
