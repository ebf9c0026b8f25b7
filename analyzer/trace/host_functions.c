/*
 * Host functions: which stream each of them held.
 *
 * The row says what its call was given. A default stream of the thread's own is the one that the
 * thread's other work there ran in. A node of a graph runs with the graph's launches, and the row
 * names the call that captured or added it: its runs belong to the launches, one each, in order.
 */
#include "trace/private.h"

#include "trace/stream_handle.h"

#include <stdlib.h>

/* Work of a thread in its own default stream. */
struct own_work {
	uint32_t thread_id;
	int64_t time_ns; /* of its call */
	const struct trace_stream *stream;
};

/* A launch of a graph. */
struct launch {
	uint32_t graph_id;
	const struct trace_call *call;
	const struct trace_operation *last; /* to end */
};

/* A run of a graph's host function. */
struct graph_run {
	size_t node_call; /* index of the call that captured or added it */
	size_t function;  /* index in trace.host_functions */
};

struct placing {
	struct trace_loader *loader;
	struct map graph_calls; /* that captured or added host functions; to the one executable
				   graph that has them, or to none or several */
	struct own_work *own;	/* by thread and time */
	size_t own_count, own_capacity;
	struct launch *launches; /* by graph, in order */
	size_t launch_count, launch_capacity;
	struct map first_launches; /* graph to its first launch */
	struct graph_run *runs;	   /* by call, in order */
	size_t run_count, run_capacity;
};

#define GRAPH_NONE    (SIZE_MAX - 1)
#define GRAPH_SEVERAL (SIZE_MAX - 2)

static bool is_own_stream(uint64_t handle, const struct trace_call *call)
{
	return stream_handle_is_per_thread(handle, call);
}

static int compare_own(const void *a, const void *b)
{
	const struct own_work *x = a, *y = b;

	if (x->thread_id != y->thread_id)
		return x->thread_id < y->thread_id ? -1 : 1;
	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static void collect_own_work(struct placing *placing)
{
	const struct trace *trace = placing->loader->trace;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		const struct trace_call *call = operation->call;

		if (!call || !call->has_stream || !is_own_stream(call->stream_handle, call))
			continue;
		placing->own = memory_grow(placing->own, placing->own_count, &placing->own_capacity,
					   sizeof(*placing->own));
		placing->own[placing->own_count++] =
			(struct own_work){call->thread_id, call->start_ns, operation->stream};
	}
	if (placing->own_count)
		qsort(placing->own, placing->own_count, sizeof(*placing->own), compare_own);
}

/* The last that the thread used by then, or the first after it: it may use several devices. */
static const struct trace_stream *own_stream(const struct placing *placing,
					     const struct trace_call *call)
{
	const struct own_work wanted = {.thread_id = call->thread_id, .time_ns = call->start_ns};
	size_t low = 0, high = placing->own_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_own(&placing->own[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 && placing->own[low - 1].thread_id == call->thread_id)
		return placing->own[low - 1].stream;
	return low < placing->own_count && placing->own[low].thread_id == call->thread_id
		       ? placing->own[low].stream
		       : NULL;
}

static const struct trace_stream *stream_of(const struct placing *placing, uint64_t handle,
					    const struct trace_call *call)
{
	const struct trace *trace = placing->loader->trace;

	if (is_own_stream(handle, call))
		return own_stream(placing, call);
	for (size_t i = 0; i < trace->stream_count; i++) {
		const struct trace_stream *stream = &trace->streams[i];

		if (stream_handle_is_legacy(handle)
			    ? stream->flag == STREAM_NULL
			    : stream->handle == handle && stream->created_ns <= call->start_ns &&
				      stream->destroyed_ns >= call->start_ns)
			return stream;
	}
	return NULL;
}

/* Calls whose host functions are nodes, and the graph that launches run them with. */
static void find_graph_calls(struct placing *placing)
{
	const struct trace_loader *loader = placing->loader;

	for (size_t i = 0; i < loader->node_count; i++)
		if (loader->nodes[i].call != MAP_NONE)
			map_set(&placing->graph_calls, loader->nodes[i].call, GRAPH_NONE);
	for (size_t i = 0; i < loader->node_count; i++) {
		const struct trace_node *node = &loader->nodes[i];
		const struct trace_call *call;
		size_t index, before;

		if (map_find(&placing->first_launches, node->graph_id) == MAP_NONE)
			continue;
		call = trace_node_call(loader, node->id);
		/* CUPTI 13.0 gives captured nodes the kind 0. */
		if (!call || (!node->is_function && call->function->class != CLASS_HOST_FUNCTION))
			continue;
		index = (size_t)(call - loader->trace->calls);
		before = map_find(&placing->graph_calls, index);
		map_set(&placing->graph_calls, index,
			before == GRAPH_NONE || before == MAP_NONE ? node->graph_id
								   : GRAPH_SEVERAL);
	}
}

static int compare_launches(const void *a, const void *b)
{
	const struct launch *x = a, *y = b;

	if (x->graph_id != y->graph_id)
		return x->graph_id < y->graph_id ? -1 : 1;
	return (x->call > y->call) - (x->call < y->call);
}

static void collect_launches(struct placing *placing)
{
	const struct trace *trace = placing->loader->trace;
	struct map launches = {0}; /* call to its launch */

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t call = operation->call ? (size_t)(operation->call - trace->calls) : MAP_NONE;
		size_t graph =
			operation->call ? map_find(&placing->loader->launched, call) : MAP_NONE;
		size_t found;

		if (graph == MAP_NONE || graph == LAUNCHED_SEVERAL)
			continue;
		found = map_find(&launches, call);
		placing->launches =
			memory_grow(placing->launches, placing->launch_count,
				    &placing->launch_capacity, sizeof(*placing->launches));
		if (found == MAP_NONE) {
			found = placing->launch_count;
			map_add(&launches, call, found);
			placing->launches[placing->launch_count++] =
				(struct launch){(uint32_t)graph, operation->call, operation};
		}
		if (operation->end_ns > placing->launches[found].last->end_ns)
			placing->launches[found].last = operation;
	}
	if (placing->launch_count)
		qsort(placing->launches, placing->launch_count, sizeof(*placing->launches),
		      compare_launches);
	for (size_t i = 0; i < placing->launch_count; i++)
		map_add(&placing->first_launches, placing->launches[i].graph_id, i);
	map_free(&launches);
}

static void read_row(struct placing *placing, struct query *query)
{
	struct trace_loader *loader = placing->loader;
	struct trace *trace = loader->trace;
	struct trace_host_function *function;
	size_t index = trace->host_function_count++;
	size_t call = map_find(&loader->correlation_map, trace_read_id32(query, 3));

	trace->host_functions = memory_grow(trace->host_functions, index,
					    &loader->host_function_capacity, sizeof(*function));
	function = &trace->host_functions[index];
	*function = (struct trace_host_function){0};
	trace_read_times(loader, query, 0, &function->start_ns, &function->end_ns);
	if (call == MAP_NONE)
		return;
	function->call = &trace->calls[call];
	if (map_find(&placing->graph_calls, call) == MAP_NONE) {
		function->stream = stream_of(placing, query_bits(query, 2), function->call);
		return;
	}
	function->node_call = function->call;
	placing->runs = memory_grow(placing->runs, placing->run_count, &placing->run_capacity,
				    sizeof(*placing->runs));
	placing->runs[placing->run_count++] = (struct graph_run){call, index};
}

static int compare_runs(const void *a, const void *b)
{
	const struct graph_run *x = a, *y = b;

	if (x->node_call != y->node_call)
		return x->node_call < y->node_call ? -1 : 1;
	return (x->function > y->function) - (x->function < y->function);
}

/* What runs beside the launch's operations, or between them, holds what the graph says: that is not
 * in the trace. What runs behind them all holds the stream. */
static void place_run(const struct placing *placing, const struct launch *launch,
		      struct trace_host_function *function)
{
	const struct trace_stream *stream =
		stream_of(placing, launch->call->stream_handle, launch->call);

	if (function->start_ns < launch->last->end_ns || stream != launch->last->stream)
		return;
	function->call = launch->call;
	function->stream = stream;
}

/* The runs of one call's host function, which start in the order of the launches. Where their
 * numbers differ something was not recorded, and nothing is known. */
static void place_runs(const struct placing *placing, const struct graph_run *runs, size_t count)
{
	size_t graph = map_find(&placing->graph_calls, runs->node_call), launches = 0;
	size_t first = map_find(&placing->first_launches, graph);

	if (first == MAP_NONE)
		return;
	while (first + launches < placing->launch_count &&
	       placing->launches[first + launches].graph_id == graph)
		launches++;
	for (size_t i = 0; launches == count && i < count; i++)
		place_run(placing, &placing->launches[first + i],
			  &placing->loader->trace->host_functions[runs[i].function]);
}

void trace_read_host_functions(struct trace_loader *loader)
{
	struct placing placing = {.loader = loader};
	struct query query;

	if (loader->trace->schema_version < 1001)
		return;
	collect_own_work(&placing);
	collect_launches(&placing);
	find_graph_calls(&placing);
	query_open(&query, &loader->database, "host_functions",
		   "SELECT start_ns, end_ns, stream_handle, correlation_id FROM host_functions "
		   "ORDER BY start_ns, id");
	while (query_next(&query))
		read_row(&placing, &query);
	query_close(&query);
	if (placing.run_count)
		qsort(placing.runs, placing.run_count, sizeof(*placing.runs), compare_runs);
	for (size_t i = 0, end; i < placing.run_count; i = end) {
		for (end = i + 1; end < placing.run_count; end++)
			if (placing.runs[end].node_call != placing.runs[i].node_call)
				break;
		place_runs(&placing, &placing.runs[i], end - i);
	}
	free(placing.runs);
	free(placing.launches);
	free(placing.own);
	map_free(&placing.first_launches);
	map_free(&placing.graph_calls);
}
