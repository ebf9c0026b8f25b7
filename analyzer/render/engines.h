/*
 * Who was busy for how long.
 */
#ifndef STREAMTRACE_ENGINES_H
#define STREAMTRACE_ENGINES_H

#include "findings/analysis.h"
#include "render/page.h"

/* The table of engines from the analysis's headline, and how much of them overlapped. False: out of
 * memory. */
bool print_engines(const struct page *page, const struct analysis *analysis);

/* "compute", "H2D copies". */
const char *engine_name(enum engine engine);

#endif
