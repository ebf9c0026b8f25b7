/*
 * Shared by all replays of a timeline, which may run in several threads at once: working memory;
 * the needs of operations, because many edits leave them in the same streams; and results, because
 * the same edits recur.
 */
#ifndef STREAMTRACE_REPLAY_POOL_H
#define STREAMTRACE_REPLAY_POOL_H

#include "replay/schedule/needs.h"
#include "replay/schedule/schedule_run.h"

/* The memory that one replay works in. */
struct replay_memory {
	struct schedule schedule;
	struct schedule_changes changes;
	struct schedule_memory run;
	struct room ends, given;
	struct replay_memory *next;
};

struct replay_pool *replay_pool_create(void);

/* All memory must have been returned. */
void replay_pool_free(struct replay_pool *pool);

/* Frees memory that no replay uses. */
void replay_pool_rest(struct replay_pool *pool);

/* Returns memory for one replay; give it back by replay_pool_return(). Any thread. */
struct replay_memory *replay_pool_take(const struct timeline *timeline);
void replay_pool_return(const struct timeline *timeline, struct replay_memory *memory);

/* The needs in the streams of the edits; NULL: in those of the trace. Give them back by
 * replay_pool_return_needs(); the last few are kept. Any thread. */
const struct needs *replay_pool_take_needs(const struct timeline *timeline,
					   const struct edits *edits);
void replay_pool_return_needs(const struct timeline *timeline, const struct needs *needs);

/* Whether a replay with such edits has run; *end_ns: its result, -1: it failed.
 * replay_pool_note_end() stores a result. Any thread. */
bool replay_pool_find_end(const struct timeline *timeline, struct edits_key key, int64_t *end_ns);
void replay_pool_note_end(const struct timeline *timeline, struct edits_key key, int64_t end_ns);

#endif
