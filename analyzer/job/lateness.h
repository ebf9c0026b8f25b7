/* Why a member arrives last at collectives: what it has and the others have less of. One thread. */
#ifndef STREAMTRACE_JOB_LATENESS_H
#define STREAMTRACE_JOB_LATENESS_H

#include "job/report.h"

/* The cause of the row's lateness: what it has more of than the median of the others, a finding's saving or
 * a line where its GPU is idle; NULL and 0 where neither is about late_ns. */
struct job_cause lateness_find(const struct job_report *report, size_t row, int64_t late_ns);

#endif
