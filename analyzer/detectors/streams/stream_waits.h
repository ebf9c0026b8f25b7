/*
 * Operations that waited for the one before them in their stream, though they did not need it and
 * their engine had room: those of serial-stream and of small-grid. A call site belongs to
 * small-grid where most of its waits are of kernels that one thread launched, and most of that time
 * the device ran kernels which left room for them.
 */
#ifndef STREAMTRACE_STREAM_WAITS_H
#define STREAMTRACE_STREAM_WAITS_H

#include "detectors/detector.h"

/* Adds those of the sites that are small-grid's, or of all others. */
void stream_waits_find(const struct observed *observed, bool of_small_grids,
		       struct instances *found);

/* "kernel step waited for the 16.4 kB D2H copy ahead of it in stream 17": into text[size]. */
void stream_waits_describe(const struct observed *observed, const struct instance *instance,
			   char *text, size_t size);

#endif
