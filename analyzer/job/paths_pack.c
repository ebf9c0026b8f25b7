#include "base/memory.h"
#include "base/packing.h"
#include "job/paths.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TIME_NS (INT64_C(1) << 56)
#define VERSION	     2

/* The distance of the edge of the base that joins the same, from *next on; both are in order. */
static int64_t distance_in(const struct paths_edges *base, size_t *next, struct paths_edge edge)
{
	while (*next < base->count && paths_compare_edges(&base->items[*next], &edge) < 0)
		++*next;
	if (*next < base->count && !paths_compare_edges(&base->items[*next], &edge))
		return base->items[*next].distance_ns;
	return 0;
}

/* Distances as what is beyond the base's. */
static void pack_edges(struct packing *packing, const struct paths_edges *edges,
		       const struct paths_edges *base)
{
	uint32_t to = 0;
	size_t next = 0;

	pack_number(packing, edges->count);
	for (size_t i = 0; i < edges->count; i++) {
		struct paths_edge edge = edges->items[i];

		pack_number(packing, edge.to - to);
		pack_number(packing, edge.from == PATHS_BEGIN ? 0 : (uint64_t)edge.from + 1);
		pack_signed(packing, edge.distance_ns - distance_in(base, &next, edge));
		to = edge.to;
	}
}

static void pack_events(struct packing *packing, const struct paths *paths)
{
	struct paths_event last = {0};

	pack_number(packing, paths->event_count);
	for (size_t i = 0; i < paths->event_count; i++) {
		const struct paths_event *event = &paths->events[i];

		pack_number(packing, event->communicator - last.communicator);
		pack_number(packing, event->pair - last.pair);
		pack_number(packing, event->sequence - last.sequence);
		pack_number(packing, event->ranks);
		pack_number(packing, event->seen);
		pack_signed(packing, event->transfer_ns);
		last = *event;
	}
}

static void pack_groups(struct packing *packing, const struct paths *paths)
{
	pack_number(packing, paths->group_count);
	for (size_t i = 0; i < paths->group_count; i++) {
		const struct paths_group *group = &paths->groups[i];

		pack_bytes(packing, group->id, strlen(group->id));
		pack_bytes(packing, group->where, strlen(group->where));
		pack_number(packing, group->ranks);
		pack_edges(packing, &group->estimate, &paths->untraced);
		pack_edges(packing, &group->low, &group->estimate);
		pack_edges(packing, &group->before, &paths->untraced);
		pack_edges(packing, &group->high, &group->estimate);
	}
}

void *paths_pack(const struct paths *paths, size_t *size)
{
	const struct paths_edges none = {0};
	struct packing packing = {0};

	pack_number(&packing, VERSION);
	pack_number(&packing, paths->ranks);
	pack_number(&packing, paths->kernels);
	pack_number(&packing, paths->all_kernels);
	pack_number(&packing, paths->is_part);
	pack_signed(&packing, paths->begin_ns);
	pack_signed(&packing, paths->end_ns);
	pack_events(&packing, paths);
	pack_edges(&packing, &paths->untraced, &none);
	pack_edges(&packing, &paths->traced, &paths->untraced);
	pack_edges(&packing, &paths->uncrowded, &paths->untraced);
	pack_groups(&packing, paths);
	*size = packing.size;
	return packing.bytes;
}

/* Within its range, or the bytes are damaged. */
static uint64_t take_number(struct unpacking *unpacking, uint64_t most)
{
	uint64_t number = unpack_number(unpacking);

	unpacking->is_damaged |= number > most;
	return number > most ? 0 : number;
}

static int64_t take_time(struct unpacking *unpacking)
{
	int64_t time_ns = unpack_signed(unpacking);
	bool is_out = time_ns <= -MOST_TIME_NS || time_ns >= MOST_TIME_NS;

	unpacking->is_damaged |= is_out;
	return is_out ? 0 : time_ns;
}

static bool is_event(const struct paths *paths, uint32_t event, uint32_t special)
{
	return event < paths->event_count || event == special;
}

static struct paths_edge take_edge(struct unpacking *unpacking, const struct paths *paths,
				   uint32_t to, const struct paths_edges *base, size_t *next)
{
	struct paths_edge edge = {.to = to + (uint32_t)take_number(unpacking, UINT32_MAX)};
	int64_t beyond_ns;

	edge.from = (uint32_t)take_number(unpacking, UINT32_MAX) - 1; /* 0: PATHS_BEGIN */
	/* Of merged ranks both can be far from 0, on either side. */
	beyond_ns = unpack_signed(unpacking);
	if (beyond_ns <= -2 * MOST_TIME_NS || beyond_ns >= 2 * MOST_TIME_NS) {
		unpacking->is_damaged = true;
		return edge;
	}
	edge.distance_ns = beyond_ns + distance_in(base, next, edge);
	if (!is_event(paths, edge.to, PATHS_END) || !is_event(paths, edge.from, PATHS_BEGIN) ||
	    edge.distance_ns <= -MOST_TIME_NS || edge.distance_ns >= MOST_TIME_NS)
		unpacking->is_damaged = true;
	return edge;
}

static struct paths_edges take_edges(struct unpacking *unpacking, const struct paths *paths,
				     const struct paths_edges *base)
{
	size_t count = unpack_count(unpacking), next = 0;
	struct paths_edges edges = {.items = memory_array(count, sizeof(*edges.items))};

	while (edges.count < count && !unpacking->is_damaged) {
		struct paths_edge *last = edges.count ? &edges.items[edges.count - 1] : NULL;
		struct paths_edge edge =
			take_edge(unpacking, paths, last ? last->to : 0, base, &next);

		unpacking->is_damaged |= last && paths_compare_edges(last, &edge) >= 0;
		edges.items[edges.count++] = edge;
	}
	return edges;
}

static void take_events(struct unpacking *unpacking, struct paths *paths)
{
	size_t count = unpack_count(unpacking);
	struct paths_event last = {0};

	paths->events = memory_array(count, sizeof(*paths->events));
	while (paths->event_count < count && !unpacking->is_damaged) {
		struct paths_event *event = &paths->events[paths->event_count];

		event->communicator = last.communicator + unpack_number(unpacking);
		event->pair = last.pair + unpack_number(unpacking);
		event->sequence = last.sequence + unpack_number(unpacking);
		event->ranks = (uint32_t)take_number(unpacking, UINT32_MAX);
		event->seen = (uint32_t)take_number(unpacking, UINT32_MAX);
		event->transfer_ns = take_time(unpacking);
		unpacking->is_damaged |=
			event->transfer_ns < 0 ||
			(paths->event_count && paths_compare_events(&last, event) >= 0);
		last = *event;
		paths->event_count++;
	}
}

static char *take_text(struct unpacking *unpacking)
{
	size_t size;
	const char *bytes = unpack_bytes(unpacking, &size);

	return memory_format("%.*s", (int)size, bytes);
}

static void take_groups(struct unpacking *unpacking, struct paths *paths)
{
	size_t count = unpack_count(unpacking);

	paths->groups = memory_array(count, sizeof(*paths->groups));
	while (paths->group_count < count && !unpacking->is_damaged) {
		struct paths_group *group = &paths->groups[paths->group_count++];

		group->id = take_text(unpacking);
		group->where = take_text(unpacking);
		group->ranks = unpack_number(unpacking);
		group->estimate = take_edges(unpacking, paths, &paths->untraced);
		group->low = take_edges(unpacking, paths, &group->estimate);
		group->before = take_edges(unpacking, paths, &paths->untraced);
		group->high = take_edges(unpacking, paths, &group->estimate);
		unpacking->is_damaged |=
			paths->group_count > 1 && paths_compare_groups(group - 1, group) >= 0;
	}
}

struct paths *paths_unpack(const void *bytes, size_t size)
{
	const struct paths_edges none = {0};
	struct unpacking unpacking = {.bytes = bytes, .size = size};
	struct paths *paths = memory_array(1, sizeof(*paths));

	unpacking.is_damaged = unpack_number(&unpacking) != VERSION;
	paths->ranks = take_number(&unpacking, UINT32_MAX);
	paths->kernels = take_number(&unpacking, UINT64_MAX >> 16);
	paths->all_kernels = take_number(&unpacking, UINT64_MAX >> 16);
	paths->is_part = take_number(&unpacking, 1);
	paths->begin_ns = take_time(&unpacking);
	paths->end_ns = take_time(&unpacking);
	take_events(&unpacking, paths);
	paths->untraced = take_edges(&unpacking, paths, &none);
	paths->traced = take_edges(&unpacking, paths, &paths->untraced);
	paths->uncrowded = take_edges(&unpacking, paths, &paths->untraced);
	take_groups(&unpacking, paths);
	if (!unpacking.is_damaged && !unpacking.size)
		return paths;
	paths_free(paths);
	return NULL;
}
