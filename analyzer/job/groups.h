/*
 * Groups a job's findings by pitfall and line, and says what each group costs the job. One thread.
 *
 * Call in this order: groups_find(), groups_weigh_slowest(), groups_weigh_joint(), groups_rank().
 */
#ifndef STREAMTRACE_JOB_GROUPS_H
#define STREAMTRACE_JOB_GROUPS_H

#include "job/job_report.h"

/* The saving of a process as its own report shows it: the estimate, or the high end if the report
 * has no estimates. lost: of the process or of one of its findings. */
static inline int64_t summary_saving(const struct summary *summary, const struct stated *lost)
{
	return summary->has_estimates ? lost->estimate_ns : lost->high_ns;
}

/* Sets report->groups, without .saved and .is_folded. Call after report->rows and row_count are
 * set. job_report_free() frees the groups. */
void groups_find(struct job_report *report);

/* Sets report->lost and each group's saved by the method JOB_SLOWEST. */
void groups_weigh_slowest(struct job_report *report);

/* Replaces these savings by those of the joint replay, and sets report->method and report->joint.
 * Does nothing if report->job->paths (paths.h) is NULL. If the replay misses the measured time,
 * only report->joint is set. A group that is not in the joint replay keeps its low end, which also
 * becomes its estimate and high end. */
void groups_weigh_joint(struct job_report *report);

/* Folds the groups that save less than 0.5 % of the job, by estimate and high end, and sorts the
 * groups: listed ones first, the largest saving first. As in a process's own report (list_order.h),
 * waits that a listed group's fix needs gone come before that group, unless they save less than that. */
void groups_rank(struct job_report *report);

#endif
