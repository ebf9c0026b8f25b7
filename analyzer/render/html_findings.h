/*
 * The findings of a process as markup, which a browser shows also without the page's program, and prints. The
 * program (viewer/panel.js) adds to it what can be clicked. Texts of the trace are escaped. One thread.
 */
#ifndef STREAMTRACE_HTML_FINDINGS_H
#define STREAMTRACE_HTML_FINDINGS_H

#include "findings/analysis.h"

/* Returns a <section> of the class "process", which the caller frees, with the id "process-<number>"; NULL: out of
 * memory. number: the process's on the page, from 1 on. is_alone: the page has no other. all: folded findings, too. */
char *html_findings(const struct trace *trace, const struct analysis *analysis, bool all,
		    size_t number, bool is_alone);

#endif
