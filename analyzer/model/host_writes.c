#include "model/host_writes.h"

#include "model/nodes.h"

node_index host_writes_before(const struct host_writes *writes, struct model *model,
			      const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;
	node_index node = writes->unknown;
	const struct extent *extent;
	uint64_t cursor = 0;

	if (writes->are_unseen)
		return NODE_NONE;
	if (!call || !call->form->src || !operation->form->size_bytes)
		return writes->all;
	while ((extent = extents_next(&writes->known, call->form->src,
				      call->form->src + operation->form->size_bytes, &cursor)))
		node = model_nodes_join(model, node, extent->value);
	return node;
}

void host_writes_add(struct host_writes *writes, struct model *model,
		     const struct trace_operation *operation, node_index node)
{
	const struct trace_call *call = operation->call;

	writes->all = model_nodes_join(model, writes->all, node);
	if (call && call->form->dst && operation->form->size_bytes)
		extents_set(&writes->known, call->form->dst,
			    call->form->dst + operation->form->size_bytes, node);
	else
		writes->unknown = model_nodes_join(model, writes->unknown, node);
}

void host_writes_free(struct host_writes *writes)
{
	extents_free(&writes->known);
}
