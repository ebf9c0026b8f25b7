/*
 * Findings: what the detectors find, one for each place in the source, weighed.
 *
 * In the trace first. Then in the run as it would be with the fixes so far in (retimed.h): there a
 * wait can bind that another one hid. What is found there is weighed with those fixes in.
 */
#ifndef STREAMTRACE_DETECT_H
#define STREAMTRACE_DETECT_H

#include "findings/analysis.h"

/* Adds to analysis->findings, in the order in which they are found. The analysis has its model and
 * timeline. */
void detect(struct analysis *analysis);

void detect_free(struct analysis *analysis);

#endif
