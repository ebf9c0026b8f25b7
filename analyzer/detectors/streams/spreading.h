/*
 * Spreads one stream's work over several streams: the fix of serial-stream and small-grid. An
 * instance is an .operation that waited needlessly for .cause, the operation before it in its
 * stream. Neither is NULL. Any thread.
 */
#ifndef STREAMTRACE_SPREADING_H
#define STREAMTRACE_SPREADING_H

#include "detectors/detector.h"

#define SPREADING_MOST 8 /* the most streams for one stream */

/* Whether different threads launched the two operations: each thread can then have its own
 * stream. */
bool spreading_is_of_threads(const struct instance *instance);

/* Adds to *edits: each stream with instances is spread over stream_count streams, 1 to
 * SPREADING_MOST. If different threads launched most of the stream's instances, each thread gets
 * one stream instead. */
void spreading_apply(const struct model *model, const struct instance *instances, size_t count,
		     size_t stream_count, enum doubt doubt, struct edits *edits);

#endif
