/*
 * Runs the detectors and makes weighed findings, one for each source line or cause. The first pass
 * searches the trace. Later passes search the run with the fixes found so far (retimed.h), where
 * waits appear that other waits hid; their findings are weighed beside these fixes. One thread
 * calls; the detectors and replays use all processors.
 */
#ifndef STREAMTRACE_DETECT_H
#define STREAMTRACE_DETECT_H

#include "findings/analysis.h"

/* Adds what the detectors find to analysis->findings.items, in the order of finding. with: the
 * detectors; ends with NULL. Call once, after analysis->observed, headline and check are set. */
void detect(struct analysis *analysis, const struct detector *const *with);

/* Frees all findings of the analysis, their array, and findings.replayed. analysis_free() calls it:
 * nobody else must. */
void detect_free(struct analysis *analysis);

#endif
