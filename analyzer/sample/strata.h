/*
 * Strata: groups of similar slices. In the slices of a stratum, calls, the host's work between them
 * and the devices' operations took similar shares of the time. A slice in which anything took an
 * unusual share gets a stratum of its own. One thread.
 */
#ifndef STREAMTRACE_STRATA_H
#define STREAMTRACE_STRATA_H

#include "sample/slices.h"

/* Of a stratum with fewer slices, all are taken. */
#define STRATA_LEAST_TAKEN 5

/* Returns the stratum (from 0) of each slice, by index; the caller must free() it. *strata: how
 * many there are. count must be above 0. The first and the last slice have strata of their own. A
 * long operation of a slice may still run in the slices after it. If such an operation is in a
 * slice whose stratum is taken whole, each later slice in which it may run, and whose stratum is
 * not taken whole, gets a stratum of its own. */
uint32_t *strata_find(const struct trace *trace, const struct slice *slices, size_t count,
		      size_t *strata);

#endif
