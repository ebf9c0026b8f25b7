#include "base/memory.h"
#include "model/private.h"

#include <stdlib.h>

/* Nodes from last to first: what a node that is used joins comes before it. */
static void mark_used(const struct model *model, uint32_t *is_used)
{
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *place = &model->operations[i];

		is_used[place->node] = is_used[place->needs] = is_used[place->reuses] = true;
	}
	for (size_t i = model->node_count; i-- > 1;)
		if (is_used[i])
			is_used[model->nodes[i].first] = is_used[model->nodes[i].second] = true;
}

/* Most joins were there in case that something would need them: three of four. */
void model_drop_unused_nodes(struct model *model)
{
	uint32_t *places = memory_array(model->node_count, sizeof(*places));
	node_index kept = 1;

	mark_used(model, places);
	places[NODE_NONE] = NODE_NONE;
	for (size_t i = 1; i < model->node_count; i++) {
		struct model_node node = model->nodes[i];

		if (!places[i])
			continue;
		node.first = places[node.first];
		node.second = places[node.second];
		places[i] = kept;
		model->nodes[kept++] = node;
	}
	for (size_t i = 0; i < model->operation_count; i++) {
		struct model_operation *place = &model->operations[i];

		place->node = places[place->node];
		place->needs = places[place->needs];
		place->reuses = places[place->reuses];
	}
	model->node_count = kept;
	model->nodes = memory_shrink(model->nodes, kept, sizeof(*model->nodes));
	free(places);
}
