/*
 * Finds which branches of a graph wait for which, in launches whose operations ran in several streams:
 * CUDA gives the branches of a graph streams of their own.
 *
 * Each branch waits for what was in the launch's stream before the launch, and what comes there next
 * waits for each branch. Between the branches are the edges of the graph. Where they are not known, or a
 * node ran several times in the launch (a loop, or one child graph at two places), an operation counts as
 * waiting for what ended last before it started.
 */
#include "trace/call_streams.h"
#include "trace/launch_edges.h"

struct member_end {
	int64_t end_ns;
	size_t member;
};

/* The launch at hand. */
struct launch {
	const struct launch_member *members; /* by start */
	size_t count;
	uint32_t stream; /* that the call names; NO_STREAM: unknown */
	/* waited: two streams to the last member of the second for which the first waits so far. branches: a stream
	 * to its first member, in a pass from the first member on or from the last one back. */
	struct map waited, branches;
};

struct pass {
	struct trace_loader *loader;
	const struct trace *trace;
	pending_wait_vector *waits;
	struct map streams; /* launches to their streams */
	struct map several; /* launches that ran in several streams */
	launch_members members;
	/* Of the launch at hand: nodes and streams_of by member, as launch_edges_each() takes them; ends, the earliest
	 * first. */
	VECTOR(const struct trace_graph_node *) nodes;
	VECTOR(uint32_t) streams_of;
	VECTOR(struct member_end) ends;
	struct launch_edges edges;
	struct launch launch;
};

static uint32_t stream_of(const struct pass *pass, const struct trace_operation *operation)
{
	return trace_stream_of_row(pass->loader, trace_row_form(operation));
}

/* What is among the calls. */
struct wanted {
	bool is_any, has_default;
};

static void look_at_form(void *context, void *of_calls)
{
	const struct trace_call_form *form = of_calls;
	struct wanted *wanted = context;

	if (form->function->class != CLASS_GRAPH_LAUNCH)
		return;
	wanted->is_any = true;
	wanted->has_default |= call_streams_is_default(form);
}

static void find_streams(struct pass *pass, bool has_default)
{
	struct call_streams streams = call_streams_of(pass->loader, has_default);

	for (size_t i = 0; i < pass->trace->call_count; i++) {
		const struct trace_call *call = &pass->trace->calls[i];

		call_streams_pass(&streams, call);
		if (trace_is_graph_launch(call) && call->operation)
			map_add(&pass->streams, i, call_streams_find(&streams, call));
	}
	call_streams_free(&streams);
}

/* Which launches did not run in their own stream alone; of an unknown stream, in that of the first
 * operation alone. */
static void find_several(struct pass *pass)
{
	for (size_t i = 0; i < pass->trace->operation_count; i++) {
		const struct trace_operation *operation = &pass->trace->operations[i];
		size_t call, stream;

		if (!trace_is_graph_launch(operation->call))
			continue;
		call = (size_t)(operation->call - pass->trace->calls);
		stream = map_find(&pass->streams, call);
		if (stream == NO_STREAM)
			stream = stream_of(pass, operation->call->operation);
		if (stream_of(pass, operation) != stream)
			map_add(&pass->several, call, 1);
	}
}

static void gather_members(struct pass *pass)
{
	for (size_t i = 0; i < pass->trace->operation_count; i++) {
		const struct trace_call *call = pass->trace->operations[i].call;

		if (trace_is_graph_launch(call) &&
		    map_find(&pass->several, (size_t)(call - pass->trace->calls)) != MAP_NONE)
			*vector_add(&pass->members) = (struct launch_member){
				(uint32_t)(call - pass->trace->calls), (uint32_t)i};
	}
	launch_members_sort(&pass->members);
}

/* The member's node; NULL: it is unknown or has no edges. */
static const struct trace_graph_node *node_of(const struct pass *pass,
					      const struct trace_operation *operation)
{
	const int64_t node_id = trace_row_form(operation)->node_id;

	return node_id == ROW_NULL ? NULL : trace_find_graph_node(pass->loader, (uint64_t)node_id);
}

/* before, behind: members; NULL: all that was in the recorder before the launch, or comes in the waiter
 * behind it. */
static void add_wait(const struct pass *pass, uint32_t recorder, uint32_t waiter,
		     const struct launch_member *before, const struct launch_member *behind)
{
	const struct trace_call *call = &pass->trace->calls[pass->launch.members->call];

	*vector_add(pass->waits) = (struct pending_wait){
		.wait_ns = call->start_ns,
		.recording = call,
		.waiting = call,
		.recorder = recorder,
		.waiter = waiter,
		.before = before ? before->operation + 1 : 0,
		.behind = behind ? behind->operation + 1 : 0,
	};
}

/* Streams run their own operations in order: a later one has been waited for with those before it. */
static void take_edge(void *context, size_t before, size_t behind)
{
	struct pass *pass = context;
	struct map *waited = &pass->launch.waited;
	const struct launch_member *first = &pass->launch.members[before];
	const struct launch_member *second = &pass->launch.members[behind];
	const struct trace_operation *operations = pass->trace->operations;
	const uint32_t recorder = pass->streams_of.items[before];
	const uint32_t waiter = pass->streams_of.items[behind];
	const uint64_t streams = (uint64_t)waiter << 32 | recorder;
	const size_t last = map_find(waited, streams);

	if (recorder == waiter || (last != MAP_NONE && last >= before) ||
	    operations[first->operation].end_ns > operations[second->operation].start_ns)
		return;
	map_set(waited, streams, before);
	add_wait(pass, recorder, waiter, first, second);
}

static int compare_ends(const void *a, const void *b)
{
	const struct member_end *x = a, *y = b;

	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return (x->member > y->member) - (x->member < y->member);
}

static void guess_edges(struct pass *pass)
{
	const struct launch *launch = &pass->launch;
	const struct trace_operation *operations = pass->trace->operations;
	size_t ended = 0;

	pass->ends.count = 0;
	for (size_t i = 0; i < launch->count; i++)
		*vector_add(&pass->ends) =
			(struct member_end){operations[launch->members[i].operation].end_ns, i};
	vector_sort(&pass->ends, compare_ends);
	for (size_t i = 0; i < launch->count; i++) {
		const int64_t start_ns = operations[launch->members[i].operation].start_ns;

		while (ended < launch->count && pass->ends.items[ended].end_ns <= start_ns)
			ended++;
		if (ended && pass->ends.items[ended - 1].member < i)
			take_edge(pass, pass->ends.items[ended - 1].member, i);
	}
}

/* Between the launch's stream and the others: from the first of the branch, or to the last. */
static void add_border(struct pass *pass, size_t at, bool is_begin)
{
	struct launch *launch = &pass->launch;
	const struct launch_member *member = &launch->members[at];
	const uint32_t stream = pass->streams_of.items[at];

	if (stream == launch->stream || launch->stream == NO_STREAM ||
	    !map_add(&launch->branches, stream, at))
		return;
	if (is_begin)
		add_wait(pass, launch->stream, stream, NULL, member);
	else
		add_wait(pass, stream, launch->stream, member, NULL);
}

static void take_launch(struct pass *pass)
{
	struct launch *launch = &pass->launch;

	pass->nodes.count = pass->streams_of.count = 0;
	for (size_t i = 0; i < launch->count; i++) {
		const struct trace_operation *operation =
			&pass->trace->operations[launch->members[i].operation];

		*vector_add(&pass->nodes) = node_of(pass, operation);
		*vector_add(&pass->streams_of) = stream_of(pass, operation);
		add_border(pass, i, true);
	}
	if (!launch_edges_each(&pass->edges, pass->nodes.items, launch->count, take_edge, pass))
		guess_edges(pass);
	map_free(&launch->branches);
	for (size_t i = launch->count; i-- > 0;)
		add_border(pass, i, false);
	map_free(&launch->branches);
	map_free(&launch->waited);
}

void trace_waits_of_graphs(struct trace_loader *loader, pending_wait_vector *waits)
{
	struct pass pass = {.loader = loader, .trace = loader->trace, .waits = waits};
	struct wanted wanted = {0};

	for (size_t i = 0; i < CONNECTIONS_MOST; i++)
		forms_each(&loader->trace->private->call_forms[i], look_at_form, &wanted);
	if (!wanted.is_any)
		return;
	find_streams(&pass, wanted.has_default);
	find_several(&pass);
	if (pass.several.count) {
		gather_members(&pass);
		pass.edges = launch_edges_of(loader->trace);
	}
	for (size_t first = 0, end; first < pass.members.count; first = end) {
		const struct launch_member *members = &pass.members.items[first];

		end = launch_members_end(&pass.members, first);
		pass.launch =
			(struct launch){.members = members,
					.count = end - first,
					.stream = (uint32_t)map_find(&pass.streams, members->call)};
		take_launch(&pass);
	}
	launch_edges_free(&pass.edges);
	vector_free(&pass.members);
	vector_free(&pass.nodes);
	vector_free(&pass.streams_of);
	vector_free(&pass.ends);
	map_free(&pass.streams);
	map_free(&pass.several);
}
