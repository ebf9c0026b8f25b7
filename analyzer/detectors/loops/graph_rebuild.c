/*
 * WHAT: a line instantiates a CUDA graph, after one of the same kernels and copies that it had
 *   instantiated before was launched for the last time, again and again; mostly the graph is
 *   captured anew each time, too.
 * EVIDENCE: instances of the same call site whose first launches ran the same kernels and copies,
 *   where the earlier one was not launched any more when the later one was made: it could have been
 *   updated and launched again. At least so many of a site that it is no warm-up.
 * COST: the host's time from the beginning of the capture to the end of the instantiation. The fix
 *   also saves the destructions, and cudaGraphUpload(). An update stays for each node whose
 *   arguments changed, which takes as long as such calls take in the trace, or else as the capture
 *   of a launch does. For the low end the graph is still captured, and the whole of it is updated.
 * FALSE POSITIVES: arguments in memory that the host passes by pointer, and structures, are not
 *   compared. A graph with the same kernels in another order cannot be updated to it.
 */
#include "base/memory.h"
#include "base/mix.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/loops/graph_builds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The instances of a call site that ran equal work and have not been replaced yet, the earliest
 * first; indexes in builds plus one. */
struct group {
	uint32_t first, last;
};

struct pairing {
	const struct trace *trace;
	const struct graph_builds *builds;
	struct map at; /* call site and shape to index in groups */
	VECTOR(struct group) groups;
	uint32_t *next;	    /* by build: the one behind it in its group, plus one */
	uint32_t *replaced; /* by build: the one that it replaced, plus one */
	uint32_t *counts;   /* by call site: of pairs */
};

static struct group *group_of(struct pairing *pairing, uint32_t site,
			      const struct graph_build *build)
{
	uint64_t key = mix(mix(mix(0, site), build->shape), build->nodes);
	size_t found = map_find(&pairing->at, key);

	if (found != MAP_NONE)
		return &pairing->groups.items[found];
	map_set(&pairing->at, key, pairing->groups.count);
	*vector_add(&pairing->groups) = (struct group){0, 0};
	return &pairing->groups.items[pairing->groups.count - 1];
}

static void pair_builds(struct pairing *pairing, uint32_t at)
{
	const struct graph_build *builds = pairing->builds->builds.items, *build = &builds[at];
	const struct trace_site *site = pairing->trace->calls[build->call].form->site;
	struct group *group;

	if (!build->first_launch || !site)
		return;
	group = group_of(pairing, (uint32_t)(site - pairing->trace->sites), build);
	if (group->first && builds[group->first - 1].last_launch <= build->call) {
		pairing->replaced[at] = group->first;
		pairing->counts[site - pairing->trace->sites]++;
		group->first = pairing->next[group->first - 1];
	}
	if (group->first)
		pairing->next[group->last - 1] = at + 1;
	else
		group->first = at + 1;
	group->last = at + 1;
}

/* How many instances were made from each source. */
static uint32_t *count_uses(const struct graph_builds *builds)
{
	uint32_t *uses = memory_array(builds->sources.count, sizeof(*uses));

	for (size_t i = 0; i < builds->builds.count; i++)
		if (builds->builds.items[i].source)
			uses[builds->builds.items[i].source - 1]++;
	return uses;
}

/* Of an instance, whose call instantiated a graph. */
struct rebuild {
	/* first: the first call that captured or added its nodes, if nothing else was instantiated
	 * from them. release: cudaGraphExecDestroy() of the instance that could have been updated.
	 * Either may be NULL. */
	const struct trace_call *first, *release;
	const struct trace_call *upload; /* cudaGraphUpload(), or NULL */
	uint32_t nodes, changes;	 /* changes: nodes to be updated */
};

static struct instance instance_of(const struct trace *trace, const struct graph_builds *builds,
				   const uint32_t *uses, const struct graph_build *build,
				   const struct graph_build *before)
{
	const struct trace_call *call = &trace->calls[build->call];
	bool has_source = build->source && uses[build->source - 1] == 1;
	uint32_t changes = UINT32_MAX;
	const struct trace_call *first =
		has_source ? &trace->calls[builds->sources.items[build->source - 1].first] : NULL;
	struct instance instance = {
		.span = {first ? first->start_ns : call->start_ns, call->end_ns},
		.site_call = call,
		.call = call};
	struct rebuild rebuild = {
		.first = first,
		.release = before->destroy ? &trace->calls[before->destroy - 1] : NULL,
		.upload = build->upload ? &trace->calls[build->upload - 1] : NULL,
		.nodes = build->nodes,
		.changes = build->source && build->source == before->source ? 0 : build->nodes};

	if (rebuild.changes && has_source && before->source && uses[before->source - 1] == 1)
		changes =
			graph_builds_changes(builds, trace, build->source - 1, before->source - 1);
	if (changes < rebuild.changes)
		rebuild.changes = changes;
	instance.detail = INSTANCE_DETAIL_OF(rebuild);
	return instance;
}

static void find_pairs(const struct trace *trace, const struct graph_builds *builds,
		       struct instances *found)
{
	size_t count = builds->builds.count;
	struct pairing pairing = {
		.trace = trace,
		.builds = builds,
		.next = memory_array(count, sizeof(uint32_t)),
		.replaced = memory_array(count, sizeof(uint32_t)),
		.counts = memory_array(trace->site_count, sizeof(uint32_t)),
	};
	uint32_t *uses = count_uses(builds);

	for (size_t i = 0; i < count; i++)
		pair_builds(&pairing, (uint32_t)i);
	for (size_t i = 0; i < count; i++) {
		const struct graph_build *build = &builds->builds.items[i];
		const struct trace_site *site = trace->calls[build->call].form->site;

		if (pairing.replaced[i] && pairing.counts[site - trace->sites] >= LOOP_LEAST_TIMES)
			instance_add(found,
				     instance_of(trace, builds, uses, build,
						 &builds->builds.items[pairing.replaced[i] - 1]));
	}
	free(uses);
	free(pairing.counts);
	free(pairing.replaced);
	free(pairing.next);
	vector_free(&pairing.groups);
	map_free(&pairing.at);
}

static void find_graph_rebuilds(const struct observed *observed, struct instances *found)
{
	struct graph_builds builds = graph_builds_find(observed->model, LOOP_LEAST_TIMES + 1);

	if (builds.builds.count)
		find_pairs(observed->model->trace, &builds, found);
	graph_builds_free(&builds);
}

/* What updating a node takes: as in the trace, or as capturing a launch. */
static int64_t update_ns_of(const struct trace *trace, const struct graph_builds *builds)
{
	int64_t updates_ns = 0, captured_ns = 0, updates = 0, captured = 0;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (call->form->function->class == CLASS_GRAPH_UPDATE &&
		    strstr(call->form->function->name, "SetParams")) {
			updates_ns += call->end_ns - call->start_ns;
			updates++;
		} else if (call->form->function->class == CLASS_LAUNCH && builds->sources_of[i]) {
			captured_ns += call->end_ns - call->start_ns;
			captured++;
		}
	}
	if (updates)
		return updates_ns / updates;
	return captured ? captured_ns / captured : 0;
}

/* The graph is not made: neither its capture, nor the host's work in it. */
static void drop_source(const struct model *model, const struct graph_builds *builds,
			const struct graph_source *source, struct edits *edits)
{
	const struct trace_call *calls = model->trace->calls;
	bool is_capture = calls[source->first].form->function->class == CLASS_GRAPH_CAPTURE;

	for (uint32_t i = source->first + 1; i; i = builds->next[i - 1]) {
		edits_drop_call(edits, model, &calls[i - 1]);
		if (is_capture && i - 1 != source->first)
			edits_drop_work(edits, model, &calls[i - 1]);
	}
	if (source->destroy)
		edits_drop_call(edits, model, &calls[source->destroy - 1]);
}

/* The first launch of an instance uploads it, which takes some 1.0 us a node on an H200, and stays.
 * CUPTI makes an instantiation slower by some 1.4 us a node there: the two errors are opposite. */
static void apply_to(const struct model *model, const struct graph_builds *builds,
		     const struct instance *instance, int64_t update_ns, enum doubt doubt,
		     struct edits *edits)
{
	struct rebuild rebuild = instance_detail(instance, struct rebuild);
	const struct trace_call *calls = model->trace->calls, *call = instance->call;
	const struct trace_call *first = rebuild.first;
	uint32_t at = first ? builds->sources_of[first - calls] : 0;
	int64_t nodes = rebuild.changes, own_ns = call->end_ns - call->start_ns;

	if (rebuild.release)
		edits_drop_call(edits, model, rebuild.release);
	if (rebuild.upload)
		edits_drop_call(edits, model, rebuild.upload);
	if (doubt == DOUBT_KEEP)
		nodes = rebuild.nodes;
	else if (at)
		drop_source(model, builds, &builds->sources.items[at - 1], edits);
	if (doubt == DOUBT_DROP || !nodes)
		edits_drop_call(edits, model, call);
	else
		edits_set_call_time(edits, model, call,
				    nodes > own_ns / (update_ns + 1) ? own_ns : nodes * update_ns);
}

static void fix_graph_rebuilds(const struct observed *observed, const struct instance *instances,
			       size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	struct graph_builds builds = graph_builds_find(model, LOOP_LEAST_TIMES + 1);
	int64_t update_ns;

	if (builds.builds.count) {
		update_ns = update_ns_of(model->trace, &builds);
		for (size_t i = 0; i < count; i++)
			apply_to(model, &builds, &instances[i], update_ns, doubt, edits);
	}
	graph_builds_free(&builds);
}

static void describe_graph_rebuild(const struct observed *observed, const struct instance *instance,
				   char *text, size_t size)
{
	struct rebuild rebuild = instance_detail(instance, struct rebuild);
	const struct trace_call *call = instance->call, *first = rebuild.first;
	struct format time, capture;
	uint32_t nodes = rebuild.nodes, changes = rebuild.changes;

	(void)observed;
	snprintf(text, size, "%s took %s", call->form->function->name,
		 format_time(&time, call->end_ns - call->start_ns));
	if (first)
		snprintf(text + strlen(text), size - strlen(text), " behind a capture of %s",
			 format_time(&capture, call->start_ns - first->start_ns));
	snprintf(text + strlen(text), size - strlen(text),
		 ", for a graph of %u node%s like one before", nodes, nodes == 1 ? "" : "s");
	if (first && !changes)
		snprintf(text + strlen(text), size - strlen(text), " with the same arguments");
	else if (first)
		snprintf(text + strlen(text), size - strlen(text), " with %u changed", changes);
}

const struct detector detector_graph_rebuild = {
	.id = "graph-rebuild",
	.title = "The same CUDA graph is built and instantiated again and again",
	.fix = "Instantiate the graph once, and launch it each time. Where arguments "
	       "change, set them with cudaGraphExecKernelNodeSetParams(), or capture again "
	       "and call cudaGraphExecUpdate().",
	.cost = "building",
	.low_end = "the graph may have to be captured and updated each time",
	.pointers = {DETAIL_POINTER(struct rebuild, first), DETAIL_POINTER(struct rebuild, release),
		     DETAIL_POINTER(struct rebuild, upload)},
	.find = find_graph_rebuilds,
	.apply = fix_graph_rebuilds,
	.describe = describe_graph_rebuild,
};
