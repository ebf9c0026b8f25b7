/* One pass over the tasks of a replay, as they ran. */
#include "replay/schedule/marked_trail.h"

#include "base/minmax.h"
#include "replay/schedule/path_lists.h"

#include <stdlib.h>
#include <string.h>

#define NO_MARK UINT32_MAX

struct passing {
	const struct marked_replay *replay;
	struct marks marks;
	struct marked_paths *paths;
	struct path_lists lists;
	struct path_time *starts; /* by task: as far as is known so far */
	uint32_t *mark_of;	  /* by task */
	uint32_t *end_lists;	  /* by mark; PATH_NO_LIST: not made yet */
	int64_t origin_ns;	  /* when what list 0 counts from was */
	struct path_time end;
	struct marked_path
		*found; /* by mark, MARKED_PATHS_MOST each; and those of the end behind them */
	uint32_t *found_counts;
	size_t left; /* marked operations that have not run */
};

/* Whether what comes so long after the end of the marked operation is a path from there. */
static bool is_begun_at(const struct passing *passing, uint32_t mark, int64_t lag_ns)
{
	if (mark == 0 && passing->marks.is_part)
		return true;
	return lag_ns >= 0 && !(passing->marks.are_passed && passing->marks.are_passed[mark]);
}

/* The time lag_ns after the task's end. A time before a marked operation's end counts from its
 * start. */
static struct path_time time_behind(struct passing *passing, task_index task, int64_t lag_ns)
{
	const struct marked_replay *replay = passing->replay;
	uint32_t mark = passing->mark_of[task];
	struct path_time time = passing->starts[task];

	if (mark != NO_MARK && is_begun_at(passing, mark, lag_ns)) {
		if (passing->end_lists[mark] == PATH_NO_LIST)
			passing->end_lists[mark] = path_lists_end_of(&passing->lists, mark).list;
		return (struct path_time){passing->end_lists[mark], lag_ns};
	}
	if (time.list != PATH_NO_LIST)
		time.offset_ns +=
			schedule_duration_ns(replay->schedule, replay->changes, task) + lag_ns;
	return time;
}

static void raise_time(struct passing *passing, task_index task, struct path_time time)
{
	passing->starts[task] = path_lists_later(&passing->lists, passing->starts[task], time);
}

/* The task waits for nothing but the run's beginning, or for that, too. */
static void add_earliest(struct passing *passing, task_index task)
{
	const struct marked_replay *replay = passing->replay;
	const struct schedule_change *change =
		replay->changes ? schedule_change_of(replay->changes, task) : NULL;
	int64_t earliest_ns = change && change->is_renewed
				      ? change->earliest_ns
				      : replay->schedule->tasks[task].earliest_ns;

	if (earliest_ns > 0 || passing->starts[task].list == PATH_NO_LIST)
		raise_time(passing, task, (struct path_time){0, earliest_ns - passing->origin_ns});
}

static void reach_mark(struct passing *passing, task_index task)
{
	uint32_t mark = passing->mark_of[task];

	passing->left--;
	if (mark == 0 && passing->marks.is_part)
		return;
	passing->found_counts[mark] =
		(uint32_t)path_lists_reach(&passing->lists, mark, passing->starts[task],
					   &passing->found[(size_t)mark * MARKED_PATHS_MOST]);
}

static bool is_renewed(const struct passing *passing, task_index task)
{
	const struct schedule_changes *changes = passing->replay->changes;
	const struct schedule_change *change = changes ? schedule_change_of(changes, task) : NULL;

	return change && change->is_renewed;
}

/* Passes the task's end to all that wait for it, and to the run's end, since nothing else may
 * follow. */
static void follow_task(struct passing *passing, task_index task)
{
	const struct marked_replay *replay = passing->replay;
	const struct schedule *schedule = replay->schedule;
	const struct schedule_change *change =
		replay->changes ? schedule_change_of(replay->changes, task) : NULL;
	bool is_last = true;

	for (uint32_t i = schedule->tasks[task].first; i; i = schedule->edges[i - 1].next) {
		const struct schedule_edge *edge = &schedule->edges[i - 1];

		if (is_renewed(passing, edge->to))
			continue;
		raise_time(passing, edge->to, time_behind(passing, task, edge->lag_ns));
		is_last &= edge->lag_ns < 0;
	}
	for (uint32_t i = change ? change->first : 0; i;
	     i = replay->changes->edges.items[i - 1].next) {
		const struct schedule_edge *edge = &replay->changes->edges.items[i - 1];

		raise_time(passing, edge->to, time_behind(passing, task, edge->lag_ns));
		is_last &= edge->lag_ns < 0;
	}
	if (is_last && !passing->marks.is_part)
		passing->end = path_lists_later(&passing->lists, passing->end,
						time_behind(passing, task, 0));
}

static void pass_tasks(struct passing *passing)
{
	const struct schedule_trail *trail = passing->replay->trail;

	for (size_t i = 0; i < trail->count; i++) {
		task_index task = trail->tasks[i];
		struct schedule_bound bound = trail->bounds[i];

		if (passing->marks.is_part && !passing->left)
			break;
		add_earliest(passing, task);
		if (bound.from != SCHEDULE_NO_TASK)
			raise_time(passing, task, time_behind(passing, bound.from, bound.lag_ns));
		if (passing->mark_of[task] != NO_MARK)
			reach_mark(passing, task);
		follow_task(passing, task);
	}
}

/* The end of a part is that of its last operation. */
static void reach_end(struct passing *passing)
{
	size_t count = passing->marks.count;

	if (passing->marks.is_part && count) {
		passing->found[count * MARKED_PATHS_MOST] =
			(struct marked_path){(uint32_t)count - 1, 0};
		passing->found_counts[count] = 1;
	} else {
		passing->found_counts[count] = (uint32_t)path_lists_take(
			&passing->lists, passing->end, &passing->found[count * MARKED_PATHS_MOST]);
	}
}

static void give_paths(const struct passing *passing)
{
	struct marked_paths *paths = passing->paths;
	size_t count = 0;

	for (size_t i = 0; i <= paths->count; i++)
		count += passing->found_counts[i];
	paths->first = memory_array(paths->count + 2, sizeof(*paths->first));
	paths->paths = memory_array(count, sizeof(*paths->paths));
	for (size_t i = 0; i <= paths->count; i++) {
		memcpy(paths->paths + paths->first[i], &passing->found[i * MARKED_PATHS_MOST],
		       passing->found_counts[i] * sizeof(*paths->paths));
		paths->first[i + 1] = paths->first[i] + passing->found_counts[i];
	}
}

static void note_times(struct passing *passing)
{
	const struct marked_replay *replay = passing->replay;
	struct marked_paths *paths = passing->paths;

	paths->count = passing->marks.count;
	paths->end_ns = replay->end_ns;
	paths->starts_ns = memory_array(paths->count, sizeof(*paths->starts_ns));
	paths->ends_ns = memory_array(paths->count, sizeof(*paths->ends_ns));
	for (size_t i = 0; i < paths->count; i++) {
		task_index task = replay->tasks[i];

		paths->ends_ns[i] = replay->ends_ns[task];
		paths->starts_ns[i] = replay->ends_ns[task] -
				      schedule_duration_ns(replay->schedule, replay->changes, task);
		passing->mark_of[task] = (uint32_t)i;
	}
}

static void begin_passing(struct passing *passing)
{
	size_t tasks = passing->replay->schedule->task_count, marks = passing->marks.count;
	bool is_part = passing->marks.is_part && marks;

	passing->starts = memory_array(tasks, sizeof(*passing->starts));
	passing->mark_of = memory_array(tasks, sizeof(*passing->mark_of));
	for (size_t i = 0; i < tasks; i++) {
		passing->starts[i].list = PATH_NO_LIST;
		passing->mark_of[i] = NO_MARK;
	}
	note_times(passing);
	passing->left = marks;
	passing->end.list = PATH_NO_LIST;
	passing->end_lists = memory_array(marks, sizeof(*passing->end_lists));
	for (size_t i = 0; i < marks; i++)
		passing->end_lists[i] = PATH_NO_LIST;
	if (is_part) {
		passing->origin_ns = passing->paths->ends_ns[0];
		passing->end_lists[0] = 0;
	}
	path_lists_begin(&passing->lists, marks, passing->paths->ends_ns,
			 is_part ? 0 : MARKED_BEGIN);
	passing->found = memory_array((marks + 1) * MARKED_PATHS_MOST, sizeof(*passing->found));
	passing->found_counts = memory_array(marks + 1, sizeof(*passing->found_counts));
}

void marked_paths_find(const struct marked_replay *replay, struct marks marks,
		       struct marked_paths *paths)
{
	struct passing passing = {.replay = replay, .marks = marks, .paths = paths};

	begin_passing(&passing);
	pass_tasks(&passing);
	reach_end(&passing);
	give_paths(&passing);
	path_lists_free(&passing.lists);
	free(passing.starts);
	free(passing.mark_of);
	free(passing.end_lists);
	free(passing.found);
	free(passing.found_counts);
}

void marked_paths_free(struct marked_paths *paths)
{
	free(paths->paths);
	free(paths->first);
	free(paths->starts_ns);
	free(paths->ends_ns);
	*paths = (struct marked_paths){0};
}
