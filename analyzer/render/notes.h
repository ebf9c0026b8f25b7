/*
 * Prints the notes and limitations at the end of a text report. Failures to write show in ferror(page->out). One
 * thread.
 */
#ifndef STREAMTRACE_NOTES_H
#define STREAMTRACE_NOTES_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints the notes and the limitations. all: the report shows folded findings, too. */
void print_notes(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all);

/* Returns a text on the first call that failed: "cudaMemcpy at app.cu:12 after 1.20 s with cudaErrorIllegalAddress
 * (700); no later call failed". The caller frees the text. NULL: no call failed. */
char *notes_failure(const struct trace *trace, const struct analysis *analysis);

#endif
