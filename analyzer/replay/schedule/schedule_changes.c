#include "replay/schedule/schedule_changes.h"

#include "base/memory.h"

#include <stdlib.h>

void schedule_changes_begin(struct schedule_changes *changes, const struct schedule *schedule)
{
	for (size_t i = 0; i < changes->changes.count; i++)
		changes->numbers[changes->changes.items[i].task] = 0;
	changes->changes.count = changes->edges.count = changes->works.count = 0;
	changes->schedule = schedule;
	if (changes->number_count >= schedule->task_count)
		return;
	free(changes->numbers);
	changes->number_count = schedule->task_count;
	changes->numbers = memory_array(changes->number_count, sizeof(*changes->numbers));
}

void schedule_changes_free(struct schedule_changes *changes)
{
	vector_free(&changes->changes);
	vector_free(&changes->edges);
	vector_free(&changes->works);
	free(changes->numbers);
	*changes = (struct schedule_changes){0};
}

static struct schedule_change *find_or_add(struct schedule_changes *changes, task_index task)
{
	struct schedule_change *change;

	if (changes->numbers[task])
		return &changes->changes.items[changes->numbers[task] - 1];
	change = vector_add(&changes->changes);
	*change = (struct schedule_change){.task = task};
	changes->numbers[task] = (uint32_t)changes->changes.count;
	return change;
}

void schedule_changes_renew(struct schedule_changes *changes, task_index task)
{
	struct schedule_change *change = find_or_add(changes, task);

	change->is_renewed = true;
	change->work = SCHEDULE_JOIN;
}

void schedule_changes_add_edge(struct schedule_changes *changes, task_index from, task_index to,
			       int64_t lag_ns)
{
	struct schedule_change *change = find_or_add(changes, from);

	*vector_add(&changes->edges) = (struct schedule_edge){lag_ns, to, change->first};
	change->first = (uint32_t)changes->edges.count;
	find_or_add(changes, to)->incoming++;
}

void schedule_changes_set_work(struct schedule_changes *changes, task_index task,
			       struct schedule_work work)
{
	*vector_add(&changes->works) = work;
	find_or_add(changes, task)->work = (uint32_t)changes->works.count - 1;
}

void schedule_changes_set_point(struct schedule_changes *changes, task_index task)
{
	find_or_add(changes, task)->work = SCHEDULE_POINT;
}

void schedule_changes_set_earliest(struct schedule_changes *changes, task_index task,
				   int64_t earliest_ns)
{
	find_or_add(changes, task)->earliest_ns = earliest_ns;
}
