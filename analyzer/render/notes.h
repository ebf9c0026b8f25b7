/*
 * Prints the notes and limitations at the end of a text report. One thread.
 */
#ifndef STREAMTRACE_NOTES_H
#define STREAMTRACE_NOTES_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints them. all: the report shows folded findings, too. */
void print_notes(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all);

/* The first call that failed: "cudaMemcpy at app.cu:12 after 1.20 s with cudaErrorIllegalAddress (700); no later call
 * failed". The caller frees it. NULL: no call failed. */
char *notes_failure(const struct trace *trace, const struct analysis *analysis);

#endif
