/*
 * Prints how long each engine was busy. Failures to write show in ferror(page->out). One thread.
 */
#ifndef STREAMTRACE_ENGINES_H
#define STREAMTRACE_ENGINES_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints a row for each engine of the headline, then a line with how long engines overlapped and the GPU was idle.
 * An engine for peer copies that was never busy has no row. False: memory ran out, and nothing is printed. */
bool print_engines(const struct page *page, const struct headline *headline);

/* Returns the engine's name, a constant: "compute", "H2D copies". */
const char *engine_name(enum engine engine);

#endif
