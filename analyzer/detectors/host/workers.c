#include "detectors/host/workers.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "detectors/host/busy_threads.h"
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
		return 1;
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

void workers_edit(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, size_t at_most, struct edits *edits)
{
	size_t *before = find_before(instances, count);

	for (size_t i = 0; i < count; i++) {
		size_t number = number_of(&instances[i], doubt), first = i;

		number = number < at_most ? number : at_most;
		for (size_t n = 1; n < number && before[first] != MAP_NONE; n++)
			first = before[first];
		edits_work_ahead(edits, model, instances[i].call,
				 work_of(&instances[first]).before);
	}
	free(before);
}

/* The instances of a line, and what numbers of workers save there. */
struct choice {
	const struct observed *observed;
	struct instance *works; /* sorted by start */
	size_t count;
	int64_t unedited_ns; /* the replay without edits */
};

static int64_t replayed_ns(const struct choice *choice, size_t number)
{
	const struct model *model = choice->observed->model;
	struct edits *edits = edits_create(model);
	int64_t end_ns;

	workers_edit(model, choice->works, number ? choice->count : 0, DOUBT_DROP, number, edits);
	end_ns = timeline_replay(choice->observed->timeline, edits);
	edits_free(edits);
	return end_ns;
}

static int64_t saved_ns(const struct choice *choice, size_t number)
{
	int64_t end_ns = replayed_ns(choice, number);

	return end_ns < 0 ? 0 : max_ns(0, choice->unedited_ns - end_ns);
}

/* The thread that makes the calls keeps a processor. */
static size_t limit_of(const struct choice *choice)
{
	double known = busy_threads_cpus(choice->observed->model->trace);
	size_t cpus = known > 0 ? (size_t)known : WORKERS_UNKNOWN_CPUS;
	size_t limit = cpus > 1 ? cpus - 1 : 1;

	return limit < choice->count ? limit : choice->count;
}

static void set_numbers(const struct choice *choice, size_t usual, size_t most)
{
	for (size_t i = 0; i < choice->count; i++) {
		struct host_work work = work_of(&choice->works[i]);

		work.usual = (uint32_t)usual;
		work.most = (uint32_t)most;
		choice->works[i].detail = INSTANCE_DETAIL_OF(work);
	}
}

static bool is_share(const struct choice *choice, int64_t time_ns, double share)
{
	return (double)time_ns >= share * (double)choice->unedited_ns;
}

static void choose_for_line(const struct choice *choice, int64_t idle_ns)
{
	size_t limit = limit_of(choice), most = 1, usual;
	int64_t most_ns;

	set_numbers(choice, 1, limit);
	most_ns = saved_ns(choice, most);
	if (!is_share(choice, most_ns, FOLD_SHARE) &&
	    !is_share(choice, idle_ns, WORKERS_IDLE_SHARE))
		limit = 1;
	while (most < limit) {
		size_t next = 2 * most < limit ? 2 * most : limit;
		int64_t next_ns = saved_ns(choice, next);

		if (next_ns <= most_ns)
			break;
		most = next;
		most_ns = next_ns;
	}
	usual = search_from(1, most, number,
			    (double)saved_ns(choice, number) < WORKERS_SHARE * (double)most_ns);
	set_numbers(choice, usual, most);
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

void workers_choose(const struct observed *observed, struct instances *found)
{
	struct choice choice = {.observed = observed};
	int64_t idle_ns;

	if (!observed->timeline || !found->count)
		return;
	choice.unedited_ns = replayed_ns(&choice, 0);
	qsort(found->items, found->count, sizeof(*found->items), compare_lines);
	for (size_t i = 0; i < found->count; i += choice.count) {
		choice.works = &found->items[i];
		choice.count = 1;
		while (i + choice.count < found->count &&
		       work_of(&found->items[i + choice.count]).line == work_of(choice.works).line)
			choice.count++;
		idle_ns = sum_idle(&choice);
		if (is_share(&choice, idle_ns, FOLD_SHARE))
			choose_for_line(&choice, idle_ns);
	}
	qsort(found->items, found->count, sizeof(*found->items), instance_compare_starts);
}
