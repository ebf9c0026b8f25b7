/*
 * Findings: what the detectors find, one for each line of the source, weighed.
 *
 * First in the trace. Then in the run with the fixes so far applied (retimed.h), where waits
 * appear that others hid. What is found there is weighed with those fixes applied.
 */
#ifndef STREAMTRACE_DETECT_H
#define STREAMTRACE_DETECT_H

#include "findings/analysis.h"

/* Adds what the detectors find (NULL ends them) to analysis->findings, in the order in which it is
 * found. The analysis has its model and timeline. */
void detect(struct analysis *analysis, const struct detector *const *with);

void detect_free(struct analysis *analysis);

#endif
