/* A treap: a search tree by start, and a heap by pseudo-random priorities. */
#include "model/ranges.h"

#include "base/memory.h"

#include <stdlib.h>

enum { NONE = 0 };

struct range_node {
	struct range range;
	uint32_t left, right, priority;
};

/* A hash of the node's index: as good as random, and equal in every run. */
static uint32_t priority_of(uint32_t node)
{
	uint32_t bits = node * 2654435761u;

	return bits ^ bits >> 15;
}

static uint32_t node_new(struct ranges *ranges, struct range range)
{
	uint32_t node = ranges->free;

	if (node) {
		ranges->free = ranges->nodes[node].left;
	} else {
		ranges->count += !ranges->count; /* node 0 */
		ranges->nodes = memory_grow(ranges->nodes, ranges->count, &ranges->capacity,
					    sizeof(*ranges->nodes));
		node = (uint32_t)ranges->count++;
	}
	ranges->nodes[node] = (struct range_node){.range = range, .priority = priority_of(node)};
	return node;
}

static void free_tree(struct ranges *ranges, uint32_t node)
{
	if (node == NONE)
		return;
	free_tree(ranges, ranges->nodes[node].left);
	free_tree(ranges, ranges->nodes[node].right);
	ranges->nodes[node].left = ranges->free;
	ranges->free = node;
}

/* Splits the tree: ranges that start before the address go to *before, the others to *behind. */
static void split_tree(struct ranges *ranges, uint32_t node, uint64_t address, uint32_t *before,
		       uint32_t *behind)
{
	while (node != NONE) {
		struct range_node *row = &ranges->nodes[node];

		if (row->range.start < address) {
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
static uint32_t merge_trees(struct ranges *ranges, uint32_t before, uint32_t behind)
{
	uint32_t root = NONE, *link = &root;

	while (before != NONE && behind != NONE) {
		if (ranges->nodes[before].priority > ranges->nodes[behind].priority) {
			*link = before;
			link = &ranges->nodes[before].right;
			before = *link;
		} else {
			*link = behind;
			link = &ranges->nodes[behind].left;
			behind = *link;
		}
	}
	*link = before != NONE ? before : behind;
	return root;
}

/* Ends the tree's last range at `start`. Its part beyond `end` goes into a new node, which is
 * returned, or NONE. */
static uint32_t cut_tail(struct ranges *ranges, uint32_t tree, uint64_t start, uint64_t end)
{
	struct range *last, tail;

	if (tree == NONE)
		return NONE;
	while (ranges->nodes[tree].right != NONE)
		tree = ranges->nodes[tree].right;
	last = &ranges->nodes[tree].range;
	if (last->end <= start)
		return NONE;
	tail = (struct range){end, last->end, last->value};
	last->end = start;
	return tail.end > end ? node_new(ranges, tail) : NONE;
}

void ranges_set(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t value)
{
	uint32_t before, covered, behind, tail;

	split_tree(ranges, ranges->root, start, &before, &behind);
	split_tree(ranges, behind, end, &covered, &behind);
	/* A range that begins before `start` keeps its front, and one that goes on after `end` its
	 * rest. */
	tail = cut_tail(ranges, before, start, end);
	behind = merge_trees(ranges, tail, behind);
	tail = cut_tail(ranges, covered, end, end);
	behind = merge_trees(ranges, tail, behind);
	free_tree(ranges, covered);
	before = merge_trees(ranges, before, node_new(ranges, (struct range){start, end, value}));
	ranges->root = merge_trees(ranges, before, behind);
}

const struct range *ranges_next(const struct ranges *ranges, uint64_t start, uint64_t end,
				uint64_t *cursor)
{
	uint64_t from = *cursor ? *cursor : start;
	const struct range *found = NULL;

	/* The first one that ends after it. */
	for (uint32_t node = ranges->root; node != NONE;) {
		const struct range_node *row = &ranges->nodes[node];

		if (row->range.end > from)
			found = &row->range;
		node = row->range.end > from ? row->left : row->right;
	}
	if (!found || found->start >= end)
		return NULL;
	*cursor = found->end;
	return found;
}

void ranges_free(struct ranges *ranges)
{
	free(ranges->nodes);
	*ranges = (struct ranges){0};
}
