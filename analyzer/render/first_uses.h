/*
 * Which waits were needed, as text.
 */
#ifndef STREAMTRACE_FIRST_USES_H
#define STREAMTRACE_FIRST_USES_H

#include "findings/analysis.h"
#include "render/page.h"

/* Which waits were needed, where the trace says when their results were first used. */
void print_first_uses(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis);

#endif
