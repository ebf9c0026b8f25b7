/* The findings that --apply names. One thread. */
#ifndef STREAMTRACE_APPLYING_H
#define STREAMTRACE_APPLYING_H

#include "render/render.h"

/* Adds the findings that the words name, separated by commas, to *applied: whatif, try. is_removed: the trace's
 * file is not there to be read again: its name is not printed. The caller has set trace and
 * analysis, and frees applied->findings. Returns EXIT_FINE, or the exit status if a word names nothing or there is no
 * prediction, which was printed. */
int applying_choose(const char *words, bool is_removed, struct applied *applied);

#endif
