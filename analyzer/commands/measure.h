/*
 * Measures how fast this machine copies from and to pinned memory, and how fast it pins memory, for traces that
 * do not tell: after `streamtrace run`, or when a report is made on the machine that the program ran on.
 *
 * A forked child asks the driver (bench.h), so that this process keeps no CUDA state and survives a crash of
 * the driver. The numbers are kept for later reports on the same GPU (cache.h). One thread.
 */
#ifndef STREAMTRACE_MEASURE_H
#define STREAMTRACE_MEASURE_H

#include "model/rates.h"

/* The time left for measuring, and the numbers of the last GPU. Made by measure_begin(). */
struct measuring {
	int64_t left_ms; /* for all traces together; <= 0: nothing is measured, only the cache is read */
	char *uuid;	 /* of the GPU that numbers are of; NULL: there are none yet */
	double numbers[RATES_NUMBERS]; /* 0: not known */
};

/* is_forbidden: measure nothing, use the cache alone. Free the result with measure_free(). */
struct measuring measure_begin(bool is_forbidden);

/* If the trace has pageable copies, adds to its metadata the numbers that it lacks, of the GPU that ran most of these
 * copies: from the cache, or measured if that GPU is in this machine. Without numbers nothing is added. Then calls
 * measure_peers_apply(). If error is not NULL, also stores the numbers in the trace's file. Returns 0, or -1 if the
 * file could not be written: *error says why in one line, which the caller frees. */
int measure_apply(struct measuring *measuring, struct trace *trace, char **error);

void measure_free(struct measuring *measuring);

#endif
