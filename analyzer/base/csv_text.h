/* Texts in tables of RFC 4180. Any thread. */
#ifndef STREAMTRACE_CSV_TEXT_H
#define STREAMTRACE_CSV_TEXT_H

#include <stdio.h>

/* Between quotes; nothing for NULL and "". One that a spreadsheet could take for a formula, behind blanks
 * or in full-width signs too, begins with an apostrophe; an end of a line is a blank, so that a row is a line. */
void csv_text(FILE *out, const char *text);

#endif
