/* Prints texts of a trace into Markdown so that they are text there, never markup. Any thread. */
#ifndef STREAMTRACE_MD_TEXT_H
#define STREAMTRACE_MD_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Prints the text as a code span. A bar, which would end a table's cell even there, is replaced by a broken bar. */
void md_code(FILE *out, const char *text);

/* The length of the longest run of backticks in the text; and prints a run of that length. */
size_t md_longest_run(const char *text);
void md_fence(FILE *out, size_t length);

#endif
