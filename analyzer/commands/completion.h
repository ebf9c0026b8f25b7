/*
 * What a shell needs to complete command lines, made from the rows that the help is made from too.
 */
#ifndef STREAMTRACE_COMPLETION_H
#define STREAMTRACE_COMPLETION_H

#include "commands/command.h"

#include <stdio.h>

/* Each returns EXIT_FINE. */
int completion_print_bash(FILE *out, const struct arguments *arguments);
int completion_print_zsh(FILE *out, const struct arguments *arguments);

#endif
