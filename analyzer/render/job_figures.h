/* Sentences and numbers that the reports of jobs share, for every format. The caller frees each char *. Any
 * thread. */
#ifndef STREAMTRACE_JOB_FIGURES_H
#define STREAMTRACE_JOB_FIGURES_H

#include "job/job_report.h"

/* The run: "8 ranks on 2 hosts: train.py on NVIDIA H200, 12.3 s recorded". */
char *job_figures_run(const struct job_report *report);

/* The answer: "1.20 s (9.8 %) can be won back by overlap", "No lost overlap found that the job would win back", or
 * why the lost overlap is unknown. */
char *job_figures_answer(const struct job_report *report);

/* The range of a saving: "0.9..1.3 s". NULL: both ends print like the estimate. */
char *job_figures_range(const struct stated *saved);

/* The largest group: "Most: pageable-copy at train.py:31 on rank 1 (1.10 s)." NULL: no listed group saves time. */
char *job_figures_most(const struct job_report *report);

/* The rank that the others wait for most: "Straggler: rank 1 arrives last at 97.0 % of 120 collectives. ..." NULL:
 * no rank costs the others 0.5 % of the run. */
char *job_figures_straggler(const struct job_report *report);

/* How many collectives there were, and which shares of the ranks' time were transfer and waiting. NULL: there were
 * none. */
char *job_figures_collectives(const struct job_report *report);

/* How the savings were estimated, and what is unknown about them. NULL: the job has fewer than two rows. */
char *job_figures_method(const struct job_report *report);

/* What stands before the group's saving: "<" if the saving is a bound, "+" if job_figures_is_further(), or "". Static. */
const char *job_figures_mark(const struct job_group *group);

/* Where the group's fix should be left out, and what it costs there. NULL: nowhere. */
char *job_figures_costs(const struct job_report *report, const struct job_group *group);

/* Whether the group saves time only beside other fixes, so that its saving is printed with a plus: "+1.2 s". */
bool job_figures_is_further(const struct job_group *group);

/* Returns ns as a share of the row's own traced time: "16.2 %". The text is in *format, and lives as long. */
struct format;
const char *job_figures_share(struct format *format, const struct job_row *row, int64_t ns);

#endif
