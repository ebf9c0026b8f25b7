/*
 * Names that come from somebody else, as a person or a shell is to read them. Any thread.
 */
#ifndef STREAMTRACE_QUOTE_H
#define STREAMTRACE_QUOTE_H

/* The name as a shell's word that an option cannot be, malloc'ed: as it is where that is safe, else in
 * quotes; what no terminal shows is spelled $'\012'. */
char *quote_for_shell(const char *name);

#endif
