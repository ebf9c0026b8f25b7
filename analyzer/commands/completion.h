/*
 * Prints what a shell needs to complete command lines, made from the rows of options.def. One thread.
 */
#ifndef STREAMTRACE_COMPLETION_H
#define STREAMTRACE_COMPLETION_H

#include "commands/command.h"

#include <stdio.h>

/* Prints the script that completes command lines in the shell: "bash", "zsh" or "fish". Returns EXIT_FINE. */
int completion_print(FILE *out, const struct arguments *arguments, const char *shell);

#endif
