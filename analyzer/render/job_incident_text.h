/* Says what the watch mode noticed in the processes of a job (job/job_incidents.h). One thread. */
#ifndef STREAMTRACE_JOB_INCIDENT_TEXT_H
#define STREAMTRACE_JOB_INCIDENT_TEXT_H

#include "job/job_report.h"
#include "render/page.h"

/* "step 48,213 was slow on 4 ranks: rank 2 was late first, by 1.40 s in cudaMalloc at loader.py:77", without a full
 * stop. The caller frees it. */
char *job_incident_text(const struct job_incident *incident);

/* Prints a paragraph and a table for each step; nothing where there are none. False: out of memory. */
bool print_job_incidents(const struct page *page, const struct job_report *report);

#endif
