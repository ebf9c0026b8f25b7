/* A job's findings by pitfall and line, and what they cost the job. One thread. */
#ifndef STREAMTRACE_JOB_GROUPS_H
#define STREAMTRACE_JOB_GROUPS_H

#include "job/report.h"

/* The saving of a process as its report has it: the estimate, or where there are none the high end. */
static inline int64_t summary_saving(const struct summary *summary, const struct interval *lost)
{
	return summary->has_estimates ? lost->estimate_ns : lost->high_ns;
}

/* Fills in the groups, without what they save the job. The rows are known. */
void groups_find(struct job_report *report);

/* What the job saves, lost and each group's, by JOB_SLOWEST. */
void groups_weigh_slowest(struct job_report *report);

/* The same by a joint replay, where the report has one: of a group that is not in it the low end by
 * JOB_SLOWEST stays. */
void groups_weigh_joint(struct job_report *report);

/* Into the report's order, and folds those that are too small. */
void groups_rank(struct job_report *report);

#endif
