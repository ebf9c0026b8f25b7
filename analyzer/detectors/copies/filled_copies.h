/*
 * Copies from a pinned buffer that a framework fills itself, from the pageable memory that the
 * program gave it: the host copies all bytes before it enqueues the copy. Any thread.
 */
#ifndef STREAMTRACE_FILLED_COPIES_H
#define STREAMTRACE_FILLED_COPIES_H

#include "detectors/detector.h"

/* Adds such copies as instances of pageable_copies.h, with .filled_ns. */
void filled_copies_find(const struct observed *observed, struct instances *found);

#endif
