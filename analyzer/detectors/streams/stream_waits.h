/*
 * Operations that waited for the operation before them in their stream without needing its data,
 * while their engine had room: the instances of serial-stream and small-grid. A wait is beside
 * kernels if it is of a kernel, one thread launched both operations, and the device ran kernels for
 * more than half of the wait. A call site belongs to small-grid if more than half of its waits are
 * beside kernels. Any thread.
 */
#ifndef STREAMTRACE_STREAM_WAITS_H
#define STREAMTRACE_STREAM_WAITS_H

#include "detectors/detector.h"

/* Adds the waits of small-grid's call sites if of_small_grids is true, else those of all other call
 * sites. Instances have .operation and .cause. */
void stream_waits_find(const struct observed *observed, bool of_small_grids,
		       struct instances *found);

/* Writes "kernel step waited for the 16.4 kB D2H copy ahead of it in stream 17" into text[size]. */
void stream_waits_describe(const struct observed *observed, const struct instance *instance,
			   char *text, size_t size);

#endif
