/*
 * Quotes names chosen by strangers for a shell. Any thread.
 */
#ifndef STREAMTRACE_QUOTE_H
#define STREAMTRACE_QUOTE_H

/* Returns the name as one shell word, which the caller must free(). A name that begins with "-"
 * gets "./" in front, so that no program takes it for an option. Other safe names stay as they are.
 * All other names are quoted: $'\012' stands for a byte outside of printable ASCII. */
char *quote_for_shell(const char *name);

#endif
