#include "detectors/host/workers.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "detectors/host/host_room.h"
#include "replay/timeline.h"

#include <stdlib.h>

static struct host_work work_of(const struct instance *instance)
{
	return instance_detail(instance, struct host_work);
}

static size_t number_of(const struct instance *instance, enum doubt doubt)
{
	switch (doubt) {
	case DOUBT_KEEP:
		return work_of(instance).fewest;
	case DOUBT_WEIGH:
		return work_of(instance).usual;
	case DOUBT_DROP:
		break;
	}
	return work_of(instance).most;
}

/* Runs of different passes can have the same number. */
static uint64_t run_key(const struct instance *instance)
{
	return (uint64_t)work_of(instance).run << 1 | instance->is_later;
}

/* By instance, the one before it in its run, or MAP_NONE; freed with free(). */
static size_t *find_before(const struct instance *instances, size_t count)
{
	size_t *before = memory_array(count, sizeof(*before));
	struct map last = {0};

	for (size_t i = 0; i < count; i++) {
		before[i] = map_find(&last, run_key(&instances[i]));
		map_set(&last, run_key(&instances[i]), i);
	}
	map_free(&last);
	return before;
}

/* The call after whose return the work begins, if `number` workers do the works of its run. */
static const struct trace_call *begun_behind(const struct instance *instances, const size_t *before,
					     size_t at, size_t number)
{
	const bool is_of_others = work_of(&instances[at]).is_of_others;

	for (; number > 1 && before[at] != MAP_NONE; number--)
		at = before[at];
	return is_of_others && number == 1 ? work_of(&instances[at]).since
					   : work_of(&instances[at]).before;
}

/* The thread that handed the work over does not do it either: if its next call does not come behind
 * the call that it was for, it comes earlier. */
static void shorten_giver(const struct observed *observed, const struct instance *instance,
			  struct edits *edits)
{
	const struct model *model = observed->model;
	const struct host_work work = work_of(instance);
	const uint32_t giver = work.since->form->thread_id;
	const struct trace_call *next;

	if (giver == instance->call->form->thread_id || !model->host)
		return;
	next = host_next_call(model->host, giver, instance->call->start_ns);
	if (next && timeline_call_before(observed->timeline, next) == work.since)
		edits_shorten_work(
			edits, model, next,
			max_ns(0, instance->call->start_ns - work.since->end_ns - work.kept_ns));
}

void workers_edit(const struct observed *observed, const struct instance *instances, size_t count,
		  enum doubt doubt, size_t at_most, struct edits *edits)
{
	const struct model *model = observed->model;
	size_t *before = find_before(instances, count);

	for (size_t i = 0; i < count; i++) {
		const size_t number = number_of(&instances[i], doubt);

		edits_work_ahead(
			edits, model, instances[i].call,
			begun_behind(instances, before, i, number < at_most ? number : at_most));
		edits_keep_work(edits, model, instances[i].call, work_of(&instances[i]).kept_ns);
		shorten_giver(observed, &instances[i], edits);
	}
	free(before);
}

/* The instances of a line, and what numbers of workers save there. */
struct choice {
	const struct observed *observed;
	struct instance *works; /* sorted by start */
	size_t count;
	int64_t unedited_ns; /* the replay without edits */
	struct host_room room;
};

static int64_t replayed_ns(const struct choice *choice, size_t number)
{
	const struct model *model = choice->observed->model;
	struct edits *edits = edits_create(model);
	int64_t end_ns;

	workers_edit(choice->observed, choice->works, number ? choice->count : 0, DOUBT_DROP,
		     number, edits);
	end_ns = timeline_replay(choice->observed->timeline, edits);
	edits_free(edits);
	return end_ns;
}

static int64_t saved_ns(const struct choice *choice, size_t number)
{
	int64_t end_ns = replayed_ns(choice, number);

	return end_ns < 0 ? 0 : max_ns(0, choice->unedited_ns - end_ns);
}

/* How many workers the machine has room for, at least 1; if others do the work, how many times as many,
 * at least 2: workers can also become faster. */
static size_t room_of(const struct choice *choice)
{
	const double free_cpus = choice->room.free_cpus,
		     times = 1 + free_cpus / choice->room.running;

	if (work_of(choice->works).is_of_others)
		return times > 2 ? (size_t)times : 2;
	return free_cpus > 1 ? (size_t)(free_cpus + 0.5)
			     : 1; /* the running ones are a measurement */
}

static void set_numbers(const struct choice *choice, size_t fewest, size_t usual, size_t most)
{
	for (size_t i = 0; i < choice->count; i++) {
		struct host_work work = work_of(&choice->works[i]);

		work.fewest = (uint32_t)fewest;
		work.usual = (uint32_t)usual;
		work.most = (uint32_t)most;
		choice->works[i].detail = INSTANCE_DETAIL_OF(work);
	}
}

static bool is_share(const struct choice *choice, int64_t time_ns, double share)
{
	return (double)time_ns >= share * (double)choice->unedited_ns;
}

static size_t fewest_of(const struct choice *choice, size_t usual, size_t room)
{
	const size_t now = work_of(choice->works).is_of_others ? 1 : 0;
	const size_t slower = WORKERS_SLOWER_TIMES;
	const size_t more = (usual - now + slower - 1) / slower, fits = (room - now) / slower;
	const size_t fewest = now + (more < fits ? more : fits);

	return fewest > 1 ? fewest : 1;
}

static void choose_for_line(const struct choice *choice, bool is_seen, int64_t idle_ns)
{
	const size_t room = room_of(choice);
	size_t limit = room < choice->count ? room : choice->count, most = 1, usual;
	int64_t most_ns;

	set_numbers(choice, 1, 1, limit);
	most_ns = saved_ns(choice, most);
	if (!is_seen && !is_share(choice, most_ns, FOLD_SHARE) &&
	    !is_share(choice, idle_ns, WORKERS_IDLE_SHARE))
		limit = 1;
	while (most < limit) {
		size_t next = 2 * most < limit ? 2 * most : limit;
		int64_t next_ns = saved_ns(choice, next);

		if (next_ns < most_ns || (next_ns == most_ns && most > 1))
			break;
		most = next;
		most_ns = next_ns;
	}
	usual = search_from(1, most, number,
			    (double)saved_ns(choice, number) < WORKERS_SHARE * (double)most_ns);
	set_numbers(choice, fewest_of(choice, usual, room), usual, most);
}

static int64_t sum_idle(const struct choice *choice)
{
	const struct trace *trace = choice->observed->model->trace;
	int64_t idle_ns = 0;

	for (size_t i = 0; i < choice->count; i++)
		idle_ns += trace_weigh_ns(trace, choice->works[i].span.start_ns,
					  work_of(&choice->works[i]).idle_ns);
	return idle_ns;
}

static int compare_lines(const void *a, const void *b)
{
	const struct instance *x = a, *y = b;
	const uint32_t of_x = work_of(x).line, of_y = work_of(y).line;

	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	return instance_compare_starts(a, b);
}

void workers_choose(const struct observed *observed, bool is_seen, struct instances *found)
{
	struct choice choice = {.observed = observed};
	int64_t idle_ns;

	if (!observed->timeline || !found->count)
		return;
	choice.unedited_ns = replayed_ns(&choice, 0);
	choice.room = host_room_of(observed->model->trace);
	qsort(found->items, found->count, sizeof(*found->items), compare_lines);
	for (size_t i = 0; i < found->count; i += choice.count) {
		choice.works = &found->items[i];
		choice.count = 1;
		while (i + choice.count < found->count &&
		       work_of(&found->items[i + choice.count]).line == work_of(choice.works).line)
			choice.count++;
		idle_ns = sum_idle(&choice);
		if (is_share(&choice, idle_ns, FOLD_SHARE))
			choose_for_line(&choice, is_seen, idle_ns);
	}
	qsort(found->items, found->count, sizeof(*found->items), instance_compare_starts);
}
