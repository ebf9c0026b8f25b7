/*
 * What copies from and to pinned memory take on this machine, and what pinning takes, for traces
 * that cannot tell: after `streamtrace run`, or when a report is made where the program ran.
 *
 * A forked child asks the driver (bench.h), so that this process keeps no CUDA state and survives a
 * crash of the driver. What it finds is kept for later reports on the same GPU (cache.h). One
 * thread.
 */
#ifndef STREAMTRACE_MEASURE_H
#define STREAMTRACE_MEASURE_H

#include "model/rates.h"

/* What is left to measure with, and what was found last. */
struct measuring {
	int64_t left_ms; /* for all traces together; 0: nothing is measured, the cache counts */
	char *uuid;	 /* of the GPU of the numbers; NULL: none yet */
	double numbers[RATES_NUMBERS]; /* 0: not known */
};

struct measuring measure_begin(bool is_forbidden);

/* Adds to the trace's metadata what it lacks, if it has pageable copies: of the GPU that ran most
 * of them, where that is known by its uuid and was measured before or is here. With error, in the
 * file, too. 0, or -1 with *error as trace_load() gives it when the file could not be written. */
int measure_apply(struct measuring *measuring, struct trace *trace, char **error);

void measure_free(struct measuring *measuring);

#endif
