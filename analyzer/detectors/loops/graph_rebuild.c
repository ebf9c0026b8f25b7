/*
 * WHAT: a line instantiates a CUDA graph, after one of the same kernels and copies that it had
 *   instantiated before was launched for the last time, again and again; mostly the graph is
 *   captured anew each time, too.
 * EVIDENCE: instances of the same call site whose first launches ran the same kernels and copies,
 *   where the earlier one was not launched any more when the later one was made: it could have been
 *   updated and launched again. At least so many of a site that it is no warm-up.
 * COST: the host's time from the beginning of the capture to the end of the instantiation. The fix
 *   also saves the destructions, cudaGraphUpload(), and the upload in the first launch, but for the
 *   share of the nodes whose arguments changed. An update of each of these stays, which takes as long
 *   as such calls take in the trace, or else as the capture of a launch does. The price says what is
 *   saved where the graph is captured again, and the instance updated by that; for the low end it
 *   is, and all nodes have changed.
 * FALSE POSITIVES: arguments in memory that the host passes by pointer, and structures, are not
 *   compared. A graph with the same kernels in another order cannot be updated to it.
 */
#include "base/memory.h"
#include "base/mix.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/loops/graph_builds.h"
#include "model/graph_launches.h"
#include "trace/site.h"

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
	const struct trace_call *upload;  /* cudaGraphUpload(), or NULL */
	const struct trace_call *launch;  /* its first launch */
	const struct trace_call *changed; /* the first call that captured another node, or NULL */
	uint32_t nodes, changes;	  /* changes: nodes to be updated */
};

static struct instance instance_of(const struct trace *trace, const struct graph_builds *builds,
				   const uint32_t *uses, const struct graph_build *build,
				   const struct graph_build *before)
{
	const struct trace_call *call = &trace->calls[build->call];
	bool has_source = build->source && uses[build->source - 1] == 1;
	const struct trace_call
		*changed = NULL,
		*first = has_source ? &trace->calls[builds->sources.items[build->source - 1].first]
				    : NULL;
	struct instance instance = {
		.span = {first ? first->start_ns : call->start_ns, call->end_ns},
		.site_call = call,
		.call = call};
	struct rebuild rebuild = {
		.first = first,
		.release = before->destroy ? &trace->calls[before->destroy - 1] : NULL,
		.upload = build->upload ? &trace->calls[build->upload - 1] : NULL,
		.launch = &trace->calls[build->first_launch - 1],
		.nodes = build->nodes,
		.changes = build->source && build->source == before->source ? 0 : build->nodes};

	if (rebuild.changes && has_source && before->source && uses[before->source - 1] == 1) {
		uint32_t changes = graph_builds_changes(builds, trace, build->source - 1,
							before->source - 1, &changed);

		if (changes < rebuild.changes) {
			rebuild.changes = changes;
			rebuild.changed = changed;
		}
	}
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

/* What fixes need to know of a run. */
struct fixing {
	const struct observed *observed;
	struct graph_builds builds;
	struct graph_launches launches;
	int64_t update_ns; /* of a node */
};

static struct fixing fixing_begin(const struct observed *observed)
{
	const struct trace *trace = observed->model->trace;
	struct fixing fixing = {.observed = observed,
				.builds = graph_builds_find(observed->model, LOOP_LEAST_TIMES + 1),
				.launches = graph_launches_of(trace)};

	if (fixing.builds.builds.count)
		fixing.update_ns = update_ns_of(trace, &fixing.builds);
	return fixing;
}

static void fixing_end(struct fixing *fixing)
{
	graph_builds_free(&fixing->builds);
	graph_launches_free(&fixing->launches);
}

/* The instance before is launched again, with so many changed nodes, which are uploaded anew. */
static void keep_instance(const struct fixing *fixing, const struct rebuild *rebuild,
			  uint32_t changes, struct edits *edits)
{
	const struct observed *observed = fixing->observed;
	const struct trace *trace = observed->model->trace;
	size_t launch = (size_t)(rebuild->launch - trace->calls);
	int64_t own_ns = evidence_of(observed->evidence, rebuild->launch).split.own_ns;
	int64_t upload_ns = graph_launches_upload_ns(&fixing->launches, trace, launch, own_ns);

	if (rebuild->release)
		edits_drop_call(edits, observed->model, rebuild->release);
	if (rebuild->upload)
		edits_drop_call(edits, observed->model, rebuild->upload);
	if (changes < rebuild->nodes)
		edits_set_call_time(
			edits, observed->model, rebuild->launch,
			graph_launches_bare_ns(&fixing->launches, trace, launch, own_ns) +
				(int64_t)((double)upload_ns * changes / rebuild->nodes));
}

/* In place of the instantiation; it takes no longer. */
static void set_update(const struct fixing *fixing, const struct instance *instance, int64_t nodes,
		       int64_t node_ns, struct edits *edits)
{
	int64_t most_ns = instance->call->end_ns - instance->call->start_ns;

	edits_set_call_time(edits, fixing->observed->model, instance->call,
			    nodes > most_ns / (node_ns + 1) ? most_ns : nodes * node_ns);
}

/* The graph is captured again, and the instance updated to it, which takes its time for nodes that changed. */
static void update_whole(const struct fixing *fixing, const struct instance *instance,
			 bool is_all_changed, struct edits *edits)
{
	struct rebuild rebuild = instance_detail(instance, struct rebuild);
	uint32_t changes = is_all_changed ? rebuild.nodes : rebuild.changes;

	keep_instance(fixing, &rebuild, changes, edits);
	set_update(fixing, instance, changes, GRAPH_UPDATE_NODE_NS, edits);
}

/* Only the changed nodes are set. */
static void update_nodes(const struct fixing *fixing, const struct instance *instance,
			 bool is_none_changed, struct edits *edits)
{
	struct rebuild rebuild = instance_detail(instance, struct rebuild);
	const struct model *model = fixing->observed->model;
	uint32_t changes = is_none_changed ? 0 : rebuild.changes;
	uint32_t at =
		rebuild.first ? fixing->builds.sources_of[rebuild.first - model->trace->calls] : 0;

	keep_instance(fixing, &rebuild, changes, edits);
	if (at)
		drop_source(model, &fixing->builds, &fixing->builds.sources.items[at - 1], edits);
	if (!changes)
		edits_drop_call(edits, model, instance->call);
	else
		set_update(fixing, instance, changes, fixing->update_ns, edits);
}

static void fix_graph_rebuilds(const struct observed *observed, const struct instance *instances,
			       size_t count, enum doubt doubt, struct edits *edits)
{
	struct fixing fixing = fixing_begin(observed);

	for (size_t i = 0; i < count && fixing.builds.builds.count; i++) {
		if (doubt == DOUBT_KEEP)
			update_whole(&fixing, &instances[i], true, edits);
		else
			update_nodes(&fixing, &instances[i], doubt == DOUBT_DROP, edits);
	}
	fixing_end(&fixing);
}

static bool capture_again(const struct observed *observed, const struct instance *instances,
			  size_t count, struct edits *edits)
{
	struct fixing fixing;
	bool has_capture = true;

	for (size_t i = 0; i < count; i++)
		has_capture &= instance_detail(&instances[i], struct rebuild).first != NULL;
	if (!has_capture)
		return false;
	fixing = fixing_begin(observed);
	for (size_t i = 0; i < count && fixing.builds.builds.count; i++)
		update_whole(&fixing, &instances[i], false, edits);
	fixing_end(&fixing);
	return true;
}

/* ", the first at app.cu:12" */
static void describe_changed(const struct trace *trace, const struct trace_call *changed,
			     char *text, size_t size)
{
	struct site site = site_describe(trace, changed->form->site, NULL);
	const char *slash = site.file ? strrchr(site.file, '/') : NULL;
	size_t length = strlen(text);

	if (site.file)
		snprintf(text + length, size - length, ", the first at %.48s:%d",
			 slash ? slash + 1 : site.file, site.line);
}

static void describe_graph_rebuild(const struct observed *observed, const struct instance *instance,
				   char *text, size_t size)
{
	struct rebuild rebuild = instance_detail(instance, struct rebuild);
	const struct trace_call *call = instance->call, *first = rebuild.first;
	struct format time, capture;
	uint32_t nodes = rebuild.nodes, changes = rebuild.changes;

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
	if (rebuild.changed)
		describe_changed(observed->model->trace, rebuild.changed, text, size);
}

const struct detector detector_graph_rebuild = {
	.id = "graph-rebuild",
	.title = "The same CUDA graph is built and instantiated again and again",
	.fix = "Instantiate the graph once, and launch it each time. Where arguments "
	       "change, set them with cudaGraphExecKernelNodeSetParams(), or capture again "
	       "and call cudaGraphExecUpdate().",
	.cost = "building",
	.low_end = "the graph may have to be captured each time, and all of its nodes updated",
	.pointers = {DETAIL_POINTER(struct rebuild, first), DETAIL_POINTER(struct rebuild, release),
		     DETAIL_POINTER(struct rebuild, upload), DETAIL_POINTER(struct rebuild, launch),
		     DETAIL_POINTER_ANYWHERE(struct rebuild, changed)},
	.find = find_graph_rebuilds,
	.apply = fix_graph_rebuilds,
	.ways = {{"captured again and updated by cudaGraphExecUpdate()", capture_again}},
	.way_of_all = "with only the changed nodes set",
	.describe = describe_graph_rebuild,
};
