/*
 * How fast this machine copies from and to pinned memory: measured after a run, for traces that
 * cannot tell.
 *
 * A forked child asks the driver, so that this process keeps no CUDA state and survives a crash of
 * the driver. One thread.
 */
#ifndef STREAMTRACE_MEASURE_H
#define STREAMTRACE_MEASURE_H

#include "model/rates.h"

#define MEASURE_LIMIT_MS 5000

/* What is left to measure with, and what was measured last. Initialize with left_ms and zeros. */
struct measuring {
	int64_t left_ms; /* for all traces of a run together; 0: none */
	bool has_rates;
	uint32_t device_id;
	char *visible_devices; /* NULL: the variable was not set */
	struct copy_rate rates[ENGINE_COUNT];
};

/* Measures the directions in which the trace has pageable copies and cannot say what pinned ones
 * take, on the device that ran most of them, and writes them into the trace's metadata. Nothing
 * where there is no such copy, no driver, no device or no time left. 0, or -1 with *error as
 * trace_load() gives it when the file could not be written. */
int measure_store(struct measuring *measuring, struct trace *trace, char **error);

void measure_free(struct measuring *measuring);

#endif
