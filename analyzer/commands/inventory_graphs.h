/*
 * The CUDA graphs that a trace saw launched, by the line that launches them: how many operations they are,
 * how long a launch takes on the device, and how long it would take if each operation waited for nothing but the
 * graph's edges. One thread.
 */
#ifndef STREAMTRACE_INVENTORY_GRAPHS_H
#define STREAMTRACE_INVENTORY_GRAPHS_H

#include "base/vector.h"
#include "trace/site.h"

#include <jansson.h>

struct inventory_graph {
	struct site site; /* of the launches */
	size_t launches;
	/* Of a launch, medians: its operations, the streams that they ran in, the time from the first's start to
	 * the last's end, and the longest path of operations along edges, whose times are as they were. -1: the
	 * edges are not known (trace/launch_edges.h), or one is a programmatic dependent launch's. */
	int64_t nodes, streams, time_ns, path_ns;
};

typedef VECTOR(struct inventory_graph) inventory_graphs;

/* Returns what took the device most time first; free by vector_free(). Graphs recorded as one operation count
 * as one of one node. */
inventory_graphs inventory_graphs_count(const struct trace *trace);

/* Returns them as a JSON array of info_schema (render/render.h), which the caller releases. */
json_t *inventory_graphs_json(const struct trace *trace, const inventory_graphs *graphs);

#endif
