/*
 * The options that choose findings, read into a selection. One thread.
 */
#ifndef STREAMTRACE_FILTERS_H
#define STREAMTRACE_FILTERS_H

#include "commands/command.h"
#include "findings/selection.h"

/* False: what is wrong was printed. Texts belong to the arguments. */
bool filters_read(const struct arguments *arguments, struct selection *selection);

#endif
