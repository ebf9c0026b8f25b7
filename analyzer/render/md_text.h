/* Texts of a trace in Markdown, inert. Any thread. */
#ifndef STREAMTRACE_MD_TEXT_H
#define STREAMTRACE_MD_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* A code span. A bar would end a cell, whatever stands around it. */
void md_code(FILE *out, const char *text);

/* The longest run of backticks in the text, and so many. */
size_t md_longest_run(const char *text);
void md_fence(FILE *out, size_t length);

#endif
