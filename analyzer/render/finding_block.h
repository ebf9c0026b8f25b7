/*
 * Prints one finding of a report with all details, as text. Failures to write show in ferror(page->out). One thread.
 */
#ifndef STREAMTRACE_FINDING_BLOCK_H
#define STREAMTRACE_FINDING_BLOCK_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints analysis->findings.items[number - 1]; number counts from 1. all: the report shows folded findings, too, and
 * this finding's evidence is printed in full, also if an earlier finding has the same fix. */
void print_finding_block(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis, size_t number, bool all);

#endif
