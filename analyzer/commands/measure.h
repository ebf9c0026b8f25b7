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
	char *uuid;	 /* the GPU that has the numbers; NULL: no GPU was looked up yet */
	double numbers[RATES_NUMBERS]; /* in the units of model/rates.h; a speed of 0 is unknown */
};

/* Returns a struct with 15 s to measure in. is_forbidden: no time, so that only the cache is read. The caller frees
 * the result with measure_free(). */
struct measuring measure_begin(bool is_forbidden);

/* If the trace has pageable copies, adds the numbers that the trace lacks to its metadata. They are those of the GPU
 * with the most bytes in pageable copies, from the cache or measured on this machine. If neither has numbers,
 * nothing is added. Then calls measure_peers_apply() (measure_peers.h). error not NULL: what is added is also stored
 * in the trace's file. Returns 0, or -1 if the file could not be written: *error then says why in one line, which
 * the caller frees. */
int measure_apply(struct measuring *measuring, struct trace *trace, char **error);

/* Frees uuid, and sets it to NULL. */
void measure_free(struct measuring *measuring);

#endif
