/*
 * What a report says once, at its end.
 */
#ifndef STREAMTRACE_NOTES_H
#define STREAMTRACE_NOTES_H

#include "findings/analysis.h"
#include "render/page.h"

/* all: whether folded findings are shown. */
void print_notes(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all);

/* "cudaMemcpy at app.cu:12 after 1.20 s with cudaErrorIllegalAddress (700); no later call failed",
 * or NULL where no call failed; malloc'ed. */
char *notes_failure(const struct trace *trace, const struct analysis *analysis);

#endif
