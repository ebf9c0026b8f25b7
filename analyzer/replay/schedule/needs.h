/*
 * What operations truly need (model.h), in as few edges as possible for a replay.
 *
 * The model joins two nodes at a time, and most of these joins are redundant. Of several operations
 * of a stream the last one stands for all, since streams keep their order. An operation in the same
 * stream as the one that needs it is implied, and so is what has ended when another one that is needed
 * has. This depends on the streams as edited, so a struct
 * needs is for one choice of streams. One thread builds it; afterwards any thread may read.
 */
#ifndef STREAMTRACE_NEEDS_H
#define STREAMTRACE_NEEDS_H

#include "replay/observed/timeline_private.h"

/* The items of a list are operations, by index in model.operations, and joins, by
 * model.operation_count plus the join's index. A join's items are operations and joins of smaller
 * index. */
struct needs {
	size_t join_count;
	/* Where each list begins in items, and where the last ends. The lists: for each operation
	 * what it needs, then what it reuses; then one for each join. */
	uint32_t *first;
	uint32_t *items;
};

/* Finds the needs in the streams of the edits; edits NULL: in the streams of the trace.
 * stream_count: of all streams, added ones included. The timeline must outlive the call only. Free
 * by needs_free(). */
struct needs *needs_find(const struct timeline *timeline, const struct edits *edits,
			 size_t stream_count);
void needs_free(struct needs *needs);

/* Of all lists. operations: in the model. */
static inline size_t needs_item_count(const struct needs *needs, size_t operations)
{
	return needs->first[2 * operations + needs->join_count];
}

struct needs_list {
	const uint32_t *items;
	size_t count;
};

static inline struct needs_list needs_list_at(const struct needs *needs, size_t list)
{
	return (struct needs_list){needs->items + needs->first[list],
				   needs->first[list + 1] - needs->first[list]};
}

/* What the operation (an index in model.operations) needs, and below what it reuses. */
static inline struct needs_list needs_of(const struct needs *needs, size_t operation)
{
	return needs_list_at(needs, 2 * operation);
}

static inline struct needs_list needs_reused_by(const struct needs *needs, size_t operation)
{
	return needs_list_at(needs, 2 * operation + 1);
}

#endif
