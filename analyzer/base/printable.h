/*
 * Texts that others chose, on a terminal: names in traces and summaries, errors that quote them, names of files.
 * What is read goes through it once, where it is kept: arena_text(), database_fail(), job_of_unread(); what is
 * said on standard error, where it is printed (commands/command.h). Any thread.
 */
#ifndef STREAMTRACE_PRINTABLE_H
#define STREAMTRACE_PRINTABLE_H

/* Makes text safe to print on a terminal and to put into JSON and XML, in place: bytes that are not UTF-8,
 * control characters, and characters that end a line, change the direction of those after them or cannot be
 * seen, become '?', each byte one. */
void printable_make(char *text);

#endif
