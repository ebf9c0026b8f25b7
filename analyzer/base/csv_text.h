/* Text fields in CSV tables (RFC 4180). Any thread. */
#ifndef STREAMTRACE_CSV_TEXT_H
#define STREAMTRACE_CSV_TEXT_H

#include <stdio.h>

/* Writes text in quotes; nothing for NULL or "". A text that a spreadsheet could take for a
 * formula, even after blanks or with full-width signs, gets an apostrophe in front. Newlines become
 * blanks, so that each row is one line. Write errors show in ferror(out). */
void csv_text(FILE *out, const char *text);

#endif
