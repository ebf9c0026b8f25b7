#include "races/races.h"

#include "base/mix.h"
#include "base/vector.h"
#include "model/accesses.h"
#include "model/clocks.h"
#include "races/accessors.h"
#include "races/chunks.h"
#include "races/graphs.h"
#include "races/host_orders.h"
#include "races/host_touches.h"
#include "races/race_words.h"
#include "races/reliances.h"
#include "trace/graph_edges.h"

#include <stdlib.h>
#include <string.h>

/* What finds the races of a run. */
struct finder {
	const struct model *model;
	const struct trace *trace;
	struct clocks *clocks, *explicit_clocks; /* of all orders; without the barrier */
	struct accesses *accesses;		 /* of the current operation */
	struct accessors *accessors;
	struct host_orders *host;
	struct chunks chunks;
	VECTOR(struct race) found;
	struct map by_lines; /* indexes in found */
	struct reliances reliances;
	bool lacks_reliances;
	const char *graphs_obstacle;   /* graphs_obstacle() */
	struct map launches, unjudged; /* of graphs: their calls */
	bool has_updated;	       /* one of these graphs was updated */
	/* The current operation: */
	struct accessor now;
	bool is_exact;
};

const char *race_certainty_name(enum race_certainty certainty)
{
	static const char *const names[] = {"certain", "possible", "by luck"};

	return names[certainty];
}

const char *race_id(enum race_certainty certainty)
{
	static const char *const ids[] = {"race", "race-possible", "luck"};

	return ids[certainty];
}

static int64_t margin_of(const struct race *race)
{
	return (race->second	? race->second->start_ns
		: race->release ? race->release->start_ns
				: race->touch->end_ns) -
	       race->first->end_ns;
}

static const struct trace_site *second_site(const struct race *race)
{
	return race->touch
		       ? race->touch->site
		       : (race->second ? race_call_of(race->second) : race->release)->form->site;
}

/* Counts the pair at its two lines, and keeps the one with the smallest margin. */
static void add_race(struct finder *finder, struct race race)
{
	const uint64_t key =
		mix(mix(mix(race.certainty, (uintptr_t)race_call_of(race.first)->form->site),
			(uintptr_t)second_site(&race)),
		    (uintptr_t)(race.luck ? race.luck->form->site : NULL));
	size_t index = map_find(&finder->by_lines, key);
	struct race *known;

	race.margin_ns = margin_of(&race);
	race.count = 1;
	if (index == MAP_NONE) {
		map_add(&finder->by_lines, key, finder->found.count);
		*vector_add(&finder->found) = race;
		return;
	}
	known = &finder->found.items[index];
	race.count += known->count;
	if (race.margin_ns < known->margin_ns)
		*known = race;
	else
		known->count = race.count;
}

/* The host waited between both. */
static void take_reliance(struct finder *finder, const struct race *pair, bool has_wait)
{
	struct reliance reliance = {.wait = pair->luck,
				    .first = pair->first,
				    .second = pair->second,
				    .first_writes = pair->first_writes,
				    .second_writes = pair->second_writes};
	const int64_t enqueued_ns = model_enqueue_ns(pair->second);

	if (has_wait) {
		reliance.wait = host_orders_only_wait(finder->host, pair->first, enqueued_ns);
		if (!reliance.wait || host_orders_luck(finder->host, pair->first, enqueued_ns)) {
			finder->lacks_reliances = true;
			return;
		}
	}
	reliances_add(&finder->reliances, reliance);
}

static void judge_pair(void *context, const struct accessor *before, const struct accessor *now)
{
	struct finder *finder = context;
	const struct trace_operation *first = &finder->trace->operations[before->operation];
	const struct trace_operation *second = &finder->trace->operations[now->operation];
	const int64_t enqueued_ns = model_enqueue_ns(second);
	struct race race = {.certainty = RACE_BY_LUCK,
			    .first = first,
			    .second = second,
			    .first_writes = before->is_written,
			    .second_writes = now->is_written};
	bool is_by_barrier;

	if (clocks_is_before(finder->explicit_clocks, before->stream, before->number, now->stream))
		return;
	is_by_barrier =
		clocks_is_before(finder->clocks, before->stream, before->number, now->stream);
	if (first->end_ns <= enqueued_ns &&
	    host_orders_has_wait(finder->host, first, enqueued_ns)) {
		if (!is_by_barrier)
			take_reliance(finder, &race, true);
	} else if (is_by_barrier) {
		add_race(finder, race);
		take_reliance(finder, &race, false);
	} else if (first->end_ns <= enqueued_ns) {
		race.luck = host_orders_luck(finder->host, first, enqueued_ns);
		if (!race.luck)
			return;
		add_race(finder, race);
		take_reliance(finder, &race, false);
	} else {
		race.certainty = before->is_exact && now->is_exact &&
						 second->start_ns < first->end_ns &&
						 first->start_ns < second->end_ns
					 ? RACE_CERTAIN
					 : RACE_POSSIBLE;
		add_race(finder, race);
	}
}

static bool is_still_unordered(void *context, const struct accessor *before,
			       const struct accessor *now)
{
	const struct finder *finder = context;

	return !clocks_is_before(finder->explicit_clocks, before->stream, before->number,
				 now->stream);
}

static void take_access(struct finder *finder, const struct trace_operation *operation,
			const struct access *access)
{
	struct accessor now = {.operation = (uint32_t)(operation - finder->trace->operations),
			       .stream = finder->now.stream,
			       .number = finder->now.number,
			       .is_written = access->is_written,
			       .is_exact =
				       operation->form->kind != OPERATION_KERNEL &&
				       !graphs_is_node(operation) &&
				       access->end - access->start == operation->form->size_bytes};
	const uint64_t end = now.is_exact ? access->end
					  : chunks_end(&finder->chunks, access->start, access->end);

	accessors_enter(finder->accessors, access->start, end, &now);
}

static void enter_allocations(struct finder *finder, int64_t time_ns)
{
	const struct trace_allocation *next;

	while ((next = accesses_next_allocation(finder->accesses, time_ns)))
		accessors_forget(finder->accessors, next->address,
				 next->address + next->size_bytes);
}

/* A copy between devices that cannot reach each other goes through the host, in streams of the driver's own. */
static bool is_of_driver(const struct finder *finder, const struct trace_operation *operation)
{
	const struct trace_stream *named = model_stream_of(finder->model, operation->call);

	return named && named != operation->form->stream;
}

/* The one that orders it: branches of a graph have streams of their own. NULL: unknown. */
static const struct trace_stream *stream_of(const struct finder *finder,
					    const struct trace_operation *operation)
{
	return graphs_is_node(operation) ? model_stream_of(finder->model, operation->call)
					 : operation->form->stream;
}

/* Call after accesses_find(). */
static void note_node(struct finder *finder, const struct trace_operation *operation)
{
	const struct accesses *accesses = finder->accesses;
	const uint64_t launch = (uintptr_t)operation->call;
	const bool needs_none = operation->form->kind == OPERATION_KERNEL && accesses->reads_seen;

	map_add(&finder->launches, launch, 1);
	finder->has_updated |= trace_graph_is_updated(finder->trace, operation->call);
	if (finder->graphs_obstacle || (!accesses->all.count && !needs_none))
		map_add(&finder->unjudged, launch, 1);
}

static void enter_operation(struct finder *finder, const struct trace_operation *operation)
{
	const struct trace_stream *stream = stream_of(finder, operation);

	enter_allocations(finder, model_enqueue_ns(operation));
	if (!stream)
		return;
	finder->now.stream = (uint32_t)(stream - finder->trace->streams);
	finder->now.number = clocks_enter(finder->clocks, finder->now.stream);
	clocks_enter(finder->explicit_clocks, finder->now.stream);
	if (!operation->call || (!graphs_is_node(operation) && is_of_driver(finder, operation)))
		return;
	accesses_find(finder->accesses, operation);
	if (graphs_is_node(operation))
		note_node(finder, operation);
	for (size_t i = 0; i < finder->accesses->all.count; i++)
		take_access(finder, operation, &finder->accesses->all.items[i]);
}

static bool is_release(const struct trace_call *call)
{
	const enum function_class class = call->form->function->class;

	return call->form->dst && !call->form->result &&
	       (class == CLASS_FREE || class == CLASS_HOST_FREE || class == CLASS_UNREGISTER);
}

struct release {
	struct finder *finder;
	const struct trace_call *call;
	const struct trace_stream *stream; /* that orders it; NULL: the host */
};

/* The operation may use the memory when it is released. */
static void take_user(void *context, const struct accessor *before)
{
	const struct release *release = context;
	struct finder *finder = release->finder;
	const struct trace_operation *first = &finder->trace->operations[before->operation];
	struct race race = {.certainty = RACE_POSSIBLE,
			    .first = first,
			    .release = release->call,
			    .first_writes = before->is_written};

	if (first->end_ns <= release->call->start_ns)
		return;
	if (release->stream) {
		const uint32_t stream = (uint32_t)(release->stream - finder->trace->streams);

		if (stream == before->stream ||
		    clocks_is_before(finder->explicit_clocks, before->stream, before->number,
				     stream))
			return;
		if (clocks_is_before(finder->clocks, before->stream, before->number, stream))
			race.certainty = RACE_BY_LUCK;
	} else if (release->call->end_ns >= first->end_ns) {
		race.certainty = RACE_BY_LUCK;
		race.luck = release->call;
	} else if (before->is_exact) {
		race.certainty = RACE_CERTAIN;
	}
	add_race(finder, race);
}

static void enter_release(struct finder *finder, const struct trace_call *call)
{
	const struct trace_allocation *allocation;
	const bool is_ordered = strstr(call->form->function->name, "Async");
	struct release release = {finder, call,
				  is_ordered ? model_stream_of(finder->model, call) : NULL};

	enter_allocations(finder, call->start_ns);
	allocation = accesses_allocation_at(finder->accesses, call->form->dst);
	if (!allocation || allocation->address != call->form->dst ||
	    (is_ordered && !release.stream))
		return;
	accessors_each(finder->accessors, allocation->address,
		       allocation->address + allocation->size_bytes, take_user, &release);
}

/* Calls by start, up to the time. */
static size_t enter_releases(struct finder *finder, size_t next, int64_t time_ns)
{
	while (next < finder->trace->call_count && finder->trace->calls[next].start_ns < time_ns) {
		if (is_release(&finder->trace->calls[next]))
			enter_release(finder, &finder->trace->calls[next]);
		next++;
	}
	return next;
}

/* Nodes count in the stream that launched their graph, where they are in order without the branches' waits. */
static bool is_of_graph(const struct finder *finder, uint32_t wait)
{
	return trace_is_graph_wait(&finder->trace->event_waits[wait]);
}

static void enter_steps(struct finder *finder)
{
	size_t next_call = 0;

	for (size_t i = 0; i < finder->model->step_count; i++) {
		const struct model_place *step = &finder->model->steps[i];

		switch (step->kind) {
		case STEP_RECORD:
			if (is_of_graph(finder, step->index))
				break;
			clocks_record(finder->clocks, step->index);
			clocks_record(finder->explicit_clocks, step->index);
			break;
		case STEP_WAIT:
			if (is_of_graph(finder, step->index))
				break;
			clocks_wait(finder->clocks, step->index);
			clocks_wait(finder->explicit_clocks, step->index);
			break;
		case STEP_OPERATION:
			next_call = enter_releases(
				finder, next_call,
				model_enqueue_ns(&finder->trace->operations[step->index]));
			enter_operation(finder, &finder->trace->operations[step->index]);
			break;
		case STEP_HOST_FUNCTION:
			break;
		}
	}
	enter_releases(finder, next_call, INT64_MAX);
}

static int compare_races(const void *a, const void *b)
{
	const struct race *x = a, *y = b;

	if (x->certainty != y->certainty)
		return x->certainty < y->certainty ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->first->start_ns > y->first->start_ns) -
	       (x->first->start_ns < y->first->start_ns);
}

static struct races take_races(struct finder *finder)
{
	struct races races = {0};

	vector_sort(&finder->found, compare_races);
	for (size_t i = 0; i < finder->found.count; i++)
		races.counts[finder->found.items[i].certainty]++;
	vector_move(&finder->found, races.items, races.count);
	reliances_move(&finder->reliances, &races);
	return races;
}

/* Within one stream all is in order, and only a release can come too early: one that returns before the work is done, or
 * that waits for it. */
static bool is_any_pair_possible(const struct trace *trace)
{
	for (size_t i = 1; i < trace->operation_count; i++)
		if (trace->operations[i].form->stream != trace->operations[0].form->stream)
			return true;
	for (size_t i = 0; i < trace->call_count; i++)
		if (is_release(&trace->calls[i]))
			return true;
	return false;
}

/* Why that is not possible; NULL: it was looked for. */
static const char *find_pairs(struct finder *finder)
{
	const struct trace *trace = finder->trace;

	if (!trace->sees_arguments)
		return "launch arguments are not recorded";
	if (!is_any_pair_possible(trace))
		return NULL;
	finder->clocks = clocks_create(trace);
	if (!finder->clocks)
		return "there are too many streams";
	finder->explicit_clocks = clocks_create_explicit(trace);
	finder->accesses = accesses_create(trace);
	finder->graphs_obstacle = graphs_obstacle(trace);
	finder->accesses->sees_nodes = !finder->graphs_obstacle;
	finder->accessors =
		accessors_create((struct accessors_user){finder, judge_pair, is_still_unordered});
	finder->chunks = chunks_find(trace);
	enter_steps(finder);
	finder->lacks_reliances |= finder->launches.count || finder->accesses->seen.unseen_kernels;
	accessors_free(finder->accessors);
	accesses_free(finder->accesses);
	clocks_free(finder->explicit_clocks);
	clocks_free(finder->clocks);
	chunks_free(&finder->chunks);
	return NULL;
}

static void take_touch(void *context, struct race race)
{
	add_race(context, race);
}

struct races races_find(const struct observed *observed)
{
	struct finder finder = {.model = observed->model,
				.trace = observed->model->trace,
				.host = host_orders_create(observed)};
	const char *unseen = find_pairs(&finder);
	struct races races;

	host_touches_each(observed, finder.host, take_touch, &finder);
	races = take_races(&finder);
	races.unseen = unseen;
	races.lacks_reliances = finder.lacks_reliances;
	races.graph_launches = finder.launches.count;
	races.unjudged_launches = finder.unjudged.count;
	if (races.unjudged_launches)
		races.graphs_unjudged =
			finder.graphs_obstacle ? finder.graphs_obstacle
			: finder.has_updated   ? "the program has updated graphs"
					       : "the arguments of their kernels or copies are not "
						 "in the trace";
	map_free(&finder.launches);
	map_free(&finder.unjudged);
	host_orders_free(finder.host);
	map_free(&finder.by_lines);
	return races;
}

void races_free(struct races *races)
{
	free(races->items);
	free(races->reliances);
	*races = (struct races){0};
}
