/*
 * Copies to the device that a fix issues one step ahead, in a stream of their own, while the step
 * before computes. Each then needs a second buffer on the device. Any thread.
 *
 * The data must be there a step before: only copies of memory that the host leaves as it is
 * (pageable_copy.is_kept) are taken. A step of a stream is what lies between its runs of such
 * copies: those with no kernel of the stream between them.
 */
#ifndef STREAMTRACE_COPIES_AHEAD_H
#define STREAMTRACE_COPIES_AHEAD_H

#include "detectors/detector.h"

/* Adds to *edits: the copies of the instances (of pageable_copies.h) come one step ahead, except for
 * the first step's, at the earliest when the step before that has ended with the buffer. Copies that
 * other edits have moved to another stream stay there. */
void copies_ahead_apply(const struct model *model, const struct instance *instances, size_t count,
			struct edits *edits);

/* The bytes of the largest second buffer. 0: no copy comes ahead. */
uint64_t copies_ahead_bytes(const struct instance *instances, size_t count);

#endif
