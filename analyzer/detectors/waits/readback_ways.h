/*
 * Other ways to fix reads of results than dropping them: the ways of readback-in-loop (struct
 * detector_way). Any thread.
 */
#ifndef STREAMTRACE_READBACK_WAYS_H
#define STREAMTRACE_READBACK_WAYS_H

#include "detectors/detector.h"

/* Whether reads can stay away, or be late, one by one. False if another thread reads, or if sizes or
 * values for kernels are read, which are needed in each step. */
bool readback_ways_has(const struct instance *instances, size_t count);

/* Of each line every READBACK_EACH-th read stays. */
bool readback_ways_rarely(const struct observed *observed, const struct instance *instances,
			  size_t count, struct edits *edits);

/* The host waits for the copy of the step before. */
bool readback_ways_late(const struct observed *observed, const struct instance *instances,
			size_t count, struct edits *edits);

/* So it does with reads whose values decided nothing of what was enqueued. */
bool readback_ways_sure(const struct observed *observed, const struct instance *instances,
			size_t count, struct edits *edits);

/* A conditional node of the graph that each step launches decides about the next step. False: most steps
 * launch no graph right before the read. */
bool readback_ways_conditional(const struct observed *observed, const struct instance *instances,
			       size_t count, struct edits *edits);

#endif
