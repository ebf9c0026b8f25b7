#include "trace/id_index.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>

/* A table by id has so many places an id at most. */
#define PLACES_AN_ID 4

/* So many ids share a start, if they are spread evenly. */
#define IDS_A_START 4

static void fill_places(struct id_index *index, const struct ids *array)
{
	for (size_t i = 0; i < array->count; i++)
		if (array->ids[i] && !index->places[array->ids[i] - index->least])
			index->places[array->ids[i] - index->least] = array->indexes[i] + 1;
}

static void fill_ids(struct id_index *index, const struct ids *array)
{
	for (size_t i = 0; i < array->count; i++)
		if (array->ids[i])
			index->ids[index->count++] =
				(struct sort_key){array->ids[i], array->indexes[i]};
}

static void find_starts(struct id_index *index, uint64_t span)
{
	const size_t wanted = index->count / IDS_A_START + 1;
	size_t start = 0;

	while (span >> index->shift >= wanted)
		index->shift++;
	index->start_count = (size_t)(span >> index->shift) + 2;
	index->starts = memory_array(index->start_count, sizeof(*index->starts));
	for (size_t i = 0; i < index->count; i++)
		for (size_t of_id = (index->ids[i].key - index->least) >> index->shift;
		     start < of_id;)
			index->starts[++start] = (uint32_t)i;
	while (++start < index->start_count)
		index->starts[start] = (uint32_t)index->count;
}

void id_index_build(struct id_index *index, const struct ids *arrays, size_t array_count)
{
	uint64_t most = 0, span;
	size_t count = 0;

	*index = (struct id_index){.least = UINT64_MAX};
	for (size_t i = 0; i < array_count; i++)
		for (size_t j = 0; j < arrays[i].count; j++) {
			const uint64_t id = arrays[i].ids[j];

			count += id != 0;
			most = id > most ? id : most;
			index->least = id && id < index->least ? id : index->least;
		}
	if (!count)
		return;
	span = most - index->least;
	if (span / PLACES_AN_ID < count) {
		index->count = (size_t)span + 1;
		index->places = memory_array(index->count, sizeof(*index->places));
	} else {
		index->ids = memory_array(count, sizeof(*index->ids));
	}
	for (size_t i = 0; i < array_count; i++)
		(index->places ? fill_places : fill_ids)(index, &arrays[i]);
	if (index->places)
		return;
	sort_by_key_once(index->ids, index->count);
	find_starts(index, span);
}

static size_t find_sorted(const struct id_index *index, uint64_t id)
{
	uint64_t start = (id - index->least) >> index->shift;
	size_t low, end;

	if (start >= index->start_count - 1)
		return ID_NONE;
	end = index->starts[start + 1];
	low = search_from(index->starts[start], end, i, index->ids[i].key < id);
	return low < end && index->ids[low].key == id ? index->ids[low].index : ID_NONE;
}

size_t id_index_find(const struct id_index *index, uint64_t id)
{
	if (!index->count || id < index->least)
		return ID_NONE;
	if (!index->places)
		return find_sorted(index, id);
	/* An empty place holds 0, and 0 - 1 is ID_NONE. */
	return id - index->least < index->count ? (size_t)index->places[id - index->least] - 1
						: ID_NONE;
}

void id_index_free(struct id_index *index)
{
	free(index->ids);
	free(index->places);
	free(index->starts);
	*index = (struct id_index){0};
}
