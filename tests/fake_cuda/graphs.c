/* Graphs: captured from one stream, or of host nodes and child graphs that are added; their nodes run in a row. */
#include <stdlib.h>

#include "runtime.h"

struct CUgraph_st {
	uint32_t id;
	struct CUgraphNode_st *first;
};

struct CUgraphExec_st {
	struct CUgraph_st graph;
};

static void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		fake_cuda_abort("out of memory");
	return memory;
}

static uint32_t next_graph_id(void)
{
	static uint32_t last_id;
	uint32_t id;

	device_lock();
	id = ++last_id;
	device_unlock();
	return id;
}

static struct CUgraphNode_st *add(struct CUgraph_st *graph, const struct CUgraphNode_st *wanted)
{
	struct CUgraphNode_st *node = allocate(sizeof(*node)), **link = &graph->first;
	uint64_t number = 1;

	for (; *link; link = &(*link)->next)
		number++;
	*node = *wanted;
	node->next = NULL;
	node->id = (uint64_t)graph->id << 32 | number; /* as the real ones: more than 32 bits */
	*link = node;
	return node;
}

static void tell_created(struct CUgraph_st *graph, struct CUgraphNode_st *node)
{
	call_node(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
		  &(CUpti_GraphData){.graph = graph, .node = node, .nodeType = node->type});
}

uint64_t fake_cuda_node_id(CUgraphNode node)
{
	return node->id;
}

uint32_t fake_cuda_graph_id(CUgraph graph)
{
	return graph->id;
}

CUgraphNode fake_cuda_graph_node(CUgraph graph, size_t index)
{
	CUgraphNode node = graph->first;

	while (node && index--)
		node = node->next;
	return node;
}

CUgraphNodeType fake_cuda_node_type(CUgraphNode node)
{
	return node->type;
}

CUgraph fake_cuda_node_child(CUgraphNode node)
{
	return node->child;
}

void fake_cuda_tell_node(CUgraphNode node)
{
	struct CUgraphNode_st clone = *node;
	struct CUgraph_st graph = {.id = next_graph_id()};

	clone.id = (uint64_t)graph.id << 32;
	call_node(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, &(CUpti_GraphData){.graph = &graph,
									   .node = &clone,
									   .originalNode = node,
									   .nodeType = clone.type});
}

bool fake_cuda_is_captured(CUstream stream)
{
	bool is_captured;

	device_lock();
	is_captured = device_stream(stream, false)->capture != NULL;
	device_unlock();
	return is_captured;
}

bool graph_capture(struct CUstream_st *stream, const struct CUgraphNode_st *node)
{
	if (!stream->capture)
		return false;
	tell_created(stream->capture, add(stream->capture, node));
	return true;
}

cudaError_t graph_capture_begin(struct driver_call *call, cudaStream_t handle, bool per_thread)
{
	cudaError_t error = call_enter(call);
	struct CUgraph_st *graph;
	struct CUstream_st *stream;

	if (error)
		return call_exit(call, error);
	graph = allocate(sizeof(*graph));
	graph->id = next_graph_id();
	device_lock();
	stream = device_stream(handle, per_thread);
	if (stream->capture || stream->flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL)
		error = cudaErrorStreamCaptureUnsupported;
	else
		stream->capture = graph;
	device_unlock();
	if (error)
		free(graph);
	return call_exit(call, error);
}

cudaError_t graph_capture_end(struct driver_call *call, cudaStream_t handle, cudaGraph_t *graph,
			      bool per_thread)
{
	cudaError_t error = call_enter(call);
	struct CUstream_st *stream;

	if (error || !graph)
		return call_exit(call, error ? error : cudaErrorInvalidValue);
	device_lock();
	stream = device_stream(handle, per_thread);
	*graph = stream->capture;
	stream->capture = NULL;
	device_unlock();
	return call_exit(call, *graph ? cudaSuccess : cudaErrorIllegalState);
}

/* Both callbacks come for each node, as nobody says in which order: the clone's comes last here. The nodes
 * of a child graph follow its own. */
static void add_executable(struct CUgraph_st *exec, struct CUgraph_st *graph)
{
	for (struct CUgraphNode_st *node = graph->first; node; node = node->next) {
		struct CUgraphNode_st *clone = add(exec, node);

		tell_created(exec, clone);
		call_node(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
			  &(CUpti_GraphData){.graph = exec,
					     .originalGraph = graph,
					     .node = clone,
					     .originalNode = node,
					     .nodeType = clone->type});
		if (node->child)
			add_executable(exec, node->child);
	}
}

static cudaError_t instantiate(struct driver_call *call, cudaGraphExec_t *exec, cudaGraph_t graph)
{
	const cudaError_t error = call_enter(call);

	if (error || !exec || !graph)
		return call_exit(call, error ? error : cudaErrorInvalidValue);
	*exec = allocate(sizeof(**exec));
	(*exec)->graph.id = next_graph_id();
	add_executable(&(*exec)->graph, graph);
	return call_exit(call, cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
				 unsigned long long flags)
{
	DRIVER_CALL(cuGraphInstantiateWithFlags, pGraphExec, graph, flags);

	return instantiate(&call, pGraphExec, graph);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *pGraphExec, cudaGraph_t graph,
					  unsigned long long flags)
{
	DRIVER_CALL(cuGraphInstantiateWithFlags, pGraphExec, graph, flags);

	return instantiate(&call, pGraphExec, graph);
}

cudaError_t graph_launch(struct driver_call *call, cudaGraphExec_t graph, cudaStream_t handle,
			 bool per_thread)
{
	const cudaError_t error = call_enter(call);
	struct record_origin origin = {.correlation_id = call->correlation_id};
	struct CUstream_st *stream;

	if (error || !graph)
		return call_exit(call, error ? error : cudaErrorInvalidValue);
	device_lock();
	stream = device_stream(handle, per_thread);
	origin.stream_id = stream->id;
	origin.span.start_ns = device_ready_ns(stream);
	device_unlock();
	for (struct CUgraphNode_st *node = graph->graph.first; node; node = node->next)
		node_run(node, call->correlation_id, stream);
	device_lock();
	origin.span.end_ns = device_ready_ns(stream);
	device_unlock();
	if (graph->graph.first)
		record_graph(origin, graph->graph.id);
	return call_exit(call, cudaSuccess);
}

static void free_nodes(struct CUgraph_st *graph)
{
	struct CUgraphNode_st *node, *next;

	for (node = graph->first; node; node = next) {
		next = node->next;
		free(node);
	}
}

/* A graph's own nodes have child graphs of their own; an executable graph's have none. */
static void free_graph(struct CUgraph_st *graph)
{
	for (struct CUgraphNode_st *node = graph->first; node; node = node->next)
		if (node->child)
			free_graph(node->child);
	free_nodes(graph);
	free(graph);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec)
{
	DRIVER_CALL(cuGraphExecDestroy, graphExec);
	const cudaError_t error = call_enter(&call);

	if (error || !graphExec)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	free_nodes(&graphExec->graph);
	free(graphExec);
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaGraphCreate(cudaGraph_t *pGraph, unsigned int flags)
{
	DRIVER_CALL(cuGraphCreate, pGraph, flags);
	const cudaError_t error = call_enter(&call);

	if (error || !pGraph)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	*pGraph = allocate(sizeof(**pGraph));
	(*pGraph)->id = next_graph_id();
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	DRIVER_CALL(cuGraphDestroy, graph);
	const cudaError_t error = call_enter(&call);

	if (error || !graph)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	free_graph(graph);
	return call_exit(&call, cudaSuccess);
}

static struct CUgraph_st *clone_graph(struct CUgraph_st *original)
{
	struct CUgraph_st *graph = allocate(sizeof(*graph));

	graph->id = next_graph_id();
	for (struct CUgraphNode_st *node = original->first; node; node = node->next) {
		struct CUgraphNode_st *clone = add(graph, node);

		call_node(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
			  &(CUpti_GraphData){.graph = graph,
					     .originalGraph = original,
					     .node = clone,
					     .originalNode = node,
					     .nodeType = node->type});
		clone->child = node->child ? clone_graph(node->child) : NULL;
	}
	return graph;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
				       const cudaGraphNode_t *pDependencies, size_t numDependencies,
				       cudaGraph_t childGraph)
{
	DRIVER_CALL(cuGraphAddChildGraphNode, pGraphNode, graph, pDependencies, numDependencies,
		    childGraph);
	const cudaError_t error = call_enter(&call);
	const struct CUgraphNode_st node = {.type = CU_GRAPH_NODE_TYPE_GRAPH};

	if (error || !pGraphNode || !graph || !childGraph)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	*pGraphNode = add(graph, &node);
	tell_created(graph, *pGraphNode);
	(*pGraphNode)->child = clone_graph(childGraph);
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t *pGraphClone, cudaGraph_t originalGraph)
{
	DRIVER_CALL(cuGraphClone, pGraphClone, originalGraph);
	const cudaError_t error = call_enter(&call);

	if (error || !pGraphClone || !originalGraph)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	*pGraphClone = clone_graph(originalGraph);
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
				 const cudaGraphNode_t *pDependencies, size_t numDependencies,
				 const struct cudaHostNodeParams *pNodeParams)
{
	DRIVER_CALL(cuGraphAddHostNode, pGraphNode, graph, pDependencies, numDependencies,
		    (const CUDA_HOST_NODE_PARAMS *)pNodeParams);
	const cudaError_t error = call_enter(&call);
	const CUDA_HOST_NODE_PARAMS *given = params.nodeParams;
	struct CUgraphNode_st node = {.type = CU_GRAPH_NODE_TYPE_HOST};

	if (error || !pGraphNode || !graph || !given || !given->fn)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	node.host = (struct host_function){.function = given->fn, .data = given->userData};
	*pGraphNode = add(graph, &node);
	tell_created(graph, *pGraphNode);
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *pNodeParams)
{
	DRIVER_CALL(cuGraphHostNodeGetParams, node, (CUDA_HOST_NODE_PARAMS *)pNodeParams);
	const cudaError_t error = call_enter(&call);

	if (error || !node || !pNodeParams)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	pNodeParams->fn = node->host.function;
	pNodeParams->userData = node->host.data;
	return call_exit(&call, cudaSuccess);
}
