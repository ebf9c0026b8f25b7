/*
 * Slices of a run that are alike: where their calls, the work between them and the device's operations
 * took the same shares of their time. A slice in which anything cost more than in the others is in a
 * stratum of its own. One thread.
 */
#ifndef STREAMTRACE_STRATA_H
#define STREAMTRACE_STRATA_H

#include "sample/slices.h"

/* The stratum of each slice, from 0 on, freed with free(); *strata is how many there are. The first and the
 * last slice are strata of their own. */
uint32_t *strata_find(const struct trace *trace, const struct slice *slices, size_t count,
		      size_t *strata);

#endif
