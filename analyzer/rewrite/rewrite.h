/*
 * The fixes of findings as changes of the source, where they are mechanical (rules.def). Only on request: this reads
 * files that the trace names. No file is changed. One thread.
 */
#ifndef STREAMTRACE_REWRITE_H
#define STREAMTRACE_REWRITE_H

#include "findings/analysis.h"
#include "findings/source_edits.h"

/* Makes the changes for each finding, and for those joined to it of the same file. Free the result by
 * source_edits_free(); of analysis->edits, analysis_free() does so. */
struct source_edits *rewrite_findings(const struct trace *trace, const struct analysis *analysis);

#endif
