#include "model/thread_groups.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "base/vector.h"

#include <stdlib.h>

/* Every pair of threads is looked at; of more threads each is by itself. */
enum { MOST_THREADS = 64 };

struct thread {
	uint32_t id, group;	       /* group: an index in threads */
	size_t enqueued;	       /* calls that enqueued something */
	int64_t until_ns, enqueued_ns; /* the latest end of its calls so far, and of those */
};

struct pair {
	size_t turns, overlaps;
	/* From the end of an enqueueing call of one thread to the start of the other's. Only here
	 * pairs[b * count + a] is from b to a. */
	VECTOR(int64_t) lags_ns;
};

struct grouping {
	const struct trace *trace;
	struct thread threads[MOST_THREADS];
	size_t count;
	struct map index;   /* of threads by id */
	uint32_t *of;	    /* by index in trace.calls: an index in threads */
	struct pair *pairs; /* of threads a <= b: pairs[a * count + b] */
};

static struct pair *pair_of(const struct grouping *grouping, size_t a, size_t b)
{
	return &grouping->pairs[a < b ? a * grouping->count + b : b * grouping->count + a];
}

/* False: there are too many. */
static bool index_threads(struct grouping *grouping)
{
	const struct trace *trace = grouping->trace;

	for (size_t i = 0; i < trace->call_count; i++) {
		uint32_t id = trace->calls[i].form->thread_id;
		size_t found = map_find(&grouping->index, id);

		if (found == MAP_NONE) {
			if (grouping->count == MOST_THREADS)
				return false;
			found = grouping->count++;
			map_add(&grouping->index, id, found);
			grouping->threads[found] = (struct thread){
				.id = id,
				.group = (uint32_t)found,
				.until_ns = INT64_MIN,
				.enqueued_ns = INT64_MIN,
			};
		}
		grouping->of[i] = (uint32_t)found;
	}
	return true;
}

/* Notes which other threads were in a call when this one began. Calls come in the order of their
 * starts. */
static void note_overlaps(struct grouping *grouping, const struct trace_call *call, size_t thread)
{
	for (size_t i = 0; i < grouping->count; i++) {
		const struct thread *other = &grouping->threads[i];

		if (i != thread &&
		    (call->operation ? other->until_ns : other->enqueued_ns) > call->start_ns)
			pair_of(grouping, i, thread)->overlaps++;
	}
}

/* The thread enqueues something after another one did. */
static void note_turn(struct grouping *grouping, size_t last, size_t thread, int64_t start_ns)
{
	pair_of(grouping, last, thread)->turns++;
	*vector_add(&grouping->pairs[last * grouping->count + thread].lags_ns) =
		max_ns(0, start_ns - grouping->threads[last].enqueued_ns);
}

static void count_turns(struct grouping *grouping)
{
	const struct trace *trace = grouping->trace;
	size_t last = MAP_NONE;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t index = grouping->of[i];
		struct thread *thread = &grouping->threads[index];

		note_overlaps(grouping, call, index);
		thread->until_ns = max_ns(thread->until_ns, call->end_ns);
		if (!call->operation)
			continue;
		thread->enqueued_ns = max_ns(thread->enqueued_ns, call->end_ns);
		thread->enqueued++;
		if (last != MAP_NONE && last != index)
			note_turn(grouping, last, index, call->start_ns);
		last = index;
	}
}

static bool can_take_turns(const struct grouping *grouping, size_t a, size_t b)
{
	size_t fewer = grouping->threads[a].enqueued < grouping->threads[b].enqueued
			       ? grouping->threads[a].enqueued
			       : grouping->threads[b].enqueued;

	return pair_of(grouping, a, b)->overlaps <= fewer / TURNS_ODD_ONE_IN;
}

/* Whether the time from one thread's call to the other's hardly varies. */
static bool is_steady(struct pair *pair)
{
	size_t count = pair->lags_ns.count;

	if (!count)
		return false;
	sort_ns(pair->lags_ns.items, count);
	return pair->lags_ns.items[count / 2] / TURNS_MIDDLE_PART <
	       pair->lags_ns.items[count / TURNS_ODD_ONE_IN];
}

static bool is_to_and_fro(const struct grouping *grouping, size_t a, size_t b)
{
	size_t turns = pair_of(grouping, a, b)->turns;

	return turns >= LOOP_LEAST_STEPS &&
	       grouping->threads[a].enqueued + grouping->threads[b].enqueued <=
		       turns * TURNS_MOST_CALLS &&
	       is_steady(&grouping->pairs[a * grouping->count + b]) &&
	       is_steady(&grouping->pairs[b * grouping->count + a]);
}

static bool can_join(const struct grouping *grouping, uint32_t group, uint32_t other)
{
	for (size_t a = 0; a < grouping->count; a++)
		for (size_t b = 0; b < grouping->count; b++)
			if (grouping->threads[a].group == group &&
			    grouping->threads[b].group == other && !can_take_turns(grouping, a, b))
				return false;
	return true;
}

/* Joins the groups of two threads that take turns, unless members of them run side by side. */
static void join_groups(struct grouping *grouping)
{
	for (size_t a = 0; a < grouping->count; a++)
		for (size_t b = a + 1; b < grouping->count; b++) {
			uint32_t group = grouping->threads[a].group;
			uint32_t other = grouping->threads[b].group;

			if (group == other || !is_to_and_fro(grouping, a, b) ||
			    !can_join(grouping, group, other))
				continue;
			for (size_t i = 0; i < grouping->count; i++)
				if (grouping->threads[i].group == other)
					grouping->threads[i].group = group;
		}
}

uint32_t *thread_groups_find(const struct trace *trace)
{
	uint32_t *groups = memory_array(trace->call_count, sizeof(*groups));
	struct grouping grouping = {.trace = trace, .of = groups};
	bool has_few = index_threads(&grouping);

	if (has_few) {
		grouping.pairs =
			memory_array(grouping.count * grouping.count, sizeof(*grouping.pairs));
		count_turns(&grouping);
		join_groups(&grouping);
		for (size_t i = 0; i < grouping.count * grouping.count; i++)
			vector_free(&grouping.pairs[i].lags_ns);
		free(grouping.pairs);
	}
	for (size_t i = 0; i < trace->call_count; i++)
		groups[i] = has_few ? grouping.threads[grouping.threads[groups[i]].group].id
				    : trace->calls[i].form->thread_id;
	map_free(&grouping.index);
	return groups;
}
