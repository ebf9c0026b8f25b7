#include "model/nodes.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>

node_index model_nodes_add(struct model *model, struct model_node node)
{
	model->nodes = memory_grow(model->nodes, model->node_count, &model->node_capacity,
				   sizeof(*model->nodes));
	model->nodes[model->node_count] = node;
	return (node_index)model->node_count++;
}

void model_nodes_begin(struct model *model)
{
	model_nodes_add(model, (struct model_node){.operation = NODE_IS_JOIN, .end_ns = INT64_MIN});
}

node_index model_nodes_join(struct model *model, node_index first, node_index second)
{
	const struct model_node *nodes = model->nodes;
	int64_t end_ns;

	if (first == NODE_NONE || first == second)
		return second;
	if (second == NODE_NONE)
		return first;
	end_ns = max_ns(nodes[first].end_ns, nodes[second].end_ns);
	return model_nodes_add(model, (struct model_node){first, second, NODE_IS_JOIN, end_ns});
}

/* Nodes from last to first: what a node that is used joins comes before it. */
static void mark_used(const struct model *model, uint32_t *is_used)
{
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];

		is_used[item->node] = is_used[item->needs] = is_used[item->reuses] = true;
	}
	for (size_t i = model->node_count; i-- > 1;)
		if (is_used[i])
			is_used[model->nodes[i].first] = is_used[model->nodes[i].second] = true;
}

/* Most joins were there in case that something would need them: three of four. */
void model_nodes_drop_unused(struct model *model)
{
	uint32_t *new_index = memory_array(model->node_count, sizeof(*new_index));
	node_index kept = 1;

	mark_used(model, new_index);
	new_index[NODE_NONE] = NODE_NONE;
	for (size_t i = 1; i < model->node_count; i++) {
		struct model_node node = model->nodes[i];

		if (!new_index[i])
			continue;
		node.first = new_index[node.first];
		node.second = new_index[node.second];
		new_index[i] = kept;
		model->nodes[kept++] = node;
	}
	for (size_t i = 0; i < model->operation_count; i++) {
		struct model_operation *item = &model->operations[i];

		item->node = new_index[item->node];
		item->needs = new_index[item->needs];
		item->reuses = new_index[item->reuses];
	}
	model->node_count = model->node_capacity = kept;
	model->nodes = memory_shrink(model->nodes, kept, sizeof(*model->nodes));
	free(new_index);
}
