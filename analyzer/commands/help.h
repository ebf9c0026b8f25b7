/*
 * The help texts, made from options.def, facts/environment.def, exit_status.def and the commands'
 * structs.
 */
#ifndef STREAMTRACE_HELP_H
#define STREAMTRACE_HELP_H

#include "commands/command.h"

#include <stdio.h>

/* Prints how to use the command, or the program. Returns EXIT_FINE. */
int help_command(FILE *out, const struct command *command, const struct arguments *arguments);

/* The command of that name; NULL: there is none, which was printed. */
const struct command *help_find(const struct arguments *arguments, const char *name);

#endif
