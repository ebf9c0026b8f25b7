/*
 * Makes texts chosen by strangers safe to print: names in traces and summaries, errors that quote
 * such names, file names. A text from a file is made safe once, when it is stored: by arena_text(),
 * database_fail() or job_of_unread(). A text for standard error is made safe when it is printed
 * (commands/command.h). Any thread.
 */
#ifndef STREAMTRACE_PRINTABLE_H
#define STREAMTRACE_PRINTABLE_H

/* Makes text safe to print on a terminal, in JSON and in XML, in place; its length stays. A byte
 * that is not UTF-8 becomes '?'. So does each byte of a control character, and of a character that
 * ends a line, changes the text's direction or is invisible. */
void printable_make(char *text);

#endif
