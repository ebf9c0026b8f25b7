/*
 * What a Python framework does on the host for calls that a fix removes. Any thread.
 *
 * A framework's own work for a call is behind the thread's call before and before the call itself. A wait
 * divides one such time into two, and the trace does not show which part is for the wait. The work of
 * a program that is no Python counts as needed.
 */
#ifndef STREAMTRACE_FRAMEWORK_WORK_H
#define STREAMTRACE_FRAMEWORK_WORK_H

#include "detectors/detector.h"

/* Leaves out the work that goes with the instances' calls, which are dropped: with DOUBT_WEIGH the
 * shorter of the times before them and behind them, medians of all, with DOUBT_DROP the longer one.
 * Of each at most SEQUENCE_WORK_NS: more is the program's own work. Instances with a host function
 * are skipped. Do not call with DOUBT_KEEP. */
void framework_work_leave_out(const struct model *model, const struct instance *instances,
			      size_t count, enum doubt doubt, struct edits *edits);

#endif
