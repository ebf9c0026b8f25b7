/* A treap: a search tree by start, and a heap by pseudo-random priorities; and a list in the same order. */
#include "model/extents.h"

#include "base/memory.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

enum { NONE = 0 };

/* So many of the nodes that were found last are found again at once: pointers recur. */
enum { RECENT_BITS = 12 };

struct extent_node {
	struct extent extent; /* of a free node: empty, at 0 */
	uint32_t left, right;
	/* Nodes in the list by address. NONE stands before the first and behind the last. */
	uint32_t before, next;
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
		assert(extents->nodes); /* it is one of them */
		extents->free = extents->nodes[node].left;
	} else {
		extents->nodes = memory_grow(extents->nodes, extents->count, &extents->capacity,
					     sizeof(*extents->nodes));
		node = (uint32_t)extents->count++;
	}
	extents->nodes[node] = (struct extent_node){.extent = extent};
	return node;
}

static void node_free(struct extents *extents, uint32_t node)
{
	extents->nodes[node] = (struct extent_node){.left = extents->free};
	extents->free = node;
}

static void link_nodes(struct extents *extents, uint32_t before, uint32_t next)
{
	extents->nodes[before].next = next;
	extents->nodes[next].before = before;
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
		if (priority_of(before) > priority_of(behind)) {
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

/* Whether it is the first one that ends after the address. */
static bool is_first(const struct extents *extents, uint32_t node, uint64_t address)
{
	const struct extent_node *row = &extents->nodes[node];

	return row->extent.end > address && extents->nodes[row->before].extent.end <= address;
}

/* The first one that ends after the address; NONE: there is none. */
static uint32_t find_first(const struct extents *extents, uint64_t address)
{
	uint32_t *recent = &extents->recent[address * 0x9e3779b97f4a7c15u >> (64 - RECENT_BITS)];
	uint32_t found = NONE;

	if (is_first(extents, *recent, address))
		return *recent;
	for (uint32_t node = extents->root; node != NONE;) {
		const struct extent_node *row = &extents->nodes[node];

		if (row->extent.end > address)
			found = node;
		node = row->extent.end > address ? row->left : row->right;
	}
	*recent = found;
	return found;
}

static void begin_extents(struct extents *extents)
{
	extents->recent = memory_array((size_t)1 << RECENT_BITS, sizeof(*extents->recent));
	node_new(extents, (struct extent){0, 0, 0});
}

/* Puts a new extent behind the other in the list; returns it as a tree. */
static uint32_t add_behind(struct extents *extents, uint32_t before, struct extent extent)
{
	uint32_t node = node_new(extents, extent);

	link_nodes(extents, node, extents->nodes[before].next);
	link_nodes(extents, before, node);
	return node;
}

/* Frees the node and those behind it that start before the address; returns the next one. */
static uint32_t free_until(struct extents *extents, uint32_t node, uint64_t address)
{
	while (node != NONE && extents->nodes[node].extent.start < address) {
		uint32_t next = extents->nodes[node].next;

		node_free(extents, node);
		node = next;
	}
	return node;
}

/* Gives [start, end) the value. first: the first extent that ends after start, or NONE. */
static void replace_extents(struct extents *extents, uint32_t first, uint64_t start, uint64_t end,
			    uint32_t value)
{
	bool is_cut = first != NONE && extents->nodes[first].extent.start < start;
	uint32_t last = is_cut ? first : extents->nodes[first].before; /* that starts before it */
	uint32_t before, covered, behind, made = NONE, tail = NONE;
	struct extent rest = {0, 0, 0};

	split_tree(extents, extents->root, start, &before, &behind);
	split_tree(extents, behind, end, &covered, &behind);
	/* An extent that begins before `start` keeps its front, and one that goes on after `end` its
	 * rest. */
	for (uint32_t node = first; node != NONE && extents->nodes[node].extent.start < end;
	     node = extents->nodes[node].next)
		rest = extents->nodes[node].extent;
	if (is_cut)
		extents->nodes[last].extent.end = start;
	link_nodes(extents, last, free_until(extents, extents->nodes[last].next, end));
	if (rest.end > end)
		tail = add_behind(extents, last, (struct extent){end, rest.end, rest.value});
	if (value)
		made = add_behind(extents, last, (struct extent){start, end, value});
	before = merge_trees(extents, before, made);
	behind = merge_trees(extents, tail, behind);
	extents->root = merge_trees(extents, before, behind);
}

void extents_set(struct extents *extents, uint64_t start, uint64_t end, uint32_t value)
{
	struct extent *extent;
	uint32_t first;

	if (!extents->nodes)
		begin_extents(extents);
	first = find_first(extents, start);
	extent = &extents->nodes[first].extent;
	if (first != NONE && value && extent->start == start && extent->end == end)
		extent->value = value;
	else if (value || (first != NONE && extent->start < end))
		replace_extents(extents, first, start, end, value);
}

const struct extent *extents_next(const struct extents *extents, uint64_t start, uint64_t end,
				  uint64_t *cursor)
{
	uint32_t node;

	if (!extents->nodes)
		return NULL;
	node = *cursor ? extents->nodes[*cursor].next : find_first(extents, start);
	if (node == NONE || extents->nodes[node].extent.start >= end)
		return NULL;
	*cursor = node;
	return &extents->nodes[node].extent;
}

void extents_free(struct extents *extents)
{
	free(extents->recent);
	free(extents->nodes);
	*extents = (struct extents){0};
}
