/*
 * The findings of a report, a row each.
 */
#ifndef STREAMTRACE_FINDING_TABLE_H
#define STREAMTRACE_FINDING_TABLE_H

#include "findings/analysis.h"
#include "render/page.h"

/* all: folded ones too. Where the page is narrow, columns are left out that the findings' own blocks
 * have, too; where it is wide there is one more. False: out of memory. */
bool print_finding_table(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis, bool all);

/* How many of them a report shows. */
size_t finding_table_count(const struct analysis *analysis, bool all);

#endif
