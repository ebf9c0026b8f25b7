/*
 * Caches the last few bases (replay_base.h) of a timeline's replays, by the streams that operations
 * run in. Most fixes leave the streams as they are, or move the same operations. timeline->bases is
 * the cache: timeline.c creates and frees it. Any thread, but for replay_bases_free().
 */
#ifndef STREAMTRACE_REPLAY_BASES_H
#define STREAMTRACE_REPLAY_BASES_H

#include "replay/schedule/replay_base.h"

struct replay_bases *replay_bases_create(void);

/* Frees the cache and all bases, which must have been returned. Called by timeline_free(), before
 * it frees the timeline's pool. */
void replay_bases_free(const struct timeline *timeline, struct replay_bases *bases);

/* Frees the bases that no replay uses. Replays may run meanwhile. */
void replay_bases_rest(const struct timeline *timeline);

/* Returns the base for the edits, made if needed; give it back by replay_bases_return(). Waits if
 * another thread is just making it. NULL: replay without a base, and return nothing: these streams
 * occur for the first time, or all places of the cache are in use. */
const struct replay_base *replay_bases_take(const struct timeline *timeline,
					    const struct edits *edits);
/* Gives a base back, which must not be NULL. The cache keeps it for later replays. */
void replay_bases_return(const struct timeline *timeline, const struct replay_base *base);

#endif
