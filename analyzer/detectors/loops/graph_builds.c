#include "detectors/loops/graph_builds.h"

#include "base/memory.h"
#include "base/mix.h"

#include <stdlib.h>
#include <string.h>

/* MAP_NONE cannot be the value of a map. */
#define NO_SOURCE (MAP_NONE - 1)

struct building {
	const struct trace *trace;
	struct graph_builds *found;
	struct map open;   /* thread to the source that it captures, or NO_SOURCE */
	size_t open_count; /* so many do */
	struct map latest; /* thread to the source that it finished or added to */
	struct map graphs; /* handle to source */
	struct map execs;  /* handle to build */
};

static bool ends_capture(const struct trace_call *call)
{
	return strstr(call->form->function->name, "EndCapture") != NULL;
}

static size_t find_value(const struct map *map, uint64_t key)
{
	size_t found = map_find(map, key);

	return found == NO_SOURCE ? MAP_NONE : found;
}

static size_t add_source(struct building *building, uint32_t index)
{
	*vector_add(&building->found->sources) = (struct graph_source){.first = index};
	return building->found->sources.count - 1;
}

static void add_call(struct building *building, size_t at, uint32_t index)
{
	struct graph_source *source = &building->found->sources.items[at];
	const struct trace_call *call = &building->trace->calls[index];

	if (source->first != index)
		building->found->next[source->last] = index + 1;
	source->last = index;
	building->found->sources_of[index] = (uint32_t)at + 1;
	map_set(&building->latest, call->form->thread_id, at);
}

static void pass_capture(struct building *building, uint32_t index)
{
	const struct trace_call *call = &building->trace->calls[index];
	uint32_t thread = call->form->thread_id;
	size_t source;

	if (!ends_capture(call) && call->form->result)
		return;
	if (!ends_capture(call)) {
		building->open_count += find_value(&building->open, thread) == MAP_NONE;
		source = add_source(building, index);
		map_set(&building->open, thread, source);
		add_call(building, source, index);
		return;
	}
	source = find_value(&building->open, thread);
	if (source == MAP_NONE)
		return;
	add_call(building, source, index);
	map_set(&building->open, thread, NO_SOURCE);
	building->open_count--;
	if (call->form->object)
		map_set(&building->graphs, call->form->object, source);
}

static void pass_node(struct building *building, uint32_t index)
{
	uint64_t graph = building->trace->calls[index].form->object;
	size_t source = graph ? find_value(&building->graphs, graph) : MAP_NONE;

	if (!graph)
		return;
	if (source == MAP_NONE) {
		source = add_source(building, index);
		map_set(&building->graphs, graph, source);
	}
	add_call(building, source, index);
}

static void pass_instantiation(struct building *building, uint32_t index)
{
	const struct trace_call *call = &building->trace->calls[index];
	size_t source = find_value(&building->latest, call->form->thread_id);

	if (call->form->result || !call->form->object)
		return;
	map_set(&building->execs, call->form->object, building->found->builds.count);
	*vector_add(&building->found->builds) = (struct graph_build){
		.call = index, .source = source == MAP_NONE ? 0 : (uint32_t)source + 1};
}

static void pass_destruction(struct building *building, uint32_t index)
{
	uint64_t handle = building->trace->calls[index].form->object;
	size_t source = find_value(&building->graphs, handle),
	       exec = find_value(&building->execs, handle);

	/* Both kinds of handles are addresses of the driver: no graph has that of an instance. */
	if (exec != MAP_NONE) {
		building->found->builds.items[exec].destroy = index + 1;
		map_set(&building->execs, handle, NO_SOURCE);
	} else if (source != MAP_NONE) {
		building->found->sources.items[source].destroy = index + 1;
		map_set(&building->graphs, handle, NO_SOURCE);
	}
}

static void pass_launch(struct building *building, uint32_t index)
{
	size_t exec = find_value(&building->execs, building->trace->calls[index].form->object);
	struct graph_build *build;

	if (exec == MAP_NONE)
		return;
	build = &building->found->builds.items[exec];
	build->last_launch = index + 1;
	if (!build->first_launch)
		build->first_launch = index + 1;
}

static void pass_upload(struct building *building, uint32_t index)
{
	size_t exec = find_value(&building->execs, building->trace->calls[index].form->object);

	if (exec != MAP_NONE && !building->found->builds.items[exec].first_launch)
		building->found->builds.items[exec].upload = index + 1;
}

static void pass_call(struct building *building, uint32_t index)
{
	const struct trace_call *call = &building->trace->calls[index];
	size_t open;

	switch (call->form->function->class) {
	case CLASS_GRAPH_CAPTURE:
		pass_capture(building, index);
		break;
	case CLASS_GRAPH_BUILD:
		pass_node(building, index);
		break;
	case CLASS_GRAPH_INSTANTIATE:
		pass_instantiation(building, index);
		break;
	case CLASS_GRAPH_DESTROY:
		pass_destruction(building, index);
		break;
	case CLASS_GRAPH_UPLOAD:
		pass_upload(building, index);
		break;
	case CLASS_GRAPH_LAUNCH:
		pass_launch(building, index);
		break;
	default:
		open = building->open_count ? find_value(&building->open, call->form->thread_id)
					    : MAP_NONE;
		if (open != MAP_NONE && !call->operation)
			add_call(building, open, index);
		break;
	}
}

/* Of first launches, what they ran. And a source is that of an instance only where it made the
 * nodes of it. */
static void add_shapes(const struct trace *trace, struct graph_builds *builds)
{
	struct map launches = {0}; /* call to build */

	for (size_t i = 0; i < builds->builds.count; i++)
		if (builds->builds.items[i].first_launch)
			map_set(&launches, builds->builds.items[i].first_launch - 1, i);
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		const struct trace_call *node = operation->form->node_call;
		struct graph_build *build;
		size_t found = MAP_NONE;

		if (operation->call && operation->call->form->function->class == CLASS_GRAPH_LAUNCH)
			found = map_find(&launches, (uint64_t)(operation->call - trace->calls));
		if (found >= builds->builds.count) /* MAP_NONE */
			continue;
		build = &builds->builds.items[found];
		build->shape += mix(mix(operation->form->kind, operation->form->copy_kind),
				    (uintptr_t)operation->form->name);
		build->nodes++;
		/* Of a sample the calls that captured it can be in the whole run alone. */
		if (node && ((uintptr_t)node < (uintptr_t)trace->calls ||
			     (uintptr_t)node >= (uintptr_t)(trace->calls + trace->call_count)))
			build->source = 0;
		else if (node && builds->sources_of[node - trace->calls] != build->source)
			build->source = 0;
	}
	map_free(&launches);
}

struct graph_builds graph_builds_find(const struct model *model, size_t least)
{
	const struct trace *trace = model->trace;
	struct graph_builds found = {0};
	struct building building = {.trace = trace, .found = &found};
	size_t count = 0;

	for (size_t i = 0; i < trace->call_count && count < least; i++)
		count += trace->calls[i].form->function->class == CLASS_GRAPH_INSTANTIATE;
	if (count < least)
		return found;
	found.sources_of = memory_array(trace->call_count, sizeof(*found.sources_of));
	found.next = memory_array(trace->call_count, sizeof(*found.next));
	for (size_t i = 0; i < trace->call_count; i++)
		pass_call(&building, (uint32_t)i);
	add_shapes(trace, &found);
	map_free(&building.open);
	map_free(&building.latest);
	map_free(&building.graphs);
	map_free(&building.execs);
	return found;
}

void graph_builds_free(struct graph_builds *builds)
{
	vector_free(&builds->sources);
	vector_free(&builds->builds);
	free(builds->sources_of);
	free(builds->next);
}

static bool are_equal(const struct trace_call_form *a, const struct trace_call_form *b)
{
	bool is_launch = a->function->class == CLASS_LAUNCH;

	return a->function == b->function && (!is_launch || a->object == b->object) &&
	       a->arguments == b->arguments && a->numbers == b->numbers && a->dst == b->dst &&
	       a->src == b->src && a->size_bytes == b->size_bytes;
}

uint32_t graph_builds_changes(const struct graph_builds *builds, const struct trace *trace,
			      size_t a, size_t b, const struct trace_call **changed)
{
	uint32_t i = builds->sources.items[a].first + 1, k = builds->sources.items[b].first + 1;
	uint32_t changes = 0;

	*changed = NULL;
	for (; i || k; i = i ? builds->next[i - 1] : 0, k = k ? builds->next[k - 1] : 0) {
		if (i && k && are_equal(trace->calls[i - 1].form, trace->calls[k - 1].form))
			continue;
		changes++;
		if (i && !*changed)
			*changed = &trace->calls[i - 1];
	}
	return changes;
}
