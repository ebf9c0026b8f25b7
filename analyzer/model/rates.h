/*
 * What copies from and to pinned host memory take here: from the trace's own, else as
 * `streamtrace run` measured it (measure.h) and stored it in the metadata.
 */
#ifndef STREAMTRACE_RATES_H
#define STREAMTRACE_RATES_H

#include "trace/trace.h"

/* bytes_per_ns is 0 where it is not known. */
struct copy_rate {
	double bytes_per_ns;
	int64_t latency_ns; /* of a copy of nothing */
};

/* What the trace's own copies say: those that are large enough for it. */
struct copy_rate rates_of_own(const struct trace *trace, enum engine engine);

/* The same, else what was measured. */
struct copy_rate rates_of_pinned(const struct trace *trace, enum engine engine);

/* The time of a copy; the rate must be known. */
int64_t rates_copy_ns(struct copy_rate rate, uint64_t bytes);

/* Whether the operation is a copy between pageable host memory and a device. */
bool rates_is_pageable(const struct trace_operation *operation);

/* Metadata keys, NULL for engines that copy nothing between host and device. */
const char *rates_speed_key(enum engine engine);
const char *rates_latency_key(enum engine engine);

#endif
