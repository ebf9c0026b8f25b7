/*
 * Runs the detectors and makes weighed findings, one for each source line. First in the trace; then
 * in the run with the fixes found so far applied (retimed.h), where waits appear that others hid.
 * What is found there is weighed with these fixes applied. One thread.
 */
#ifndef STREAMTRACE_DETECT_H
#define STREAMTRACE_DETECT_H

#include "findings/analysis.h"

/* Adds what the detectors (a list ended by NULL) find to analysis->findings.items, in the order of
 * finding. Call after the analysis has its self-check. */
void detect(struct analysis *analysis, const struct detector *const *with);

void detect_free(struct analysis *analysis);

#endif
