/*
 * Texts that others chose, on a terminal. Any thread.
 */
#ifndef STREAMTRACE_PRINTABLE_H
#define STREAMTRACE_PRINTABLE_H

/* Makes text safe to print on a terminal and to put into JSON and XML, in place: bytes that are not UTF-8,
 * control characters, and characters that end a line or change the direction of those after them, become
 * '?', each byte one. */
void printable_make(char *text);

#endif
