#include "job/lateness.h"

#include "base/median.h"
#include "job/groups.h"

#include <stdlib.h>
#include <string.h>

/* A cause must explain between a MOST_TIMES-th of the lateness and MOST_TIMES as much: a larger time has
 * another effect, such as the start of the program. */
#define MOST_TIMES 4

struct looking {
	const struct job_report *report;
	const struct summary *summary; /* of the row */
	size_t row;
	int64_t *others; /* room: a time for each other row */
	int64_t late_ns;
};

static bool explains_lateness(const struct looking *looking, int64_t more_ns)
{
	return more_ns >= looking->late_ns / MOST_TIMES && more_ns / MOST_TIMES <= looking->late_ns;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static int64_t saving_in(const struct summary *summary, const struct summary_finding *like)
{
	int64_t saved_ns = 0;

	for (size_t i = 0; i < summary->finding_count; i++) {
		const struct summary_finding *finding = &summary->findings[i];

		if (!strcmp(finding->id, like->id) && !strcmp(finding->where, like->where))
			saved_ns =
				collectives_add(saved_ns, summary_saving(summary, &finding->lost));
	}
	return saved_ns;
}

static int64_t idle_in(const struct summary *summary, const struct summary_idle_line *like)
{
	int64_t idle_ns = 0;

	for (size_t i = 0; i < summary->idle_line_count; i++) {
		const struct summary_idle_line *line = &summary->idle_lines[i];

		if (line->cause == like->cause && !strcmp(line->where, like->where) &&
		    is_same(line->from, like->from))
			idle_ns = collectives_add(idle_ns, line->ns);
	}
	return idle_ns;
}

/* Of the other rows, of which there are count. */
static int64_t more_than_others(struct looking *looking, int64_t own_ns, size_t count)
{
	return own_ns - median_ns(looking->others, count);
}

static void look_at_finding(struct looking *looking, const struct summary_finding *finding,
			    struct job_cause *cause)
{
	size_t count = 0;
	int64_t more_ns;

	for (size_t i = 0; i < looking->report->row_count; i++)
		if (i != looking->row)
			looking->others[count++] =
				saving_in(looking->report->rows[i].member->summary, finding);
	more_ns = more_than_others(looking, saving_in(looking->summary, finding), count);
	if (explains_lateness(looking, more_ns) && more_ns > cause->more_ns)
		*cause = (struct job_cause){.finding = finding, .more_ns = more_ns};
}

static void look_at_line(struct looking *looking, const struct summary_idle_line *line,
			 struct job_cause *cause)
{
	size_t count = 0;
	int64_t more_ns;

	/* No cause of work that comes late: it is not the program's. */
	if (line->cause == IDLE_START || line->cause == IDLE_END || line->cause == IDLE_TRACER)
		return;
	for (size_t i = 0; i < looking->report->row_count; i++)
		if (i != looking->row)
			looking->others[count++] =
				idle_in(looking->report->rows[i].member->summary, line);
	more_ns = more_than_others(looking, idle_in(looking->summary, line), count);
	if (explains_lateness(looking, more_ns) && more_ns > cause->more_ns)
		*cause = (struct job_cause){.line = line, .more_ns = more_ns};
}

struct job_cause lateness_find(const struct job_report *report, size_t row, int64_t late_ns)
{
	struct looking looking = {report, report->rows[row].member->summary, row,
				  memory_array(report->row_count, sizeof(*looking.others)),
				  late_ns};
	struct job_cause finding = {0}, line = {0};

	for (size_t i = 0; i < looking.summary->finding_count; i++)
		look_at_finding(&looking, &looking.summary->findings[i], &finding);
	for (size_t i = 0; i < looking.summary->idle_line_count; i++)
		look_at_line(&looking, &looking.summary->idle_lines[i], &line);
	free(looking.others);
	/* What can be fixed says more than where the time passed. */
	return finding.finding ? finding : line;
}
