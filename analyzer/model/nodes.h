/*
 * The graph of what operations truly depend on (model.h), while a model is built.
 *
 * Nodes belong to the model; an index stays good until model_nodes_drop_unused().
 */
#ifndef STREAMTRACE_MODEL_NODES_H
#define STREAMTRACE_MODEL_NODES_H

#include "model/model.h"

/* Node 0, NODE_NONE: once, before any other. */
void model_nodes_begin(struct model *model);

node_index model_nodes_add(struct model *model, struct model_node node);

/* Of a sample's slice: what lies before is left out, for the slices between are. */
static inline node_index model_nodes_known(const struct model *model, node_index node)
{
	return node < model->first_known ? NODE_NONE : node;
}

/* A node behind both, either of which may be NODE_NONE: one of the two, or a new join. */
node_index model_nodes_join(struct model *model, node_index first, node_index second);

/* Leaves the nodes that operations need, and those behind them; the operations then name them by
 * their new indexes. */
void model_nodes_drop_unused(struct model *model);

#endif
