/*
 * Numbers and texts of JSON, written as they come: what has millions of events is no tree in memory.
 */
#ifndef STREAMTRACE_EXPORT_JSON_TEXT_H
#define STREAMTRACE_EXPORT_JSON_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* The text in quotes; '<' is escaped, so that the file is inert inside a page, too. */
void json_text(FILE *out, const char *text);

/* ns as us with three decimals. */
void json_us(FILE *out, int64_t ns);

#endif
