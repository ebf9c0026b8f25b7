/*
 * Quotes names chosen by strangers for a shell. Any thread.
 */
#ifndef STREAMTRACE_QUOTE_H
#define STREAMTRACE_QUOTE_H

/* Returns the name as one shell word that cannot be taken for an option (a leading "-" gets "./"),
 * to be freed. Safe names stay as they are, others are quoted; invisible bytes become $'\012'. */
char *quote_for_shell(const char *name);

#endif
