#include "replay/schedule/path_lists.h"

#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* A time is known from at most so many. */
enum { MOST = 6 };

/* Both lists of a merge. */
struct merging {
	struct marked_path items[2 * MOST];
	size_t count;
};

static int64_t *longest_path(const struct path_lists *lists, uint32_t from, uint32_t to)
{
	size_t row = from == MARKED_BEGIN ? lists->mark_count : from;

	return &lists->longest_ns[(size_t)to * (lists->mark_count + 1) + row];
}

static uint32_t add_list(struct path_lists *lists, const struct marked_path *items, size_t count)
{
	uint32_t first = (uint32_t)lists->items.count;

	for (size_t i = 0; i < count; i++)
		*vector_add(&lists->items) = items[i];
	*vector_add(&lists->lists) = (struct path_list){first, (uint32_t)count};
	return (uint32_t)lists->lists.count - 1;
}

void path_lists_begin(struct path_lists *lists, size_t mark_count, const int64_t *ends_ns,
		      uint32_t origin)
{
	size_t cells = mark_count * (mark_count + 1);
	struct marked_path item = {origin, 0};

	lists->mark_count = mark_count;
	lists->ends_ns = ends_ns;
	lists->longest_ns = memory_array(cells, sizeof(*lists->longest_ns));
	for (size_t i = 0; i < cells; i++)
		lists->longest_ns[i] = INT64_MIN;
	add_list(lists, &item, 1);
}

void path_lists_free(struct path_lists *lists)
{
	free(lists->longest_ns);
	vector_free(&lists->items);
	vector_free(&lists->lists);
}

struct path_time path_lists_end_of(struct path_lists *lists, uint32_t mark)
{
	struct marked_path item = {mark, 0};

	return (struct path_time){add_list(lists, &item, 1), 0};
}

static void add_path(struct merging *merging, struct marked_path item)
{
	for (size_t i = 0; i < merging->count; i++) {
		if (merging->items[i].from != item.from)
			continue;
		merging->items[i].distance_ns =
			max_ns(merging->items[i].distance_ns, item.distance_ns);
		return;
	}
	merging->items[merging->count++] = item;
}

static void add_all(struct merging *merging, const struct path_lists *lists, struct path_time time)
{
	uint32_t first = lists->lists.items[time.list].first;
	uint32_t count = lists->lists.items[time.list].count;

	for (uint32_t i = first; i < first + count; i++)
		add_path(merging,
			 (struct marked_path){lists->items.items[i].from,
					      lists->items.items[i].distance_ns + time.offset_ns});
}

/* Whether `by` is never earlier: it comes behind the one that the other is from, which takes at least
 * nothing. */
static bool is_implied(const struct path_lists *lists, struct marked_path path,
		       struct marked_path by)
{
	int64_t between_ns;

	if (by.from == MARKED_BEGIN || by.from == path.from)
		return false;
	between_ns = *longest_path(lists, path.from, by.from);
	return between_ns != INT64_MIN && path.distance_ns <= between_ns + by.distance_ns;
}

static void drop_path(struct merging *merging, size_t index)
{
	merging->count--;
	memmove(&merging->items[index], &merging->items[index + 1],
		(merging->count - index) * sizeof(*merging->items));
}

static void drop_implied(struct merging *merging, const struct path_lists *lists)
{
	for (size_t i = merging->count; i-- > 0;) {
		bool is_dropped = false;

		for (size_t k = 0; k < merging->count && !is_dropped; k++)
			is_dropped = is_implied(lists, merging->items[i], merging->items[k]);
		if (is_dropped)
			drop_path(merging, i);
	}
}

/* When it is in this replay. */
static int64_t time_of(const struct path_lists *lists, struct marked_path path)
{
	int64_t from_ns = path.from == MARKED_BEGIN ? 0 : lists->ends_ns[path.from];

	return from_ns + path.distance_ns;
}

/* Of more those stay that decide, or come next to it. */
static void keep_last(struct merging *merging, const struct path_lists *lists, size_t most)
{
	while (merging->count > most) {
		size_t first = 0;

		for (size_t i = 1; i < merging->count; i++)
			if (time_of(lists, merging->items[i]) <
			    time_of(lists, merging->items[first]))
				first = i;
		drop_path(merging, first);
	}
}

/* Whether that is what the time has. */
static bool equals_list(const struct merging *merging, const struct path_lists *lists,
			struct path_time time)
{
	const struct marked_path *items = &lists->items.items[lists->lists.items[time.list].first];

	if (lists->lists.items[time.list].count != merging->count)
		return false;
	for (size_t i = 0; i < merging->count; i++)
		if (items[i].from != merging->items[i].from ||
		    items[i].distance_ns + time.offset_ns != merging->items[i].distance_ns)
			return false;
	return true;
}

struct path_time path_lists_later(struct path_lists *lists, struct path_time a, struct path_time b)
{
	struct merging merging = {.count = 0};

	if (a.list == PATH_NO_LIST)
		return b;
	if (b.list == PATH_NO_LIST)
		return a;
	if (a.list == b.list)
		return a.offset_ns >= b.offset_ns ? a : b;
	add_all(&merging, lists, a);
	add_all(&merging, lists, b);
	drop_implied(&merging, lists);
	keep_last(&merging, lists, MOST);
	if (equals_list(&merging, lists, a))
		return a;
	if (equals_list(&merging, lists, b))
		return b;
	return (struct path_time){add_list(lists, merging.items, merging.count), 0};
}

size_t path_lists_take(struct path_lists *lists, struct path_time time, struct marked_path *paths)
{
	struct merging merging = {.count = 0};

	if (time.list == PATH_NO_LIST)
		return 0;
	add_all(&merging, lists, time);
	drop_implied(&merging, lists);
	keep_last(&merging, lists, MARKED_PATHS_MOST);
	memcpy(paths, merging.items, merging.count * sizeof(*paths));
	return merging.count;
}

size_t path_lists_reach(struct path_lists *lists, uint32_t mark, struct path_time time,
			struct marked_path *paths)
{
	size_t count = path_lists_take(lists, time, paths);

	for (size_t i = 0; i < count; i++) {
		uint32_t over = paths[i].from;
		int64_t *cell = longest_path(lists, over, mark);

		*cell = max_ns(*cell, paths[i].distance_ns);
		for (uint32_t from = 0; over != MARKED_BEGIN && from <= lists->mark_count; from++) {
			uint32_t of = from < lists->mark_count ? from : MARKED_BEGIN;
			int64_t way_ns = *longest_path(lists, of, over);

			cell = longest_path(lists, of, mark);
			if (way_ns != INT64_MIN)
				*cell = max_ns(*cell, way_ns + paths[i].distance_ns);
		}
	}
	return count;
}
