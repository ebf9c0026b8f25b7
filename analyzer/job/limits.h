/* What the traces of a job do not have, over its rows. One thread. */
#ifndef STREAMTRACE_JOB_LIMITS_H
#define STREAMTRACE_JOB_LIMITS_H

#include "job/report.h"

/* Fills in the limits. The rows are known. */
void limits_find(struct job_report *report);
void limits_free(struct job_report *report);

/* Why a process has no operations, as far as its trace says; malloc'ed. */
char *limits_of_idle(const struct summary *summary);

#endif
