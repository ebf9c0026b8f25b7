#include "model/nodes.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"

#include <stdlib.h>

/* So many come of an operation, mostly fewer: what is not used is never touched. */
enum { NODES_OF_OPERATION = 8 };

node_index model_nodes_add(struct model *model, struct model_node node)
{
	model->nodes = memory_grow(model->nodes, model->node_count, &model->node_capacity,
				   sizeof(*model->nodes));
	model->nodes[model->node_count] = node;
	return (node_index)model->node_count++;
}

void model_nodes_begin(struct model *model)
{
	model->nodes = memory_reserve(NULL, NODES_OF_OPERATION * model->trace->operation_count + 1,
				      &model->node_capacity, sizeof(*model->nodes));
	model_nodes_add(model, (struct model_node){.is_join = true, .end_ns = INT64_MIN});
}

/* Whether the node is among what the other one joins, one after the other. */
static bool has_joined(const struct model_node *nodes, node_index joined, node_index node)
{
	for (int i = 0; i < JOINS_MOST_LOOKS && nodes[joined].is_join; i++) {
		if (nodes[joined].other == node || nodes[joined].first == node)
			return true;
		joined = nodes[joined].first;
	}
	return false;
}

node_index model_nodes_join(struct model *model, node_index first, node_index second)
{
	const struct model_node *nodes = model->nodes;
	int64_t end_ns;

	first = model_nodes_known(model, first);
	second = model_nodes_known(model, second);
	if (first == NODE_NONE || first == second || has_joined(nodes, second, first))
		return second;
	if (second == NODE_NONE || has_joined(nodes, first, second))
		return first;
	end_ns = max_ns(nodes[first].end_ns, nodes[second].end_ns);
	return model_nodes_add(model, model_node_of_join(first, second, end_ns));
}

/* What a node is used for, the strongest first. */
enum use { UNUSED, REUSED, NEEDED };

static void use_node(uint8_t *uses, node_index node, enum use use)
{
	if (uses[node] < use)
		uses[node] = (uint8_t)use;
}

/* Nodes from last to first: what a node that is used joins comes before it. */
static void mark_used(const struct model *model, uint8_t *uses)
{
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];

		use_node(uses, item->node, NEEDED);
		use_node(uses, item->needs, NEEDED);
		use_node(uses, item->reuses, REUSED);
	}
	for (size_t i = model->node_count; i-- > 1;) {
		use_node(uses, model->nodes[i].first, uses[i]);
		use_node(uses, model_node_second(&model->nodes[i]), uses[i]);
	}
}

/* Numbers the kept nodes: those needed, then those only reused, each in their old order. */
static uint32_t *number_nodes(struct model *model)
{
	uint32_t *new_index = memory_array(model->node_count, sizeof(*new_index));
	uint8_t *uses = memory_array(model->node_count, sizeof(*uses));
	node_index kept = 1;

	mark_used(model, uses);
	for (enum use used = NEEDED; used > UNUSED; used--) {
		for (size_t i = 1; i < model->node_count; i++)
			if (uses[i] == used)
				new_index[i] = kept++;
		if (used == NEEDED)
			model->needed_count = kept;
	}
	model->node_count = kept;
	free(uses);
	return new_index;
}

/* Most joins were there in case that something would need them: three of four. */
void model_nodes_drop_unused(struct model *model)
{
	size_t before_count = model->node_count;
	uint32_t *new_index = number_nodes(model);
	struct model_node *nodes = memory_array(model->node_count, sizeof(*nodes));

	nodes[NODE_NONE] = model->nodes[NODE_NONE];
	for (size_t i = 1; i < before_count; i++) {
		struct model_node node = model->nodes[i];

		if (!new_index[i])
			continue;
		node.first = new_index[node.first];
		if (node.is_join)
			node.other = new_index[node.other] & (UINT32_MAX >> 1);
		nodes[new_index[i]] = node;
	}
	for (size_t i = 0; i < model->operation_count; i++) {
		struct model_operation *item = &model->operations[i];

		item->node = new_index[item->node];
		item->needs = new_index[item->needs];
		item->reuses = new_index[item->reuses];
	}
	model->node_capacity = model->node_count;
	free(model->nodes);
	model->nodes = nodes;
	free(new_index);
}
