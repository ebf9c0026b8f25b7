#include "job/paths.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int paths_compare_events(const struct paths_event *a, const struct paths_event *b)
{
	if (a->communicator != b->communicator)
		return compare_numbers(a->communicator, b->communicator);
	if (a->pair != b->pair)
		return compare_numbers(a->pair, b->pair);
	return compare_numbers(a->sequence, b->sequence);
}

int paths_compare_edges(const struct paths_edge *a, const struct paths_edge *b)
{
	return a->to != b->to ? compare_numbers(a->to, b->to) : compare_numbers(a->from, b->from);
}

int paths_compare_groups(const struct paths_group *a, const struct paths_group *b)
{
	int by_id = strcmp(a->id, b->id);

	return by_id ? by_id : strcmp(a->where, b->where);
}

static void free_group(struct paths_group *group)
{
	free(group->id);
	free(group->where);
	free(group->low.items);
	free(group->before.items);
	free(group->estimate.items);
	free(group->high.items);
}

void paths_free(struct paths *paths)
{
	if (!paths)
		return;
	for (size_t i = 0; i < paths->group_count; i++)
		free_group(&paths->groups[i]);
	free(paths->groups);
	free(paths->events);
	free(paths->traced.items);
	free(paths->untraced.items);
	free(paths->uncrowded.items);
	free(paths);
}

/* Events of both, and where those of each went. */
struct merging {
	struct paths *into;
	const struct paths *from[2];
	uint32_t *moved[2];
};

static struct paths_event merge_event(struct paths_event a, struct paths_event b)
{
	a.ranks = a.ranks > b.ranks ? a.ranks : b.ranks;
	a.seen += b.seen;
	a.transfer_ns = min_ns(a.transfer_ns, b.transfer_ns);
	return a;
}

static void merge_events(struct merging *merging)
{
	const struct paths *a = merging->from[0], *b = merging->from[1];
	struct paths *into = merging->into;
	size_t i = 0, k = 0;

	into->events = memory_array(a->event_count + b->event_count, sizeof(*into->events));
	while (i < a->event_count || k < b->event_count) {
		uint32_t index = (uint32_t)into->event_count++;
		int order = i == a->event_count ? 1
			    : k == b->event_count
				    ? -1
				    : paths_compare_events(&a->events[i], &b->events[k]);

		into->events[index] = order <= 0 ? a->events[i] : b->events[k];
		if (order == 0)
			into->events[index] = merge_event(a->events[i], b->events[k]);
		if (order <= 0)
			merging->moved[0][i++] = index;
		if (order >= 0)
			merging->moved[1][k++] = index;
	}
}

static struct paths_edge move_edge(const struct merging *merging, int side, struct paths_edge edge)
{
	if (edge.to != PATHS_END)
		edge.to = merging->moved[side][edge.to];
	if (edge.from != PATHS_BEGIN)
		edge.from = merging->moved[side][edge.from];
	return edge;
}

/* Events keep their order, and so do edges. */
static struct paths_edges merge_edges(const struct merging *merging, const struct paths_edges *a,
				      const struct paths_edges *b)
{
	struct paths_edges edges = {
		.items = memory_array(a->count + b->count, sizeof(*edges.items))};
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		struct paths_edge x = {0}, y = {0};
		int order = i == a->count ? 1 : -1;

		if (i < a->count)
			x = move_edge(merging, 0, a->items[i]);
		if (k < b->count)
			y = move_edge(merging, 1, b->items[k]);
		if (i < a->count && k < b->count)
			order = paths_compare_edges(&x, &y);
		if (order == 0)
			x.distance_ns = max_ns(x.distance_ns, y.distance_ns);
		edges.items[edges.count++] = order <= 0 ? x : y;
		i += order <= 0;
		k += order >= 0;
	}
	edges.items = memory_shrink(edges.items, edges.count, sizeof(*edges.items));
	return edges;
}

/* NULL: the side's ranks do not have it, and stay as they are. named: one that is there. */
static struct paths_group merge_group(const struct merging *merging,
				      const struct paths_group *named, const struct paths_group *a,
				      const struct paths_group *b)
{
	const struct paths *left = merging->from[0], *right = merging->from[1];
	const struct paths_edges *x = &left->uncrowded, *y = &right->uncrowded;

	return (struct paths_group){
		.id = memory_format("%s", named->id),
		.where = memory_format("%s", named->where),
		.ranks = (a ? a->ranks : 0) + (b ? b->ranks : 0),
		.low = merge_edges(merging, a ? &a->low : &left->untraced,
				   b ? &b->low : &right->untraced),
		.before = merge_edges(merging, a ? &a->before : x, b ? &b->before : y),
		.estimate = merge_edges(merging, a ? &a->estimate : x, b ? &b->estimate : y),
		.high = merge_edges(merging, a ? &a->high : x, b ? &b->high : y),
	};
}

static void merge_groups(struct merging *merging)
{
	const struct paths *a = merging->from[0], *b = merging->from[1];
	struct paths *into = merging->into;
	size_t i = 0, k = 0;

	into->groups = memory_array(a->group_count + b->group_count, sizeof(*into->groups));
	while (i < a->group_count || k < b->group_count) {
		int order = i == a->group_count ? 1
			    : k == b->group_count
				    ? -1
				    : paths_compare_groups(&a->groups[i], &b->groups[k]);

		into->groups[into->group_count++] = merge_group(
			merging, order <= 0 ? &a->groups[i] : &b->groups[k],
			order <= 0 ? &a->groups[i] : NULL, order >= 0 ? &b->groups[k] : NULL);
		i += order <= 0;
		k += order >= 0;
	}
}

struct paths *paths_merge(struct paths *a, struct paths *b)
{
	struct paths *into = memory_array(1, sizeof(*into));
	struct merging merging = {
		.into = into,
		.from = {a, b},
		.moved = {memory_array(a->event_count, sizeof(uint32_t)),
			  memory_array(b->event_count, sizeof(uint32_t))},
	};

	merge_events(&merging);
	into->traced = merge_edges(&merging, &a->traced, &b->traced);
	into->untraced = merge_edges(&merging, &a->untraced, &b->untraced);
	into->uncrowded = merge_edges(&merging, &a->uncrowded, &b->uncrowded);
	merge_groups(&merging);
	into->ranks = a->ranks + b->ranks;
	into->kernels = a->kernels + b->kernels;
	into->all_kernels = a->all_kernels + b->all_kernels;
	into->is_part = a->is_part || b->is_part;
	into->begin_ns = min_ns(a->begin_ns, b->begin_ns);
	into->end_ns = max_ns(a->end_ns, b->end_ns);
	free(merging.moved[0]);
	free(merging.moved[1]);
	paths_free(a);
	paths_free(b);
	return into;
}
