/*
 * Makes texts chosen by strangers safe to print: names in traces and summaries, errors that quote
 * them, file names. What is read passes through it once, when it is stored: arena_text(),
 * database_fail(), job_of_unread(). What goes to standard error, when it is printed
 * (commands/command.h). Any thread.
 */
#ifndef STREAMTRACE_PRINTABLE_H
#define STREAMTRACE_PRINTABLE_H

/* Makes text safe to print on a terminal, in JSON and in XML, in place. Each byte becomes '?' that
 * is not UTF-8, or is part of a control character, or of a character that ends a line, changes the
 * text's direction or is invisible. */
void printable_make(char *text);

#endif
