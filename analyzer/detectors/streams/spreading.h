/*
 * One stream's work over several: what serial-stream and small-grid have as their fix. An instance
 * is an operation that waited for the one before it in its stream (.cause) without need.
 */
#ifndef STREAMTRACE_SPREADING_H
#define STREAMTRACE_SPREADING_H

#include "detectors/detector.h"

#define SPREADING_MOST 8 /* streams for one */

/* Whether two threads launched both: each can have a stream of its own. */
bool spreading_is_of_threads(const struct instance *instance);

/* The instances' streams are spread over so many each, or, where most of a stream's instances are
 * of threads, over one for each thread. */
void spreading_apply(const struct model *model, const struct instance *instances, size_t count,
		     size_t stream_count, enum doubt doubt, struct edits *edits);

#endif
