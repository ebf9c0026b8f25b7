#include "base/memory.h"
#include "base/minmax.h"
#include "replay/schedule/building.h"
#include "replay/schedule/marked_trail.h"
#include "replay/schedule/replay_bases.h"
#include "replay/schedule/replay_pool.h"
#include "replay/timeline.h"

#include <stdlib.h>

/* What stays of a replay but its end. NULL: not asked for. */
struct kept {
	struct timeline_times *times;
	struct marked_paths *paths;
	struct marks marks; /* of the paths */
};

/* The tasks with engines in the order of the trace. */
static struct schedule_order given_order(const struct building *building)
{
	const struct timeline *timeline = building->timeline;
	const struct model *model = timeline->model;
	size_t count = 0;
	task_index *given = room_take(&building->memory->given,
				      model->operation_count + model->trace->host_function_count,
				      sizeof(*given));

	for (size_t i = 0; i < model->operation_count; i++) {
		task_index task = building_task_of(building, timeline->given[i]);

		if (schedule_has_engine(building->schedule, building->changes, task))
			given[count++] = task;
	}
	for (size_t i = 0; i < model->trace->host_function_count; i++) {
		task_index task = building->host_functions[i];

		if (task != NO_TASK &&
		    schedule_has_engine(building->schedule, building->changes, task))
			given[count++] = task;
	}
	return (struct schedule_order){given, count};
}

/* What all windows take. Tasks that are no calls and no operations come before such ones. */
static int64_t sum_windows(const struct building *building, const int64_t *task_ends_ns)
{
	const struct timeline *timeline = building->timeline;
	const struct model *model = timeline->model;
	int64_t *ends_ns = memory_array(model->trace->window_count, sizeof(*ends_ns)), sum_ns;

	for (size_t i = 0; i < model->trace->call_count; i++) {
		size_t window = timeline_window_of(timeline, model->trace->calls[i].start_ns);

		ends_ns[window] = max_ns(ends_ns[window], task_ends_ns[i]);
	}
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		size_t window = timeline_window_of(timeline, model_enqueue_ns(item->operation));

		ends_ns[window] =
			max_ns(ends_ns[window], task_ends_ns[building_task_of(building, i)]);
	}
	sum_ns = timeline_sum_windows(timeline, ends_ns);
	free(ends_ns);
	return sum_ns;
}

/* When its thread reached it: its task is its end. */
static int64_t call_start_ns(const struct building *building, const int64_t *ends_ns,
			     uint32_t index)
{
	const struct timeline_call *call = &building->timeline->calls[index];
	uint32_t ahead = building_ahead(building, index);
	int64_t start_ns = building_gap_ns(building, index) +
			   (call->before == NO_CALL ? 0 : ends_ns[call->before]);

	if (call->is_watching && call->watched_last != NO_CALL)
		start_ns = max_ns(start_ns, ends_ns[call->watched_last]);
	for (size_t i = call->joins; timeline_is_join_of(building->timeline, i, index); i++)
		start_ns = max_ns(start_ns, building_gap_ns(building, index) +
						    ends_ns[building->timeline->joins[i].ended]);
	if (ahead != NO_CALL)
		start_ns = max_ns(start_ns, ends_ns[ahead] + building_ahead_ns(building, index));
	if (building->gates && building->gates[index])
		start_ns = max_ns(start_ns, ends_ns[building->gates[index]]);
	return start_ns;
}

static void extend_part(struct timeline_part_ends *ends, uint32_t part, int64_t end_ns)
{
	struct timeline_part_ends *of;

	if (part == TIMELINE_NO_PART)
		return;
	of = &ends[part / 2];
	of->all_ns = max_ns(of->all_ns, end_ns);
	if (part % 2)
		of->run_up_ns = max_ns(of->run_up_ns, end_ns);
}

/* A sample's windows; freed with free(). */
static struct timeline_part_ends *find_part_ends(const struct building *building,
						 const int64_t *task_ends_ns)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = timeline->model->trace;
	struct timeline_part_ends *ends = memory_array(trace->window_count, sizeof(*ends));
	size_t operations = timeline->model->operation_count;

	for (size_t i = 0; i < trace->window_count; i++) {
		const struct trace_window *window = &trace->windows[i];

		ends[i].counted_ns = call_start_ns(building, task_ends_ns, window->counted_call);
		if (window->end_call != NO_END_CALL)
			ends[i].all_ns = call_start_ns(building, task_ends_ns, window->end_call);
		for (size_t k = window->counted_call;
		     window->end_call == NO_END_CALL && k < trace->call_count; k++)
			ends[i].all_ns = max_ns(ends[i].all_ns, task_ends_ns[k]);
	}
	for (size_t i = 0; i < operations; i++)
		extend_part(ends, timeline->parts[i], task_ends_ns[building_task_of(building, i)]);
	for (size_t i = 0; i < trace->host_function_count; i++)
		if (building->host_functions[i] != NO_TASK)
			extend_part(ends, timeline->parts[operations + i],
				    task_ends_ns[building->host_functions[i]]);
	return ends;
}

/* by_window: as in timeline_sum_sample(). */
static int64_t sum_sample(const struct building *building, const int64_t *task_ends_ns,
			  int64_t *by_window)
{
	struct timeline_part_ends *ends = find_part_ends(building, task_ends_ns);
	int64_t sum_ns = timeline_sum_sample(building->timeline, ends, by_window);

	free(ends);
	return sum_ns;
}

/* The last end, or -1. */
static int64_t run_schedule(const struct building *building, struct schedule_order order,
			    int64_t *ends_ns, struct schedule_trail *trail)
{
	const struct schedule *schedule = building->schedule;
	int64_t end_ns = 0;

	if (!schedule_run(schedule, building->changes, order, &building->memory->run, ends_ns,
			  trail))
		return -1;
	if (building->timeline->parts)
		return sum_sample(building, ends_ns, NULL);
	if (building->timeline->windows)
		return sum_windows(building, ends_ns);
	for (size_t i = 0; i < schedule->task_count; i++)
		end_ns = max_ns(end_ns, ends_ns[i]);
	return end_ns;
}

static struct span task_span(const struct building *building, const int64_t *ends_ns,
			     task_index task)
{
	return (struct span){
		ends_ns[task] - schedule_duration_ns(building->schedule, building->changes, task),
		ends_ns[task]};
}

static void keep_times(const struct building *building, const int64_t *ends_ns,
		       struct timeline_times *times)
{
	const struct model *model = building->timeline->model;

	for (size_t i = 0; i < model->operation_count; i++)
		times->operations[model->operations[i].operation - model->trace->operations] =
			task_span(building, ends_ns, building_task_of(building, i));
	for (size_t i = 0; i < model->trace->call_count; i++) {
		int64_t start_ns = call_start_ns(building, ends_ns, (uint32_t)i);
		int64_t waited_ns = ends_ns[i] - start_ns - building_own_ns(building, (uint32_t)i);

		times->calls[i] = (struct span){start_ns, ends_ns[i]};
		times->waited_ns[i] = max_ns(waited_ns, 0);
	}
	for (size_t i = 0; i < model->trace->host_function_count; i++)
		if (building->host_functions[i] != NO_TASK)
			times->host_functions[i] =
				task_span(building, ends_ns, building->host_functions[i]);
	if (times->windows)
		sum_sample(building, ends_ns, times->windows);
}

/* Engines take tasks in the order of readiness; but if the traced order gives a shorter run, it is
 * the better one. It belongs to the run as it was: with edits, other tasks are ready at other
 * times, so only a replay that would be longer than the run itself uses it, or a high end. */
static int64_t run_best(const struct building *building, int64_t *ends_ns, bool is_kept,
			struct schedule_trail *trail)
{
	const struct schedule_order first_ready = {0};
	int64_t first_ready_ns = run_schedule(building, first_ready, ends_ns, trail), given_ns;

	if (building->edits && !building->edits->is_best_case &&
	    first_ready_ns <= timeline_measured_ns(building->timeline))
		return first_ready_ns;
	given_ns = run_schedule(building, given_order(building), ends_ns, trail);
	if (given_ns >= 0 && given_ns <= first_ready_ns)
		return given_ns;
	return is_kept ? run_schedule(building, first_ready, ends_ns, trail) : first_ready_ns;
}

static void keep_paths(const struct building *building, const struct schedule_trail *trail,
		       const int64_t *ends_ns, int64_t end_ns, const struct kept *kept)
{
	task_index *tasks = memory_array(kept->marks.count, sizeof(*tasks));
	const struct marked_replay replay = {.schedule = building->schedule,
					     .changes = building->changes,
					     .trail = trail,
					     .ends_ns = ends_ns,
					     .tasks = tasks,
					     .end_ns = end_ns};

	for (size_t i = 0; i < kept->marks.count; i++)
		tasks[i] = building_task_of(
			building, building->timeline->to_model[kept->marks.operations[i]]);
	marked_paths_find(&replay, kept->marks, kept->paths);
	free(tasks);
}

/* The end; kept as in replay_kept(). */
static int64_t run_built(struct building *building, const struct kept *kept)
{
	struct schedule_trail trail = {0};
	int64_t *ends_ns = room_take(&building->memory->ends, building->schedule->task_count,
				     sizeof(*ends_ns));
	int64_t end_ns =
		run_best(building, ends_ns, kept != NULL, kept && kept->paths ? &trail : NULL);

	if (kept && kept->times && end_ns >= 0)
		keep_times(building, ends_ns, kept->times);
	if (kept && kept->paths && end_ns >= 0)
		keep_paths(building, &trail, ends_ns, end_ns, kept);
	schedule_trail_free(&trail);
	return end_ns;
}

/* The schedule is built for this replay alone. */
static int64_t replay_built(const struct timeline *timeline, const struct edits *edits,
			    struct replay_memory *memory, const struct kept *kept)
{
	struct building building = {.timeline = timeline,
				    .edits = edits,
				    .needs = replay_pool_take_needs(timeline, edits),
				    .memory = memory,
				    .schedule = &memory->schedule};
	int64_t end_ns;

	building_build(&building);
	end_ns = run_built(&building, kept);
	building_free(&building);
	replay_pool_return_needs(timeline, building.needs);
	return end_ns;
}

/* It is the base, with changes. */
static int64_t replay_changed(const struct replay_base *base, const struct timeline *timeline,
			      const struct edits *edits, struct replay_memory *memory,
			      const struct kept *kept)
{
	struct building building = {.timeline = timeline, .edits = edits, .memory = memory};
	int64_t end_ns;

	replay_base_enter(base, &building);
	end_ns = run_built(&building, kept);
	replay_base_leave(&building);
	replay_bases_return(timeline, base);
	return end_ns;
}

/* kept: NULL, or what stays, and where. */
static int64_t replay_kept(const struct timeline *timeline, const struct edits *edits,
			   const struct kept *kept)
{
	struct replay_memory *memory = replay_pool_take(timeline);
	const struct replay_base *base = NULL;
	int64_t end_ns;

	if (edits && replay_base_allows(edits, timeline->model->trace))
		base = replay_bases_take(timeline, edits);
	if (base)
		end_ns = replay_changed(base, timeline, edits, memory, kept);
	else
		end_ns = replay_built(timeline, edits, memory, kept);
	replay_pool_return(timeline, memory);
	return end_ns;
}

int64_t timeline_replay_built(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times)
{
	struct replay_memory *memory = replay_pool_take(timeline);
	const struct kept kept = {.times = times};
	int64_t end_ns = replay_built(timeline, edits, memory, &kept);

	replay_pool_return(timeline, memory);
	return end_ns;
}

/* The same; notes the end for the next time that the edits come. */
static int64_t replay_and_note(const struct timeline *timeline, const struct edits *edits,
			       const struct kept *kept)
{
	struct edits_key key;
	int64_t end_ns;

	if (!edits)
		return replay_kept(timeline, edits, kept);
	key = edits_key_of(edits, timeline->model);
	if (!kept && replay_pool_find_end(timeline, key, &end_ns))
		return end_ns;
	end_ns = replay_kept(timeline, edits, kept);
	replay_pool_note_end(timeline, key, end_ns);
	return end_ns;
}

int64_t timeline_replay(const struct timeline *timeline, const struct edits *edits)
{
	return replay_and_note(timeline, edits, NULL);
}

int64_t timeline_replay_times(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times)
{
	const struct trace *trace = timeline->model->trace;
	const struct kept kept = {.times = times};

	times->operations = memory_array(trace->operation_count, sizeof(*times->operations));
	times->calls = memory_array(trace->call_count, sizeof(*times->calls));
	times->waited_ns = memory_array(trace->call_count, sizeof(*times->waited_ns));
	times->host_functions =
		memory_array(trace->host_function_count, sizeof(*times->host_functions));
	times->windows = trace->is_sample
				 ? memory_array(trace->window_count, sizeof(*times->windows))
				 : NULL;
	return replay_and_note(timeline, edits, &kept);
}

bool timeline_marked_paths(const struct timeline *timeline, const struct edits *edits,
			   struct marks marks, struct marked_paths *paths)
{
	const struct kept kept = {.paths = paths, .marks = marks};

	*paths = (struct marked_paths){0};
	return !timeline->windows && replay_and_note(timeline, edits, &kept) >= 0;
}

void timeline_times_free(struct timeline_times *times)
{
	free(times->windows);
	free(times->host_functions);
	free(times->waited_ns);
	free(times->calls);
	free(times->operations);
}
