/* A treap: a search tree by start, and a heap by pseudo-random priorities. */
#include "model/extents.h"

#include "base/memory.h"

#include <stdlib.h>

enum { NONE = 0 };

struct extent_node {
	struct extent extent;
	uint32_t left, right, priority;
};

/* A hash of the node's index: as good as random, and equal in every run. */
static uint32_t priority_of(uint32_t node)
{
	uint32_t bits = node * 2654435761u;

	return bits ^ bits >> 15;
}

static uint32_t node_new(struct extents *extents, struct extent extent)
{
	uint32_t node = extents->free;

	if (node) {
		extents->free = extents->nodes[node].left;
	} else {
		extents->count += !extents->count; /* node 0 */
		extents->nodes = memory_grow(extents->nodes, extents->count, &extents->capacity,
					     sizeof(*extents->nodes));
		node = (uint32_t)extents->count++;
	}
	extents->nodes[node] =
		(struct extent_node){.extent = extent, .priority = priority_of(node)};
	return node;
}

static void free_tree(struct extents *extents, uint32_t node)
{
	if (node == NONE)
		return;
	free_tree(extents, extents->nodes[node].left);
	free_tree(extents, extents->nodes[node].right);
	extents->nodes[node].left = extents->free;
	extents->free = node;
}

/* Splits the tree: extents that start before the address go to *before, the others to *behind. */
static void split_tree(struct extents *extents, uint32_t node, uint64_t address, uint32_t *before,
		       uint32_t *behind)
{
	while (node != NONE) {
		struct extent_node *row = &extents->nodes[node];

		if (row->extent.start < address) {
			*before = node;
			before = &row->right;
			node = row->right;
		} else {
			*behind = node;
			behind = &row->left;
			node = row->left;
		}
	}
	*before = *behind = NONE;
}

/* One tree of two, where all of `before` starts before all of `behind`. */
static uint32_t merge_trees(struct extents *extents, uint32_t before, uint32_t behind)
{
	uint32_t root = NONE, *link = &root;

	while (before != NONE && behind != NONE) {
		if (extents->nodes[before].priority > extents->nodes[behind].priority) {
			*link = before;
			link = &extents->nodes[before].right;
			before = *link;
		} else {
			*link = behind;
			link = &extents->nodes[behind].left;
			behind = *link;
		}
	}
	*link = before != NONE ? before : behind;
	return root;
}

/* Ends the tree's last extent at `start`. Its part beyond `end` goes into a new node, which is
 * returned, or NONE. */
static uint32_t cut_tail(struct extents *extents, uint32_t tree, uint64_t start, uint64_t end)
{
	struct extent *last, tail;

	if (tree == NONE)
		return NONE;
	while (extents->nodes[tree].right != NONE)
		tree = extents->nodes[tree].right;
	last = &extents->nodes[tree].extent;
	if (last->end <= start)
		return NONE;
	tail = (struct extent){end, last->end, last->value};
	last->end = start;
	return tail.end > end ? node_new(extents, tail) : NONE;
}

void extents_set(struct extents *extents, uint64_t start, uint64_t end, uint32_t value)
{
	uint32_t before, covered, behind, tail;

	split_tree(extents, extents->root, start, &before, &behind);
	split_tree(extents, behind, end, &covered, &behind);
	/* An extent that begins before `start` keeps its front, and one that goes on after `end` its
	 * rest. */
	tail = cut_tail(extents, before, start, end);
	behind = merge_trees(extents, tail, behind);
	tail = cut_tail(extents, covered, end, end);
	behind = merge_trees(extents, tail, behind);
	free_tree(extents, covered);
	before =
		merge_trees(extents, before, node_new(extents, (struct extent){start, end, value}));
	extents->root = merge_trees(extents, before, behind);
}

const struct extent *extents_next(const struct extents *extents, uint64_t start, uint64_t end,
				  uint64_t *cursor)
{
	uint64_t from = *cursor ? *cursor : start;
	const struct extent *found = NULL;

	/* The first one that ends after it. */
	for (uint32_t node = extents->root; node != NONE;) {
		const struct extent_node *row = &extents->nodes[node];

		if (row->extent.end > from)
			found = &row->extent;
		node = row->extent.end > from ? row->left : row->right;
	}
	if (!found || found->start >= end)
		return NULL;
	*cursor = found->end;
	return found;
}

void extents_free(struct extents *extents)
{
	free(extents->nodes);
	*extents = (struct extents){0};
}
