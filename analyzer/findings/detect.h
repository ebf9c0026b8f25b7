/*
 * Findings: what the detectors find, one for each line of the source, weighed.
 *
 * In the trace first. Then in the run as it would be with the fixes so far in (retimed.h): there a
 * wait can bind that another one hid. What is found there is weighed with those fixes in.
 */
#ifndef STREAMTRACE_DETECT_H
#define STREAMTRACE_DETECT_H

#include "findings/analysis.h"

/* Adds what the detectors find (NULL ends them) to analysis->findings, in the order in which it is
 * found. The analysis has its model and timeline. */
void detect(struct analysis *analysis, const struct detector *const *with);

void detect_free(struct analysis *analysis);

#endif
