/*
 * Builds the graph of what operations truly depend on (model.h).
 *
 * Nodes belong to the model. An index stays valid until model_nodes_drop_unused(). One thread.
 */
#ifndef STREAMTRACE_MODEL_NODES_H
#define STREAMTRACE_MODEL_NODES_H

#include "model/model.h"

/* Adds node 0, NODE_NONE. Call once, before adding others. */
void model_nodes_begin(struct model *model);

node_index model_nodes_add(struct model *model, struct model_node node);

/* In a sample: NODE_NONE for nodes before the current slice, because slices in between are
 * missing. */
static inline node_index model_nodes_known(const struct model *model, node_index node)
{
	return node < model->first_known ? NODE_NONE : node;
}

/* A node that depends on both, either of which may be NODE_NONE: one of the two, or a new join. */
node_index model_nodes_join(struct model *model, node_index first, node_index second);

/* Keeps only nodes that operations need or reuse, and what these depend on; renumbers them in the
 * operations. */
void model_nodes_drop_unused(struct model *model);

#endif
