/*
 * Caches the last few bases (replay_base.h) of a timeline's replays, by the streams that operations
 * run in. Most fixes leave the streams as they are, or move the same operations.
 */
#ifndef STREAMTRACE_REPLAY_BASES_H
#define STREAMTRACE_REPLAY_BASES_H

#include "replay/schedule/replay_base.h"

struct replay_bases *replay_bases_create(void);

/* All bases must have been returned. */
void replay_bases_free(const struct timeline *timeline, struct replay_bases *bases);

/* Frees the bases that no replay uses. */
void replay_bases_rest(const struct timeline *timeline);

/* Returns the base for the edits; give it back by replay_bases_return(). Any thread; waits if
 * another thread is just making it. NULL: not worth making, because these streams occur for the
 * first time. */
const struct replay_base *replay_bases_take(const struct timeline *timeline,
					    const struct edits *edits);
void replay_bases_return(const struct timeline *timeline, const struct replay_base *base);

#endif
