/*
 * Builds the graph of what operations truly depend on (model.h).
 *
 * Nodes belong to the model. The index of a node stays valid until model_nodes_drop_unused(), a
 * pointer until the next node is added. One thread.
 */
#ifndef STREAMTRACE_MODEL_NODES_H
#define STREAMTRACE_MODEL_NODES_H

#include "model/model.h"

/* Adds node 0, NODE_NONE. Call once, before adding others. */
void model_nodes_begin(struct model *model);

/* Adds the node, whose dependences must have been added before, and returns its index. */
node_index model_nodes_add(struct model *model, struct model_node node);

/* Returns node; in a sample NODE_NONE for a node before the current slice, because slices in
 * between are missing. */
static inline node_index model_nodes_known(const struct model *model, node_index node)
{
	return node < model->first_known ? NODE_NONE : node;
}

/* A node that depends on both nodes: one of the two, or a new join. Either or both may be
 * NODE_NONE. */
node_index model_nodes_join(struct model *model, node_index first, node_index second);

/* Removes all nodes but those of operations, those that operations need or reuse, and what these
 * depend on. Renumbers nodes in model.operations, and sets needed_count. */
void model_nodes_drop_unused(struct model *model);

#endif
