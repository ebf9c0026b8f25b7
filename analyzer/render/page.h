/*
 * Pieces of the text reports: lines that fit the terminal, and the table of engines.
 */
#ifndef STREAMTRACE_PAGE_H
#define STREAMTRACE_PAGE_H

#include "findings/analysis.h"

#include <stdio.h>

/* Where a report goes: how wide it may be and what the terminal can show. */
struct page {
	FILE *out;
	size_t width;
	bool is_utf8;
};

struct page page_open(FILE *out);

/* Prints text after indent spaces, the first line after lead (as wide as indent or NULL), breaking
 * at spaces. A newline in text begins a new line. */
void print_wrapped(const struct page *page, const char *lead, int indent, const char *text);

/* "name      value". */
void print_field(const struct page *page, const char *name, const char *value);

/* Who was busy for how long, from the analysis's headline. */
void print_engines(const struct page *page, const struct analysis *analysis);

/* Which waits were needed, where the trace says when their results were first used. */
void print_first_uses(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis);

/* "compute", "H2D copies". */
const char *engine_name(enum engine engine);

#endif
