/*
 * The bases (replay_base.h) of a timeline's replays, by the streams that operations run in: the last
 * few are kept. Most fixes leave the streams as they are, or move the same operations as others.
 */
#ifndef STREAMTRACE_REPLAY_BASES_H
#define STREAMTRACE_REPLAY_BASES_H

#include "replay/schedule/replay_base.h"

struct replay_bases *replay_bases_create(void);

/* All must be back. */
void replay_bases_free(const struct timeline *timeline, struct replay_bases *bases);

/* Frees those that no replay has. */
void replay_bases_rest(const struct timeline *timeline);

/* The one for the edits, until it is returned. Any thread: what another thread makes just now is waited
 * for. NULL: it is not worth while, for no edits with these streams came before. */
const struct replay_base *replay_bases_take(const struct timeline *timeline,
					    const struct edits *edits);
void replay_bases_return(const struct timeline *timeline, const struct replay_base *base);

#endif
