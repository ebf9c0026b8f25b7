/* The range of a saving as it is shown: that of the replays, wider by what predictions miss. Any thread. */
#ifndef STREAMTRACE_RANGE_H
#define STREAMTRACE_RANGE_H

#include "findings/analysis.h"

/*
 * The range of the replays (whatif_range.h) is what this trace leaves open. Of programs that were measured
 * with and without their fixes half lie in it: a run differs from the next one, and replays have
 * errors. Both ends are wider by the same time here. The estimate stays, and so does a low end of 0; no high
 * end passes the time from the first operation to the last, but where that of the replays does. Without estimates the interval stays as it is.
 *
 * Only for what a person or a program reads. What compares findings, or decides which are listed, takes the
 * range of the replays: that one does not depend on other programs.
 */
struct interval range_stated(const struct analysis *analysis, const struct interval *saved);

#endif
