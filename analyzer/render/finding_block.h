/*
 * One finding of a report with all that is known of it, as text.
 */
#ifndef STREAMTRACE_FINDING_BLOCK_H
#define STREAMTRACE_FINDING_BLOCK_H

#include "findings/analysis.h"
#include "render/page.h"

/* number: from 1 on. all: everything, also where another finding said nearly the same. */
void print_finding_block(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis, size_t number, bool all);

#endif
