/*
 * What operations truly need (model.h), in as few edges as possible for a replay.
 *
 * The model joins two nodes at a time, and most of these joins are redundant: of several operations
 * of a stream the last one stands for all, since streams keep their order, and one in the
 * operation's own stream is implied. This depends on the streams as edited; a struct needs is for
 * one choice of streams. One thread builds it; then any may read.
 */
#ifndef STREAMTRACE_NEEDS_H
#define STREAMTRACE_NEEDS_H

#include "replay/observed/timeline_private.h"

/* The items of a list are operations, by index in model.operations, and joins: operation_count plus
 * the join's index. A join's items come before it. */
struct needs {
	size_t join_count;
	/* Where lists begin in items, and where the last ends: for each operation what it needs,
	 * then what it reuses; then the lists of joins. */
	uint32_t *first;
	uint32_t *items;
};

/* Finds the needs in the streams of the edits (stream_count, including added ones); edits NULL: in
 * those of the trace. Free by needs_free(). */
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
