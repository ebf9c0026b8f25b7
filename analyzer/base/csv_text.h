/* Texts in tables of RFC 4180. Any thread. */
#ifndef STREAMTRACE_CSV_TEXT_H
#define STREAMTRACE_CSV_TEXT_H

#include <stdio.h>

/* Between quotes; nothing for NULL and "". One that a spreadsheet would take for a formula begins with an
 * apostrophe; an end of a line is a blank, so that a row is a line. */
void csv_text(FILE *out, const char *text);

#endif
