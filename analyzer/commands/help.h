/*
 * Prints the help texts, made from options.def, facts/environment.def, exit_status.def and the structs of the
 * commands. One thread.
 */
#ifndef STREAMTRACE_HELP_H
#define STREAMTRACE_HELP_H

#include "commands/command.h"

#include <stdio.h>

/* Prints the help of the command, which may be the program itself (arguments->program). Returns EXIT_FINE. Failures
 * to write show in ferror(out). */
int help_command(FILE *out, const struct command *command, const struct arguments *arguments);

/* Returns the command called name. NULL: there is none, which was printed. */
const struct command *help_find(const struct arguments *arguments, const char *name);

#endif
