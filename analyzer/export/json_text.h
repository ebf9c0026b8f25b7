/*
 * Writes texts and numbers of JSON directly to a file: a tree of millions of events would not fit into
 * memory. Failures to write show in ferror(out). Any thread.
 */
#ifndef STREAMTRACE_EXPORT_JSON_TEXT_H
#define STREAMTRACE_EXPORT_JSON_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* Writes the text in quotes, escaped for JSON. '<' is escaped, too, so that the file can stand inside an HTML page.
 * text must be UTF-8, and not NULL. */
void json_text(FILE *out, const char *text);

/* Writes a time of `ns` as a number of us with three decimals. ns may be negative. */
void json_us(FILE *out, int64_t ns);

#endif
