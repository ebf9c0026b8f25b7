/*
 * Prints the manual pages and the table of docs/use/options.md, made from the rows of options.def. One thread.
 */
#ifndef STREAMTRACE_MANUAL_H
#define STREAMTRACE_MANUAL_H

#include "commands/command.h"

#include <stdio.h>

/* Each function returns EXIT_FINE. Failures to write show in ferror(out). */
int manual_print_man(FILE *out, const struct arguments *arguments); /* the page streamtrace(1) */
int manual_print_command(FILE *out, const struct command *command); /* the command's own page */
int manual_print_markdown(FILE *out, const struct arguments *arguments); /* options.md */

#endif
