/*
 * Shared by all replays of a timeline, which may run in several threads at once: working memory;
 * the needs of operations, because many edits leave operations in the same streams; and results,
 * because the same edits recur. timeline->pool is the pool: timeline.c creates and frees it.
 */
#ifndef STREAMTRACE_REPLAY_POOL_H
#define STREAMTRACE_REPLAY_POOL_H

#include "replay/schedule/needs.h"
#include "replay/schedule/schedule_run.h"

/* The memory that one replay works in. */
struct replay_memory {
	struct schedule schedule;
	struct schedule_changes changes;
	struct schedule_memory run; /* for schedule_run() */
	struct room ends, given;    /* for its ends_ns and schedule_order.given */
	struct replay_memory *next; /* in the pool's list of unused memory */
};

struct replay_pool *replay_pool_create(void);

/* Frees the pool. All memory and needs must have been returned. */
void replay_pool_free(struct replay_pool *pool);

/* Frees the working memory. No replay may be running. */
void replay_pool_rest(struct replay_pool *pool);

/* Returns memory for one replay; give it back by replay_pool_return(). Any thread. */
struct replay_memory *replay_pool_take(const struct timeline *timeline);
void replay_pool_return(const struct timeline *timeline, struct replay_memory *memory);

/* Returns the needs in the streams of the edits; edits NULL: in the streams of the trace. Give them
 * back by replay_pool_return_needs(); the pool keeps the last few. Any thread. */
const struct needs *replay_pool_take_needs(const struct timeline *timeline,
					   const struct edits *edits);
void replay_pool_return_needs(const struct timeline *timeline, const struct needs *needs);

/* Whether the result of a replay whose edits have this key is known. *end_ns: the result; -1: that
 * replay failed. replay_pool_note_end() stores a result. Any thread. */
bool replay_pool_find_end(const struct timeline *timeline, struct edits_key key, int64_t *end_ns);
void replay_pool_note_end(const struct timeline *timeline, struct edits_key key, int64_t end_ns);

#endif
