#include "trace/time_order.h"

#include "base/search.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* The time stands first in the elements of the first array. */
static uint64_t time_of(const struct row_ranges *ranges, size_t index)
{
	const char *elements = *ranges->arrays[0].items;

	return (uint64_t) * (const int64_t *)(elements + index * ranges->arrays[0].element_bytes);
}

/* Up to this size elements are copied out and back, which fits the processor's cache; in place,
 * each move waits for the one before. */
#define ASIDE_BYTES ((size_t)4 << 20)

static void move_array(struct time_order *order, const struct row_array *array, size_t first,
		       struct sort_key *keys, size_t count, const uint32_t *places)
{
	const size_t bytes = array->element_bytes;
	char *elements = (char *)*array->items + first * bytes, *aside;

	if (count > ASIDE_BYTES / bytes) {
		for (size_t i = 0; i < count; i++)
			keys[places[i]].index = (uint32_t)i;
		sort_elements(elements, bytes, keys, count);
		return;
	}
	aside = room_take(&order->elements, count, bytes);
	memcpy(aside, elements, count * bytes);
	for (size_t i = 0; i < count; i++)
		memcpy(elements + places[i] * bytes, aside + i * bytes, bytes);
}

/* Sorts the elements [first, first + count) of all arrays that follow the time by their keys, and
 * notes each element's new place, counted from first. */
static void move_elements(struct time_order *order, const struct row_ranges *ranges, size_t first,
			  struct sort_key *keys, size_t count, uint32_t *places)
{
	bool is_sorted = true;

	for (size_t i = 0; i < count; i++) {
		is_sorted &= keys[i].index == i;
		places[keys[i].index] = (uint32_t)i;
	}
	for (const struct row_array *array = ranges->arrays; array->items && !is_sorted; array++)
		if (array->follows_time)
			move_array(order, array, first, keys, count, places);
}

/* places: NULL where nobody asks for them. */
static void sort_part(struct time_order *order, const struct row_ranges *ranges, size_t first,
		      size_t count, uint32_t *places)
{
	struct sort_key *keys = room_take(&order->keys, count, sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct sort_key){time_of(ranges, first + i), (uint32_t)i};
	sort_by_key(keys, count, &order->more_keys);
	if (!places)
		places = room_take(&order->places, count, sizeof(*places));
	move_elements(order, ranges, first, keys, count, places);
}

void time_order_range(struct time_order *order, struct row_range *range)
{
	const struct row_ranges *ranges = range->ranges;

	if (ranges->arrays[0].follows_time)
		sort_part(order, ranges, range->at, range->count,
			  ranges->places ? *ranges->places + range->at : NULL);
}

void time_order_free(struct time_order *order)
{
	room_free(&order->keys);
	room_free(&order->more_keys);
	room_free(&order->places);
	room_free(&order->elements);
}

/* How many of the range's elements are earlier than the time, or at it where is_up_to. */
static size_t count_before(const struct row_range *range, uint64_t time_ns, bool is_up_to)
{
	return is_up_to ? search(range->count, i, time_of(range->ranges, range->at + i) <= time_ns)
			: search(range->count, i, time_of(range->ranges, range->at + i) < time_ns);
}

/* The latest time of the ranges before each one, and the earliest of those behind it. */
struct neighbours {
	uint64_t before_ns, behind_ns;
};

static struct neighbours *find_neighbours(const struct row_ranges *ranges)
{
	struct neighbours *neighbours = memory_array(ranges->count, sizeof(*neighbours));
	uint64_t before_ns = 0, behind_ns = UINT64_MAX;

	for (size_t i = 0; i < ranges->count; i++) {
		const struct row_range *range = &ranges->items[i];

		neighbours[i].before_ns = before_ns;
		if (range->count && time_of(ranges, range->at + range->count - 1) > before_ns)
			before_ns = time_of(ranges, range->at + range->count - 1);
	}
	for (size_t i = ranges->count; i-- > 0;) {
		const struct row_range *range = &ranges->items[i];

		neighbours[i].behind_ns = behind_ns;
		if (range->count && time_of(ranges, range->at) < behind_ns)
			behind_ns = time_of(ranges, range->at);
	}
	return neighbours;
}

/* Sorts the elements [first, end). */
static void settle_range(struct time_order *order, const struct row_ranges *ranges, size_t first,
			 size_t end, uint32_t *places)
{
	if (end - first < 2)
		return;
	sort_part(order, ranges, first, end - first, places ? places + first : NULL);
	for (size_t i = first; places && i < end; i++)
		places[i] += (uint32_t)first;
}

/* An element is in its place if no earlier range has a later one, and no later range an earlier
 * one. Sorts what lies between two such elements; gives each element's new place. */
static void sort_overlaps(const struct row_ranges *ranges, size_t count, uint32_t *places)
{
	struct neighbours *neighbours = find_neighbours(ranges);
	struct time_order order = {0};
	size_t open = 0; /* first element that may have to move */

	for (size_t i = 0; i < ranges->count; i++) {
		const struct row_range *range = &ranges->items[i];
		size_t settled = count_before(range, neighbours[i].before_ns, false);
		size_t unsettled = count_before(range, neighbours[i].behind_ns, true);

		if (settled >= unsettled)
			continue;
		settle_range(&order, ranges, open, range->at + settled, places);
		open = range->at + unsettled;
	}
	settle_range(&order, ranges, open, count, places);
	time_order_free(&order);
	free(neighbours);
}

/* Gives each row its place once what it was in its range is settled. */
static void note_places(struct row_ranges *ranges, size_t count)
{
	uint32_t *settled = memory_array(count, sizeof(*settled));

	for (size_t i = 0; i < count; i++)
		settled[i] = (uint32_t)i;
	sort_overlaps(ranges, count, settled);
	for (size_t i = 0; i < ranges->count; i++) {
		const struct row_range *range = &ranges->items[i];
		uint32_t *places = *ranges->places + range->at;

		for (size_t row = 0; row < range->count; row++)
			places[row] = settled[range->at + places[row]];
	}
	free(settled);
}

void time_order_table(struct row_ranges *ranges)
{
	const struct row_range *last = &ranges->items[ranges->count - 1];
	const size_t count = last->at + last->count;

	if (!ranges->arrays[0].follows_time)
		return;
	if (ranges->places)
		note_places(ranges, count);
	else
		sort_overlaps(ranges, count, NULL);
}
