/*
 * Operations that waited for the one before them in their stream, though they did not need it and
 * their engine had room: the instances of serial-stream and small-grid. A call site belongs to
 * small-grid if most of its waits are of kernels launched by one thread, and during most of that
 * time the device ran kernels that left room for them. One thread.
 */
#ifndef STREAMTRACE_STREAM_WAITS_H
#define STREAMTRACE_STREAM_WAITS_H

#include "detectors/detector.h"

/* Adds the waits of small-grid's call sites (of_small_grids), or of all others. */
void stream_waits_find(const struct observed *observed, bool of_small_grids,
		       struct instances *found);

/* Writes "kernel step waited for the 16.4 kB D2H copy ahead of it in stream 17" into text[size]. */
void stream_waits_describe(const struct observed *observed, const struct instance *instance,
			   char *text, size_t size);

#endif
