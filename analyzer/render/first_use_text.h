/*
 * Prints which waits were needed, as text. Failures to write show in ferror(page->out). One thread.
 */
#ifndef STREAMTRACE_FIRST_USE_TEXT_H
#define STREAMTRACE_FIRST_USE_TEXT_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints, for each line of the program that waited, how many of its waits were removable, movable, needed and
 * unknown, judged by when the host first used the results. Prints nothing if the trace does not tell that time (run
 * --first-use). */
void print_first_uses(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis);

#endif
