/* Prints texts of a trace into Markdown so that they are text there, never markup. Failures to write show in
 * ferror(out). Any thread. */
#ifndef STREAMTRACE_MD_TEXT_H
#define STREAMTRACE_MD_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Prints the text as a code span. A bar would end a table's cell even inside a code span: it is replaced by a broken
 * bar. */
void md_code(FILE *out, const char *text);

/* Returns the length of the longest run of backticks in the text. */
size_t md_longest_run(const char *text);

/* Prints a run of `length` backticks. */
void md_fence(FILE *out, size_t length);

#endif
