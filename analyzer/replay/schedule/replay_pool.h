/*
 * What the replays of a timeline share, which may run in several threads at once: the memory that they
 * work in, one after the other; what operations need, as many edits leave them in the same streams; and
 * how replays ended, as the same edits come again.
 */
#ifndef STREAMTRACE_REPLAY_POOL_H
#define STREAMTRACE_REPLAY_POOL_H

#include "replay/schedule/needs.h"
#include "replay/schedule/schedule_run.h"

/* What a replay works in. */
struct replay_memory {
	struct schedule schedule;
	struct schedule_changes changes;
	struct schedule_memory run;
	struct room ends, given;
	struct replay_memory *next;
};

struct replay_pool *replay_pool_create(void);

/* All memory must be back. */
void replay_pool_free(struct replay_pool *pool);

/* Frees memory that no replay has. */
void replay_pool_rest(struct replay_pool *pool);

/* Any thread: memory that no other replay has, until it is returned. */
struct replay_memory *replay_pool_take(const struct timeline *timeline);
void replay_pool_return(const struct timeline *timeline, struct replay_memory *memory);

/* What operations need in the streams of the edits; NULL: in those of the trace. Any thread. The pool
 * keeps the last few until they are returned. */
const struct needs *replay_pool_take_needs(const struct timeline *timeline,
					   const struct edits *edits);
void replay_pool_return_needs(const struct timeline *timeline, const struct needs *needs);

/* Whether a replay with such edits ended before, and then when: -1 where it could not be run. Any
 * thread. */
bool replay_pool_find_end(const struct timeline *timeline, struct edits_key key, int64_t *end_ns);
void replay_pool_note_end(const struct timeline *timeline, struct edits_key key, int64_t end_ns);

#endif
