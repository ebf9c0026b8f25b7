/*
 * Prints what a shell needs to complete command lines, made from the rows of options.def. One thread.
 */
#ifndef STREAMTRACE_COMPLETION_H
#define STREAMTRACE_COMPLETION_H

#include "commands/command.h"

#include <stdio.h>

/* Both print a script for the shell in their name, and return EXIT_FINE. Failures to write show in ferror(out). */
int completion_print_bash(FILE *out, const struct arguments *arguments);
int completion_print_zsh(FILE *out, const struct arguments *arguments);

#endif
