/*
 * Spreads one stream's work over several streams: the fix of serial-stream and small-grid. An
 * instance is an operation that waited needlessly for the one before it in its stream (.cause). One
 * thread.
 */
#ifndef STREAMTRACE_SPREADING_H
#define STREAMTRACE_SPREADING_H

#include "detectors/detector.h"

#define SPREADING_MOST 8 /* the most streams for one stream */

/* Whether different threads launched the two operations: each thread can then have its own
 * stream. */
bool spreading_is_of_threads(const struct instance *instance);

/* Edits: spreads each instance's stream over stream_count streams, or over one for each thread if
 * most of its instances are of different threads. */
void spreading_apply(const struct model *model, const struct instance *instances, size_t count,
		     size_t stream_count, enum doubt doubt, struct edits *edits);

#endif
