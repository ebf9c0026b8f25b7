/*
 * Strata: groups of similar slices, in which calls, the host's work between them and the devices'
 * operations took similar shares of the time. A slice in which anything took an unusual share gets
 * a stratum of its own. One thread.
 */
#ifndef STREAMTRACE_STRATA_H
#define STREAMTRACE_STRATA_H

#include "sample/slices.h"

/* A stratum with fewer slices is taken whole. */
#define STRATA_LEAST_TAKEN 5

/* Returns each slice's stratum (from 0), to be freed; *strata: how many there are. The first and
 * the last slice have strata of their own. So have the slices after one that is taken whole, as
 * long as an operation that took much of that one can still run in them. */
uint32_t *strata_find(const struct trace *trace, const struct slice *slices, size_t count,
		      size_t *strata);

#endif
