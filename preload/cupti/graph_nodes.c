#include "cupti/graph_nodes.h"

#include "cupti/cupti_library.h"
#include "cupti/status.h"
#include "recorder/recorder.h"

/* Instantiating a graph makes both callbacks for a node, in undocumented order. */
static const CUpti_CallbackId callbacks[] = {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
					     CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED};

void graph_nodes_enable(CUpti_SubscriberHandle subscriber)
{
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++)
		cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, callbacks[i]);
}

bool graph_nodes_take(CUpti_CallbackId cbid, const CUpti_ResourceData *data)
{
	const CUpti_GraphData *graph = data->resourceDescriptor;
	bool is_clone = cbid == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED;
	struct graph_node node = {0};
	CUptiResult result;

	if (!is_clone && cbid != CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED)
		return false;
	recorder_thread.makes_node = true;
	result = cupti.cuptiGetGraphNodeId(graph->node, &node.id);
	if (!result && is_clone)
		result = cupti.cuptiGetGraphNodeId(graph->originalNode, &node.source_id);
	if (result) {
		cupti_status_note_error("cuptiGetGraphNodeId", result);
		return true;
	}
	/* An executable graph may have no id yet: 0. */
	if (!graph->graph || cupti.cuptiGetGraphId(graph->graph, &node.graph_id))
		node.graph_id = 0;
	node.kind = (int)graph->nodeType;
	recorder_graph_node(&node);
	return true;
}
