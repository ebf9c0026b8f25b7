/*
 * Reads the options that choose findings (--top, --site, --time, ...) into a selection. One thread.
 */
#ifndef STREAMTRACE_FILTERS_H
#define STREAMTRACE_FILTERS_H

#include "commands/command.h"
#include "findings/selection.h"

/* Sets *selection; its texts belong to the arguments. False: a value is wrong, which was printed; *selection must
 * then not be used. */
bool filters_read(const struct arguments *arguments, struct selection *selection);

/* Sets *ns to the time in the text, as 10ms, and *share to 0, or the reverse for a share, as 2%. False: the text is
 * neither. */
bool filters_read_least(const char *text, int64_t *ns, double *share);

#endif
