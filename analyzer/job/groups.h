/*
 * Groups a job's findings by pitfall and line, and says what each group costs the job. One thread.
 *
 * Call in this order: groups_find(), groups_weigh_slowest(), groups_weigh_joint(), groups_rank().
 */
#ifndef STREAMTRACE_JOB_GROUPS_H
#define STREAMTRACE_JOB_GROUPS_H

#include "job/job_report.h"

/* The saving of a process as its own report shows it: the estimate, or the high end if its report has no estimates. */
static inline int64_t summary_saving(const struct summary *summary, const struct stated *lost)
{
	return summary->has_estimates ? lost->estimate_ns : lost->high_ns;
}

/* Sets report->groups, but for what they save the job. Call after the rows are set. */
void groups_find(struct job_report *report);

/* Sets report->lost and each group's saved by the method JOB_SLOWEST. */
void groups_weigh_slowest(struct job_report *report);

/* Replaces them by the joint replay's, and sets method and joint, if the job has paths. If the replay misses the
 * measured time, only joint is set. A group that is not in the joint replay keeps its low end, also as its estimate
 * and high end. Call after groups_weigh_slowest(). */
void groups_weigh_joint(struct job_report *report);

/* Folds the groups that save too little to be listed, and sorts: listed ones first, the largest saving first. */
void groups_rank(struct job_report *report);

#endif
