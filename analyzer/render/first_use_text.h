/*
 * Prints which waits were needed, as text. One thread.
 */
#ifndef STREAMTRACE_FIRST_USE_TEXT_H
#define STREAMTRACE_FIRST_USE_TEXT_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints a line for each call that waited, with how many of its waits were needed: by when the host first used the
 * results. Prints nothing if the trace does not say that (run --first-use). */
void print_first_uses(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis);

#endif
