/*
 * Prints how long each engine was busy. One thread.
 */
#ifndef STREAMTRACE_ENGINES_H
#define STREAMTRACE_ENGINES_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints the table of engines from the headline, and how long engines overlapped. False: out of memory, and
 * the table is missing. */
bool print_engines(const struct page *page, const struct headline *headline);

/* "compute", "H2D copies": a constant. */
const char *engine_name(enum engine engine);

#endif
