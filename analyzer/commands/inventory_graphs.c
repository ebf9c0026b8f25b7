#include "commands/inventory_graphs.h"

#include "base/median.h"
#include "base/minmax.h"
#include "render/render.h"
#include "trace/launch_edges.h"

#include <stdlib.h>

/* What is known of the launches of one line. */
struct line {
	const struct trace_site *site;
	size_t launches;
	int64_t all_ns; /* of all launches */
	VECTOR(int64_t) nodes, streams, time_ns, path_ns;
};

/* A pass over the launches. ready_ns: of the launch at hand, by member: the end of the longest path to it. */
struct pass {
	const struct trace *trace;
	struct launch_edges edges;
	VECTOR(struct line) lines;
	struct map line_of; /* by site */
	VECTOR(const struct trace_graph_node *) nodes;
	VECTOR(int64_t) ready_ns;
	const struct launch_member *members;
};

static const struct trace_operation *operation_of(const struct pass *pass, size_t member)
{
	return &pass->trace->operations[pass->members[member].operation];
}

static int64_t path_to(const struct pass *pass, size_t member)
{
	const struct trace_operation *operation = operation_of(pass, member);

	return pass->ready_ns.items[member] + operation->end_ns - operation->start_ns;
}

/* Edges lead to the members in turn: what leads to an earlier one is known. */
static void take_edge(void *context, size_t before, size_t behind)
{
	struct pass *pass = context;
	int64_t *ready_ns = &pass->ready_ns.items[behind];

	*ready_ns = max_ns(*ready_ns, path_to(pass, before));
}

/* Whether the node begins when its kernel says so, by a programmatic edge, and not when those before it are done. */
static bool begins_by_kernel(const struct trace_graph_node *node)
{
	bool begins_by_kernel = false;

	for (uint32_t i = 0; node && i < node->before_count; i++)
		begins_by_kernel |= node->before[i].kind != GRAPH_EDGE_FULL &&
				    node->before[i].kind != GRAPH_EDGE_TO_CHILD;
	return begins_by_kernel;
}

/* The longest path, or -1. */
static int64_t path_of(struct pass *pass, size_t count)
{
	int64_t path_ns = 0;

	pass->nodes.count = pass->ready_ns.count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct trace_graph_node *node = operation_of(pass, i)->form->node;

		if (begins_by_kernel(node))
			return -1;
		*vector_add(&pass->nodes) = node;
		*vector_add(&pass->ready_ns) = 0;
	}
	if (!launch_edges_each(&pass->edges, pass->nodes.items, count, take_edge, pass))
		return -1;
	for (size_t i = 0; i < count; i++)
		path_ns = max_ns(path_ns, path_to(pass, i));
	return path_ns;
}

static int64_t count_streams(const struct pass *pass, size_t count)
{
	struct map streams = {0};
	int64_t found;

	for (size_t i = 0; i < count; i++)
		map_add(&streams, (uintptr_t)operation_of(pass, i)->form->stream, i);
	found = (int64_t)streams.count;
	map_free(&streams);
	return found;
}

static struct line *line_of(struct pass *pass, const struct trace_site *site)
{
	if (map_add(&pass->line_of, (uintptr_t)site, pass->lines.count))
		*vector_add(&pass->lines) = (struct line){.site = site};
	return &pass->lines.items[map_find(&pass->line_of, (uintptr_t)site)];
}

static void take_launch(struct pass *pass, size_t count)
{
	const struct trace_call *call = &pass->trace->calls[pass->members->call];
	struct line *line = line_of(pass, call->form->site);
	int64_t end_ns = INT64_MIN, time_ns;

	for (size_t i = 0; i < count; i++)
		end_ns = max_ns(end_ns, operation_of(pass, i)->end_ns);
	time_ns = end_ns - operation_of(pass, 0)->start_ns;
	line->launches++;
	line->all_ns += time_ns;
	*vector_add(&line->nodes) = (int64_t)count;
	*vector_add(&line->streams) = count_streams(pass, count);
	*vector_add(&line->time_ns) = time_ns;
	*vector_add(&line->path_ns) = path_of(pass, count);
}

static int compare_lines(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return (x->all_ns < y->all_ns) - (x->all_ns > y->all_ns);
}

/* Frees what the line has. */
static struct inventory_graph graph_of(const struct trace *trace, struct line *line)
{
	const size_t count = line->launches;
	const struct inventory_graph graph = {
		.site = site_describe(trace, line->site, NULL),
		.launches = count,
		.nodes = median_ns(line->nodes.items, count),
		.streams = median_ns(line->streams.items, count),
		.time_ns = median_ns(line->time_ns.items, count),
		.path_ns = median_ns(line->path_ns.items, count),
	};

	vector_free(&line->nodes);
	vector_free(&line->streams);
	vector_free(&line->time_ns);
	vector_free(&line->path_ns);
	return graph;
}

inventory_graphs inventory_graphs_count(const struct trace *trace)
{
	struct pass pass = {.trace = trace, .edges = launch_edges_of(trace)};
	launch_members members = {0};
	inventory_graphs graphs = {0};

	for (size_t i = 0; i < trace->operation_count; i++)
		if (trace_is_graph_launch(trace->operations[i].call))
			*vector_add(&members) = (struct launch_member){
				(uint32_t)(trace->operations[i].call - trace->calls), (uint32_t)i};
	launch_members_sort(&members);
	for (size_t first = 0, end; first < members.count; first = end) {
		pass.members = &members.items[first];
		end = launch_members_end(&members, first);
		take_launch(&pass, end - first);
	}
	vector_sort(&pass.lines, compare_lines);
	for (size_t i = 0; i < pass.lines.count; i++)
		*vector_add(&graphs) = graph_of(trace, &pass.lines.items[i]);
	vector_free(&members);
	vector_free(&pass.lines);
	vector_free(&pass.nodes);
	vector_free(&pass.ready_ns);
	map_free(&pass.line_of);
	launch_edges_free(&pass.edges);
	return graphs;
}

json_t *inventory_graphs_json(const struct trace *trace, const inventory_graphs *graphs)
{
	json_t *array = json_array();

	for (size_t i = 0; i < graphs->count; i++) {
		const struct inventory_graph *graph = &graphs->items[i];
		char *place = render_site(trace, &graph->site);

		json_array_append_new(
			array,
			json_pack("{s:s, s:I, s:I, s:I, s:I, s:o}", "place", place, "launches",
				  (json_int_t)graph->launches, "nodes", (json_int_t)graph->nodes,
				  "streams", (json_int_t)graph->streams, "time_ns",
				  (json_int_t)graph->time_ns, "critical_path_ns",
				  graph->path_ns < 0 ? json_null() : json_integer(graph->path_ns)));
		free(place);
	}
	return array;
}
