/* TEMPORARY: the headline only. */
#include "not_seen.h"
#include "memory.h"

#include <stdlib.h>

struct edge {
	int64_t ns;
	int engine, step;
};

static int compare(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	return (x->ns > y->ns) - (x->ns < y->ns);
}

struct analysis *analysis_run(const struct trace *trace)
{
	struct analysis *a = memory_array(1, sizeof(*a));
	struct edge *edges = memory_array(trace->operation_count * 2, sizeof(*edges));
	int64_t first = INT64_MAX, last = INT64_MIN;
	int active[ENGINE_COUNT] = {0};
	size_t i, n = 0;

	for (i = 0; i < trace->call_count; i++) {
		if (trace->calls[i].start_ns < first)
			first = trace->calls[i].start_ns;
		if (trace->calls[i].end_ns > last)
			last = trace->calls[i].end_ns;
	}
	for (i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *o = &trace->operations[i];
		if (o->start_ns < first)
			first = o->start_ns;
		if (o->end_ns > last)
			last = o->end_ns;
		edges[n++] = (struct edge){o->start_ns, o->engine, 1};
		edges[n++] = (struct edge){o->end_ns, o->engine, -1};
	}
	if (first <= last) {
		a->origin_ns = first;
		a->wall_ns = last - first;
	}
	a->idle_ns = a->wall_ns;
	qsort(edges, n, sizeof(*edges), compare);
	for (i = 0; i < n; i++) {
		int64_t span = i ? edges[i].ns - edges[i - 1].ns : 0;
		int busy = 0, e;
		for (e = 0; e < ENGINE_COUNT; e++)
			if (active[e] > 0) {
				a->busy_ns[e] += span;
				busy++;
			}
		if (busy)
			a->idle_ns -= span;
		if (busy > 1)
			a->overlapped_ns += span;
		active[edges[i].engine] += edges[i].step;
	}
	free(edges);
	not_seen_collect(a, trace);
	return a;
}

void analysis_free(struct analysis *a)
{
	size_t i;
	for (i = 0; i < a->not_seen_count; i++) {
		free(a->not_seen[i].what);
		free(a->not_seen[i].why);
	}
	free(a->not_seen);
	free(a);
}
