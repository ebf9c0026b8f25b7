/* What the job saves where nothing is known of what its processes wait for in each other (groups.h). */
#include "base/minmax.h"
#include "base/sort.h"
#include "job/groups.h"

#include <stdlib.h>
#include <string.h>

enum end { LOW, ESTIMATE, HIGH, ENDS };

/* Rows, those first that take longest however far others are fixed. */
struct by_end {
	uint32_t *rows[ENDS];
	bool *is_in; /* of the group that is weighed */
};

static int64_t end_of(const struct stated *lost, enum end end)
{
	return end == LOW ? lost->low_ns : end == HIGH ? lost->high_ns : lost->estimate_ns;
}

static int64_t *end_at(struct stated *lost, enum end end)
{
	return end == LOW ? &lost->low_ns : end == HIGH ? &lost->high_ns : &lost->estimate_ns;
}

static const struct summary *summary_of(const struct job_report *report, size_t row)
{
	return report->rows[row].member->summary;
}

/* What of a rank's time may be waiting for another: low: nothing; high: all. The estimate: while its GPU was
 * idle because the host made no call. Processes without a rank need not know of each other. */
static int64_t slack_of(const struct summary *summary, enum end end)
{
	if (end == LOW || summary->rank == SUMMARY_NO_RANK)
		return 0;
	return end == HIGH ? summary->untraced_ns
			   : min_ns(summary->load.idle_by_cause_ns[IDLE_HOST_WORK],
				    summary->untraced_ns);
}

/* The least that the row takes with so much saved by itself. */
static int64_t time_of(const struct summary *summary, int64_t saved_ns, enum end end)
{
	return max_ns(summary->untraced_ns - max_ns(saved_ns, slack_of(summary, end)), 0);
}

static int64_t saved_by_row(const struct summary *summary, const struct job_group *group,
			    enum end end)
{
	int64_t saved_ns = 0;

	for (size_t i = 0; i < summary->finding_count; i++) {
		const struct summary_finding *finding = &summary->findings[i];

		if (!strcmp(finding->id, group->id) && !strcmp(finding->where, group->where))
			saved_ns = collectives_add(saved_ns, end_of(&finding->lost, end));
	}
	return min_ns(saved_ns, max_ns(summary->untraced_ns, 0));
}

/* The slowest of those that the group does not have. */
static int64_t slowest_other(const struct job_report *report, const struct job_group *group,
			     const struct by_end *order, enum end end)
{
	int64_t slowest_ns = 0;

	for (size_t i = 0; i < group->row_count; i++)
		order->is_in[group->rows[i]] = true;
	for (size_t i = 0; i < report->row_count; i++)
		if (!order->is_in[order->rows[end][i]]) {
			slowest_ns = time_of(summary_of(report, order->rows[end][i]), 0, end);
			break;
		}
	for (size_t i = 0; i < group->row_count; i++)
		order->is_in[group->rows[i]] = false;
	return slowest_ns;
}

/* By the job: what its slowest row is faster by, but not more than any row saves. */
static int64_t saved_by_job(const struct job_report *report, int64_t slowest_ns, int64_t most_ns)
{
	return max_ns(min_ns(report->untraced_ns - slowest_ns, most_ns), 0);
}

static void weigh_group(const struct job_report *report, struct job_group *group,
			const struct by_end *order)
{
	for (enum end end = LOW; end < ENDS; end++) {
		int64_t slowest_ns = slowest_other(report, group, order, end), most_ns = 0;

		for (size_t i = 0; i < group->row_count; i++) {
			const struct summary *summary = summary_of(report, group->rows[i]);
			int64_t saved_ns = saved_by_row(summary, group, end);

			slowest_ns = max_ns(slowest_ns, time_of(summary, saved_ns, end));
			most_ns = max_ns(most_ns, saved_ns);
		}
		*end_at(&group->saved, end) = saved_by_job(report, slowest_ns, most_ns);
	}
}

static void weigh_all(struct job_report *report)
{
	for (enum end end = LOW; end < ENDS; end++) {
		int64_t slowest_ns = 0, most_ns = 0;

		for (size_t i = 0; i < report->row_count; i++) {
			const struct summary *summary = summary_of(report, i);
			int64_t saved_ns =
				min_ns(end_of(&summary->lost, end), summary->untraced_ns);

			slowest_ns = max_ns(slowest_ns, time_of(summary, saved_ns, end));
			most_ns = max_ns(most_ns, saved_ns);
		}
		*end_at(&report->lost, end) = saved_by_job(report, slowest_ns, most_ns);
	}
}

static uint32_t *order_rows(const struct job_report *report, enum end end)
{
	struct sort_key *keys = memory_array(report->row_count + 1, sizeof(*keys));
	uint32_t *rows = memory_array(report->row_count + 1, sizeof(*rows));

	for (size_t i = 0; i < report->row_count; i++)
		keys[i] = (struct sort_key){~sort_signed(time_of(summary_of(report, i), 0, end)),
					    (uint32_t)i};
	sort_by_key_once(keys, report->row_count);
	for (size_t i = 0; i < report->row_count; i++)
		rows[i] = keys[i].index;
	free(keys);
	return rows;
}

void groups_weigh_slowest(struct job_report *report)
{
	struct by_end order = {.is_in = memory_array(report->row_count + 1, sizeof(bool))};

	for (enum end end = LOW; end < ENDS; end++)
		order.rows[end] = order_rows(report, end);
	for (size_t i = 0; i < report->group_count; i++)
		weigh_group(report, &report->groups[i], &order);
	weigh_all(report);
	report->method = JOB_SLOWEST;
	for (enum end end = LOW; end < ENDS; end++)
		free(order.rows[end]);
	free(order.is_in);
}
