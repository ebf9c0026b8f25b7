/*
 * Runs the detectors and makes weighed findings, one for each source line or cause. The first pass
 * searches the trace. Later passes search the run with the fixes found so far (retimed.h), where
 * waits appear that other waits hid; their findings are weighed beside these fixes. One thread
 * calls; the detectors and replays use all processors.
 */
#ifndef STREAMTRACE_DETECT_H
#define STREAMTRACE_DETECT_H

#include "findings/analysis.h"

/* Returns what the detectors find, ranked, each weighed alone. analysis.c sets the rest, as soon as
 * all are known: lost and replayed of the list, and lost of its findings. with: the detectors; ends
 * with NULL. Appends to *not_seen what could not be judged. Of *analysis, observed, headline and
 * check must be set. Free by detect_free(). */
struct findings detect(const struct analysis *analysis, const struct detector *const *with,
		       struct not_seen_list *not_seen);

/* Frees the findings, their array, and findings->replayed. The struct stays the caller's. */
void detect_free(struct findings *findings);

#endif
