/* What the reports of jobs say of numbers, for every format. Each text is malloc'ed. */
#ifndef STREAMTRACE_JOB_FIGURES_H
#define STREAMTRACE_JOB_FIGURES_H

#include "job/report.h"

/* "8 ranks on 2 hosts: train.py on NVIDIA H200, 12.3 s recorded". */
char *job_figures_run(const struct job_report *report);

/* "1.20 s (9.8 %) can be won back by overlap", "No lost overlap found". */
char *job_figures_answer(const struct job_report *report);

/* "0.9..1.3 s"; NULL: both ends are like the estimate. */
char *job_figures_range(const struct interval *saved);

/* "Most: pageable-copy at train.py:31 on rank 1 (1.10 s)."; NULL: no group saves anything. */
char *job_figures_most(const struct job_report *report);

/* "Straggler: rank 1 comes last to 97 % of 120 collectives; ...". NULL: none. */
char *job_figures_straggler(const struct job_report *report);

/* How many collectives there were, and how the ranks' time in them divides; NULL: none. */
char *job_figures_collectives(const struct job_report *report);

/* How the savings were made, and what they do not know. */
char *job_figures_method(const struct job_report *report);

/* Whether its saving is beside the fixes of the others. */
bool job_figures_is_further(const struct job_group *group);

/* "16.2 %" of the row's own time as traced. */
struct format;
const char *job_figures_share(struct format *format, const struct job_row *row, int64_t ns);

#endif
