/*
 * Finds the stream that each host function stalled.
 *
 * A row has the stream handle of its call. If that means the thread's own default stream, it is the
 * stream in which the thread's other work ran. A node of a graph runs in the graph's launches, and
 * its rows name the call that captured or added it: its runs belong to the launches, one each, in
 * order.
 */
#include "base/parallel.h"
#include "base/search.h"
#include "trace/loader.h"
#include "trace/stream_handle.h"

#include <assert.h>
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

struct joining {
	struct trace_loader *loader;
	/* From calls that captured or added host functions to the one executable graph that has
	 * them; or to none, or several. */
	struct map graph_calls;
	VECTOR(struct own_work) own;	/* by thread and time */
	VECTOR(struct launch) launches; /* by graph, in order */
	struct map first_launches;	/* graph to its first launch */
	VECTOR(struct graph_run) runs;	/* by call, in order */
	VECTOR(struct trace_host_function) functions;
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

static void collect_own_work(struct joining *joining)
{
	const struct trace *trace = joining->loader->trace;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		const struct trace_call *call = operation->call;

		if (!call || !call->form->has_stream ||
		    !is_own_stream(call->form->stream_handle, call))
			continue;
		*vector_add(&joining->own) = (struct own_work){
			call->form->thread_id, call->start_ns, operation->form->stream};
	}
	vector_sort(&joining->own, compare_own);
}

/* The last that the thread used by then, or the first after it: it may use several devices. */
static const struct trace_stream *own_stream(const struct joining *joining,
					     const struct trace_call *call)
{
	const struct own_work wanted = {.thread_id = call->form->thread_id,
					.time_ns = call->start_ns};
	const struct own_work *own = joining->own.items;
	size_t low = search(joining->own.count, i, compare_own(&own[i], &wanted) <= 0);

	if (low > 0 && own[low - 1].thread_id == call->form->thread_id)
		return own[low - 1].stream;
	return low < joining->own.count && own[low].thread_id == call->form->thread_id
		       ? own[low].stream
		       : NULL;
}

static const struct trace_stream *stream_of(const struct joining *joining, uint64_t handle,
					    const struct trace_call *call)
{
	const struct trace *trace = joining->loader->trace;

	if (is_own_stream(handle, call))
		return own_stream(joining, call);
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
static void find_graph_calls(struct joining *joining)
{
	const struct trace_loader *loader = joining->loader;

	for (size_t i = 0; i < loader->nodes.count; i++)
		if (loader->nodes.items[i].call != MAP_NONE)
			map_set(&joining->graph_calls, loader->nodes.items[i].call, GRAPH_NONE);
	for (size_t i = 0; i < loader->nodes.count; i++) {
		const struct trace_node *node = &loader->nodes.items[i];
		const struct trace_call *call;
		size_t index, before;

		if (map_find(&joining->first_launches, node->graph_id) == MAP_NONE)
			continue;
		call = trace_node_call(loader, node->id);
		/* CUPTI 13.0 gives captured nodes the kind 0. */
		if (!call ||
		    (!node->is_function && call->form->function->class != CLASS_HOST_FUNCTION))
			continue;
		index = (size_t)(call - loader->trace->calls);
		before = map_find(&joining->graph_calls, index);
		map_set(&joining->graph_calls, index,
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

static void collect_launches(struct joining *joining)
{
	const struct trace *trace = joining->loader->trace;
	struct map launches = {0}; /* call to its launch */

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t call = operation->call ? (size_t)(operation->call - trace->calls) : MAP_NONE;
		size_t graph =
			operation->call ? map_find(&joining->loader->launched, call) : MAP_NONE;
		size_t found;

		if (graph == MAP_NONE || graph == LAUNCHED_SEVERAL)
			continue;
		found = map_find(&launches, call);
		if (found >= joining->launches.count) { /* as MAP_NONE is */
			found = joining->launches.count;
			map_add(&launches, call, found);
			*vector_add(&joining->launches) =
				(struct launch){(uint32_t)graph, operation->call, operation};
		}
		assert(found < joining->launches.count);
		if (operation->end_ns > joining->launches.items[found].last->end_ns)
			joining->launches.items[found].last = operation;
	}
	vector_sort(&joining->launches, compare_launches);
	for (size_t i = 0; i < joining->launches.count; i++)
		map_add(&joining->first_launches, joining->launches.items[i].graph_id, i);
	map_free(&launches);
}

static void take_function(struct joining *joining, const struct host_functions_row *row)
{
	const struct trace_loader *loader = joining->loader;
	size_t call = trace_find_correlated(loader, row->correlation_id);
	struct trace_host_function *function = vector_add(&joining->functions);

	*function = (struct trace_host_function){.start_ns = row->start_ns,
						 .end_ns = row->end_ns,
						 .thread_id = (uint32_t)row->thread_id};
	if (call == MAP_NONE)
		return;
	function->call = &loader->trace->calls[call];
	if (map_find(&joining->graph_calls, call) == MAP_NONE) {
		function->stream = stream_of(joining, row_bits(row->stream_handle), function->call);
		return;
	}
	function->node_call = function->call;
	*vector_add(&joining->runs) = (struct graph_run){call, joining->functions.count - 1};
}

static void collect_functions(void *context, size_t what)
{
	if (what)
		collect_launches(context);
	else
		collect_own_work(context);
}

static void read_functions(struct joining *joining)
{
	struct trace_loader *loader = joining->loader;
	struct host_functions_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_host_functions, "ORDER BY start_ns, id");
	while (rows_next_host_functions(&rows, &row)) {
		if (!joining->functions.count) {
			parallel_run(2, collect_functions, joining);
			find_graph_calls(joining);
		}
		trace_check_times(&loader->duration_ns, &rows, row.start_ns, row.end_ns);
		take_function(joining, &row);
	}
	rows_close(&rows);
	vector_move(&joining->functions, loader->trace->host_functions,
		    loader->trace->host_function_count);
}

static int compare_runs(const void *a, const void *b)
{
	const struct graph_run *x = a, *y = b;

	if (x->node_call != y->node_call)
		return x->node_call < y->node_call ? -1 : 1;
	return (x->function > y->function) - (x->function < y->function);
}

/* A function that runs beside or between the launch's operations stalls what follows it in the
 * graph, which the trace does not have. One that runs after all of them stalls the stream. */
static void join_run(const struct joining *joining, const struct launch *launch,
		     struct trace_host_function *function)
{
	const struct trace_stream *stream =
		stream_of(joining, launch->call->form->stream_handle, launch->call);

	if (function->start_ns < launch->last->end_ns || stream != launch->last->form->stream)
		return;
	function->call = launch->call;
	function->stream = stream;
}

/* Joins the runs of one call's host function with the launches, in order. If their numbers differ,
 * something was not recorded, and nothing is known. */
static void join_runs(const struct joining *joining, const struct graph_run *runs, size_t count)
{
	size_t graph = map_find(&joining->graph_calls, runs->node_call), launches = 0;
	size_t first = map_find(&joining->first_launches, graph);

	if (first == MAP_NONE)
		return;
	while (first + launches < joining->launches.count &&
	       joining->launches.items[first + launches].graph_id == graph)
		launches++;
	for (size_t i = 0; launches == count && i < count; i++)
		join_run(joining, &joining->launches.items[first + i],
			 &joining->loader->trace->host_functions[runs[i].function]);
}

void trace_read_host_functions(struct trace_loader *loader)
{
	struct joining joining = {.loader = loader};
	const struct graph_run *runs;

	read_functions(&joining);
	vector_sort(&joining.runs, compare_runs);
	runs = joining.runs.items;
	for (size_t i = 0, end; i < joining.runs.count; i = end) {
		for (end = i + 1; end < joining.runs.count; end++)
			if (runs[end].node_call != runs[i].node_call)
				break;
		join_runs(&joining, &runs[i], end - i);
	}
	vector_free(&joining.runs);
	vector_free(&joining.launches);
	vector_free(&joining.own);
	map_free(&joining.first_launches);
	map_free(&joining.graph_calls);
}
