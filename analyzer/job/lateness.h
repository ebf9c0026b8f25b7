/* Why a process comes last to collectives: a cause of which it has more than the others. One thread. */
#ifndef STREAMTRACE_JOB_LATENESS_H
#define STREAMTRACE_JOB_LATENESS_H

#include "job/job_report.h"

/* The cause of the lateness, late_ns, of report->rows[row]. It is a finding, if its saving on this row exceeds the
 * median of the other rows by about late_ns; else a line where the GPU is idle, if that time does; else NULL and 0. */
struct job_cause lateness_find(const struct job_report *report, size_t row, int64_t late_ns);

#endif
