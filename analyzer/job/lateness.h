/* Why a process comes last to collectives: a cause that costs this process more time than the
 * others. One thread. */
#ifndef STREAMTRACE_JOB_LATENESS_H
#define STREAMTRACE_JOB_LATENESS_H

#include "job/job_report.h"

/* The cause why report->rows[row] is late by late_ns. A cause fits if its time on this row exceeds
 * the median of the other rows by late_ns / 4 to late_ns * 4. The result is the finding that fits
 * with the largest excess, by its saving; else the line where the GPU is idle, by its idle time;
 * else zeros. */
struct job_cause lateness_find(const struct job_report *report, size_t row, int64_t late_ns);

#endif
