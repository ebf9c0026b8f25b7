/*
 * First touches: the page fault with which the host first uses managed memory that a call has just
 * allocated. Memory that is kept, and that the host used last, has none. Part of the detector
 * alloc-in-loop. Any thread.
 */
#ifndef STREAMTRACE_FIRST_TOUCHES_H
#define STREAMTRACE_FIRST_TOUCHES_H

#include "detectors/detector.h"

/* Sets .touched and .touch_ns in the details of the instances (struct pool_trims_pair). */
void first_touches_find(const struct trace *trace, struct instances *instances);

/* Adds to *edits that the host's first touches behind these instances' allocations take no time;
 * nothing with DOUBT_KEEP, for memory that is kept may be on the device then. */
void first_touches_apply(const struct model *model, const struct instance *instances, size_t count,
			 enum doubt doubt, struct edits *edits);

#endif
