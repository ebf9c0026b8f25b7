/*
 * What operations truly need (model.h), in as few edges as a replay has to follow.
 *
 * The model joins two nodes at a time, and most of what it joins says nothing new: what the streams
 * keep in order ends in that order, so of several operations of a stream the last stands for all,
 * and one in the operation's own stream is there by the order. That holds in the streams as edited;
 * everything here is of one such choice of streams. One thread.
 */
#ifndef STREAMTRACE_NEEDS_H
#define STREAMTRACE_NEEDS_H

#include "replay/observed/timeline_private.h"

/* A list's items are operations, by index in model.operations, and behind them joins: those are
 * operation_count plus the join's index. A join's own items come before it. */
struct needs {
	size_t join_count;
	/* Where lists begin in items, and the last one ends: by operation what it needs, then what
	 * it reuses; then those of joins. */
	uint32_t *first;
	uint32_t *items;
};

/* In the streams of the edits, stream_count with the added ones; NULL: in those of the trace. Owned by
 * the caller. */
struct needs *needs_find(const struct timeline *timeline, const struct edits *edits,
			 size_t stream_count);
void needs_free(struct needs *needs);

struct needs_list {
	const uint32_t *items;
	size_t count;
};

static inline struct needs_list needs_list_at(const struct needs *needs, size_t list)
{
	return (struct needs_list){needs->items + needs->first[list],
				   needs->first[list + 1] - needs->first[list]};
}

static inline struct needs_list needs_of(const struct needs *needs, size_t operation)
{
	return needs_list_at(needs, 2 * operation);
}

static inline struct needs_list needs_reused_by(const struct needs *needs, size_t operation)
{
	return needs_list_at(needs, 2 * operation + 1);
}

#endif
