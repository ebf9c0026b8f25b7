#include "job/job_report.h"

#include "base/minmax.h"
#include "base/vector.h"
#include "job/groups.h"
#include "job/job_limits.h"
#include "job/lateness.h"
#include "job/machine_clocks.h"

#include <inttypes.h>
#include <string.h>

/* So many ranks that have no trace are named one by one. */
#define MOST_MISSING 64

struct making {
	struct job_report *report;
	VECTOR(struct job_row) rows;
	VECTOR(struct job_left_out) left_out;
	const char *run; /* of the job; NULL: not known */
};

/* Takes both texts over. */
static void leave_out(struct making *making, char *who, char *why)
{
	*vector_add(&making->left_out) = (struct job_left_out){who, why};
}

static char *name_of(const struct summary *summary)
{
	const char *program = summary->program ? summary->program : "unknown program";

	if (summary->rank == SUMMARY_NO_RANK)
		return memory_format("%s %" PRId64, program, summary->process_id);
	return memory_format("rank %" PRId64 " (%s %" PRId64 ")", summary->rank, program,
			     summary->process_id);
}

/* A run, while the one is looked for that the job is. */
struct run {
	const char *name;
	size_t count;
	int64_t start_ns; /* the latest */
};

static int compare_runs(const void *a, const void *b)
{
	return strcmp(((const struct run *)a)->name, ((const struct run *)b)->name);
}

/* The run with most processes that worked, of equals the last one; NULL: none is known. */
static const char *find_run(const struct job *job)
{
	VECTOR(struct run) runs = {0};
	struct run best = {0};

	for (size_t i = 0; i < job->member_count; i++) {
		const struct summary *summary = job->members[i].summary;

		if (summary->run && summary->operation_count)
			*vector_add(&runs) = (struct run){summary->run, 1, summary->start_ns};
	}
	vector_sort(&runs, compare_runs);
	for (size_t i = 0, end; i < runs.count; i = end) {
		struct run run = runs.items[i];

		for (end = i + 1; end < runs.count && !strcmp(runs.items[end].name, run.name);
		     end++) {
			run.count++;
			run.start_ns = max_ns(run.start_ns, runs.items[end].start_ns);
		}
		if (run.count > best.count ||
		    (run.count == best.count && run.start_ns > best.start_ns))
			best = run;
	}
	vector_free(&runs);
	return best.name;
}

static const struct summary_finding *worst_of(const struct summary *summary)
{
	const struct summary_finding *worst = NULL;

	for (size_t i = 0; i < summary->finding_count; i++) {
		const struct summary_finding *finding = &summary->findings[i];

		if (!finding->is_folded &&
		    (!worst || summary_saving(summary, &finding->lost) >
				       summary_saving(summary, &worst->lost)))
			worst = finding;
	}
	return worst;
}

static void add_member(struct making *making, const struct job_member *member)
{
	const struct summary *summary = member->summary;

	if (making->run && summary->run && strcmp(summary->run, making->run) != 0) {
		leave_out(making, name_of(summary),
			  memory_format("of another run (%s): %s", summary->run, summary->trace));
		return;
	}
	if (!summary->operation_count) {
		leave_out(making, name_of(summary), limits_of_idle(summary));
		return;
	}
	*vector_add(&making->rows) = (struct job_row){
		.member = member,
		.waiting = collectives_waiting(&making->report->job->collectives, member->presences,
					       member->presence_count),
		.worst = worst_of(summary)};
}

static int compare_hosts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t count_hosts(const struct job_report *report)
{
	VECTOR(const char *) hosts = {0};
	size_t count = 0;

	for (size_t i = 0; i < report->row_count; i++) {
		const char *host = report->rows[i].member->summary->host;

		*vector_add(&hosts) = host ? host : "";
	}
	vector_sort(&hosts, compare_hosts);
	for (size_t i = 0; i < hosts.count; i++)
		count += !i || strcmp(hosts.items[i - 1], hosts.items[i]) != 0;
	vector_free(&hosts);
	return count;
}

static void measure_job(struct job_report *report)
{
	int64_t rank = SUMMARY_NO_RANK;

	for (size_t i = 0; i < report->row_count; i++) {
		const struct summary *summary = report->rows[i].member->summary;

		report->wall_ns = max_ns(report->wall_ns, summary->wall_ns);
		report->untraced_ns = max_ns(report->untraced_ns, summary->untraced_ns);
		report->expected_ranks = max_ns(report->expected_ranks, summary->ranks);
		report->has_estimates |= summary->has_estimates;
		report->rank_count += summary->rank != SUMMARY_NO_RANK && summary->rank != rank;
		rank = summary->rank;
	}
	report->host_count = count_hosts(report);
	report->complete_count = collectives_complete(&report->job->collectives);
	report->collective_count = collectives_seen(&report->job->collectives);
}

/* "rank 3", "ranks 3-7". */
static void add_missing(struct making *making, int64_t first, int64_t last)
{
	char *who = first == last ? memory_format("rank %" PRId64, first)
				  : memory_format("ranks %" PRId64 "-%" PRId64, first, last);

	leave_out(making, who, memory_format("no trace of %s", first == last ? "it" : "them"));
}

/* The ranks that the launcher started and no member has. */
static void find_missing(struct making *making)
{
	const struct job *job = making->report->job;
	int64_t next = 0, expected = making->report->expected_ranks, named = 0;

	for (size_t i = 0; i <= job->member_count && expected && named < MOST_MISSING; i++) {
		int64_t rank = i < job->member_count ? job->members[i].summary->rank : expected;

		rank = rank == SUMMARY_NO_RANK || rank > expected ? expected : rank;
		if (rank > next) {
			add_missing(making, next, rank - 1);
			named++;
		}
		next = max_ns(next, rank + 1);
	}
}

static void note_rows(struct making *making)
{
	struct job_report *report = making->report;

	for (size_t i = 0; i < report->row_count; i++)
		if (!report->rows[i].member->summary->has_estimates)
			leave_out(making, job_row_name(report, i),
				  memory_format("self-check failed: savings not estimated"));
}

static void note_unread(struct making *making)
{
	const struct job *job = making->report->job;
	size_t doubtful = communicators_doubtful(&job->collectives.communicators);

	for (size_t i = 0; i < job->unread_count; i++)
		leave_out(making, memory_format("%s", job->unread[i].path),
			  memory_format("%s", job->unread[i].why));
	if (doubtful)
		leave_out(making,
			  memory_format("%zu communicator%s", doubtful, doubtful == 1 ? "" : "s"),
			  memory_format(
				  "processes do not agree how many ranks take part: waits there "
				  "are not known"));
	if (job->doubled)
		leave_out(making,
			  memory_format("%" PRIu64 " trace%s", job->doubled,
					job->doubled == 1 ? "" : "s"),
			  memory_format("of a process whose trace was given already: waits between "
					"ranks are incomplete"));
}

static void compare_clocks(struct job_report *report)
{
	struct machine_clocks clocks = machine_clocks_compare(&report->job->clocks);
	VECTOR(char *) lines = {0};
	char *all = machine_clocks_summarize(&clocks);

	if (all)
		*vector_add(&lines) = all;
	for (size_t i = 0; i < clocks.count; i++) {
		bool is_told = all && clocks.items[i].state == CLOCK_COMPARED;
		char *line = is_told ? NULL : machine_clocks_describe(&clocks, i);

		if (line)
			*vector_add(&lines) = line;
	}
	vector_move(&lines, report->clock_lines, report->clock_line_count);
	machine_clocks_free(&clocks);
}

static void find_late_cause(struct job_report *report)
{
	size_t row = report->straggler_count ? job_report_row(report, report->stragglers[0].member)
					     : SIZE_MAX;

	if (row != SIZE_MAX)
		report->late_cause = lateness_find(report, row, report->stragglers[0].late_ns);
}

struct job_report *job_report_make(const struct job *job)
{
	struct job_report *report = memory_array(1, sizeof(*report));
	struct making making = {.report = report, .run = find_run(job)};

	report->job = job;
	for (size_t i = 0; i < job->member_count; i++)
		add_member(&making, &job->members[i]);
	vector_move(&making.rows, report->rows, report->row_count);
	measure_job(report);
	find_missing(&making);
	note_unread(&making);
	note_rows(&making);
	vector_move(&making.left_out, report->left_out, report->left_out_count);
	report->stragglers = collectives_stragglers(&job->collectives, &report->straggler_count);
	compare_clocks(report);
	limits_find(report);
	find_late_cause(report);
	groups_find(report);
	groups_weigh_slowest(report);
	groups_weigh_joint(report);
	groups_rank(report);
	report->incidents = job_incidents_find(job);
	return report;
}

void job_report_free(struct job_report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->group_count; i++)
		free(report->groups[i].rows);
	for (size_t i = 0; i < report->left_out_count; i++) {
		free(report->left_out[i].who);
		free(report->left_out[i].why);
	}
	for (size_t i = 0; i < report->clock_line_count; i++)
		free(report->clock_lines[i]);
	limits_free(report);
	job_incidents_free(&report->incidents);
	free(report->clock_lines);
	free(report->rows);
	free(report->groups);
	free(report->left_out);
	free(report->stragglers);
	free(report);
}
