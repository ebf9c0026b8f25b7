#include "trace/time_order.h"

#include "base/search.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* The time stands first in the elements of the first array. */
static uint64_t time_of(const struct row_shards *shards, size_t index)
{
	const char *elements = *shards->arrays[0].items;

	return (uint64_t) * (const int64_t *)(elements + index * shards->arrays[0].element_bytes);
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
static void move_elements(struct time_order *order, const struct row_shards *shards, size_t first,
			  struct sort_key *keys, size_t count, uint32_t *places)
{
	bool is_sorted = true;

	for (size_t i = 0; i < count; i++) {
		is_sorted &= keys[i].index == i;
		places[keys[i].index] = (uint32_t)i;
	}
	for (const struct row_array *array = shards->arrays; array->items && !is_sorted; array++)
		if (array->follows_time)
			move_array(order, array, first, keys, count, places);
}

/* places: NULL where nobody asks for them. */
static void sort_part(struct time_order *order, const struct row_shards *shards, size_t first,
		      size_t count, uint32_t *places)
{
	struct sort_key *keys = room_take(&order->keys, count, sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct sort_key){time_of(shards, first + i), (uint32_t)i};
	sort_by_key(keys, count, &order->more_keys);
	if (!places)
		places = room_take(&order->places, count, sizeof(*places));
	move_elements(order, shards, first, keys, count, places);
}

void time_order_shard(struct time_order *order, struct row_shard *shard)
{
	const struct row_shards *shards = shard->shards;

	if (shards->arrays[0].follows_time)
		sort_part(order, shards, shard->at, shard->count,
			  shards->places ? *shards->places + shard->at : NULL);
}

void time_order_free(struct time_order *order)
{
	room_free(&order->keys);
	room_free(&order->more_keys);
	room_free(&order->places);
	room_free(&order->elements);
}

/* How many of the shard's elements are earlier than the time, or at it where is_up_to. */
static size_t count_before(const struct row_shard *shard, uint64_t time_ns, bool is_up_to)
{
	return is_up_to ? search(shard->count, i, time_of(shard->shards, shard->at + i) <= time_ns)
			: search(shard->count, i, time_of(shard->shards, shard->at + i) < time_ns);
}

/* The latest time of the shards before each one, and the earliest of those behind it. */
struct neighbours {
	uint64_t before_ns, behind_ns;
};

static struct neighbours *find_neighbours(const struct row_shards *shards)
{
	struct neighbours *neighbours = memory_array(shards->count, sizeof(*neighbours));
	uint64_t before_ns = 0, behind_ns = UINT64_MAX;

	for (size_t i = 0; i < shards->count; i++) {
		const struct row_shard *shard = &shards->items[i];

		neighbours[i].before_ns = before_ns;
		if (shard->count && time_of(shards, shard->at + shard->count - 1) > before_ns)
			before_ns = time_of(shards, shard->at + shard->count - 1);
	}
	for (size_t i = shards->count; i-- > 0;) {
		const struct row_shard *shard = &shards->items[i];

		neighbours[i].behind_ns = behind_ns;
		if (shard->count && time_of(shards, shard->at) < behind_ns)
			behind_ns = time_of(shards, shard->at);
	}
	return neighbours;
}

/* Sorts the elements [first, end). */
static void settle_rows(struct time_order *order, const struct row_shards *shards, size_t first,
			size_t end, uint32_t *places)
{
	if (end - first < 2)
		return;
	sort_part(order, shards, first, end - first, places ? places + first : NULL);
	for (size_t i = first; places && i < end; i++)
		places[i] += (uint32_t)first;
}

/* An element is in its place if no earlier shard has a later one, and no later shard an earlier
 * one. Sorts what lies between two such elements; gives each element's new place. */
static void sort_overlaps(const struct row_shards *shards, size_t count, uint32_t *places)
{
	struct neighbours *neighbours = find_neighbours(shards);
	struct time_order order = {0};
	size_t open = 0; /* first element that may have to move */

	for (size_t i = 0; i < shards->count; i++) {
		const struct row_shard *shard = &shards->items[i];
		size_t settled = count_before(shard, neighbours[i].before_ns, false);
		size_t unsettled = count_before(shard, neighbours[i].behind_ns, true);

		if (settled >= unsettled)
			continue;
		settle_rows(&order, shards, open, shard->at + settled, places);
		open = shard->at + unsettled;
	}
	settle_rows(&order, shards, open, count, places);
	time_order_free(&order);
	free(neighbours);
}

/* Gives each row its place once what it was in its shard is settled. */
static void note_places(struct row_shards *shards, size_t count)
{
	uint32_t *settled = memory_array(count, sizeof(*settled));

	for (size_t i = 0; i < count; i++)
		settled[i] = (uint32_t)i;
	sort_overlaps(shards, count, settled);
	for (size_t i = 0; i < shards->count; i++) {
		const struct row_shard *shard = &shards->items[i];
		uint32_t *places = *shards->places + shard->at;

		for (size_t row = 0; row < shard->count; row++)
			places[row] = settled[shard->at + places[row]];
	}
	free(settled);
}

void time_order_table(struct row_shards *shards)
{
	const struct row_shard *last = &shards->items[shards->count - 1];
	const size_t count = last->at + last->count;

	if (!shards->arrays[0].follows_time)
		return;
	if (shards->places)
		note_places(shards, count);
	else
		sort_overlaps(shards, count, NULL);
}
