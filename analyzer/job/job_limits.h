/* What the traces of a job do not have: the notes of the report's rows, joined by their text. One
 * thread. */
#ifndef STREAMTRACE_JOB_LIMITS_H
#define STREAMTRACE_JOB_LIMITS_H

#include "job/job_report.h"

/* limits_find() sets report->limits; call it after the rows are set. limits_free() frees
 * report->limits, and is called by job_report_free(). */
void limits_find(struct job_report *report);
void limits_free(struct job_report *report);

/* One line that says why a process has no GPU operations, as far as its trace tells. The caller
 * frees the line. */
char *limits_of_idle(const struct summary *summary);

#endif
