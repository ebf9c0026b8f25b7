/* What the traces of a job do not have: the notes of its rows, joined. One thread. */
#ifndef STREAMTRACE_JOB_LIMITS_H
#define STREAMTRACE_JOB_LIMITS_H

#include "job/job_report.h"

/* Sets report->limits; limits_free() frees them. Call after the rows are set. */
void limits_find(struct job_report *report);
void limits_free(struct job_report *report);

/* Why a process has no GPU operations, as far as its trace says: one line, which the caller frees. */
char *limits_of_idle(const struct summary *summary);

#endif
