/*
 * Writes texts and numbers of JSON directly to a file: a tree of millions of events would not fit into
 * memory. Failures to write show in ferror(out). Any thread.
 */
#ifndef STREAMTRACE_EXPORT_JSON_TEXT_H
#define STREAMTRACE_EXPORT_JSON_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* Writes the text in quotes. '<' is escaped, too, so that the file can stand inside an HTML page. */
void json_text(FILE *out, const char *text);

/* Writes a time in us with three decimals. */
void json_us(FILE *out, int64_t ns);

#endif
