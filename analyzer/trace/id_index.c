#include "trace/id_index.h"

#include "base/memory.h"

#include <stdlib.h>

/* So many ids share a start, if they are spread evenly. */
#define IDS_A_START 4

void id_index_build(struct id_index *index, struct sort_key *ids, size_t count)
{
	size_t start = 0, wanted = count / IDS_A_START + 1;

	*index = (struct id_index){.ids = ids, .count = count};
	if (!count)
		return;
	sort_by_key_once(ids, count);
	index->least = ids[0].key;
	while ((ids[count - 1].key - index->least) >> index->shift >= wanted)
		index->shift++;
	index->start_count = (size_t)((ids[count - 1].key - index->least) >> index->shift) + 2;
	index->starts = memory_array(index->start_count, sizeof(*index->starts));
	for (size_t i = 0; i < count; i++)
		for (size_t of_id = (ids[i].key - index->least) >> index->shift; start < of_id;)
			index->starts[++start] = (uint32_t)i;
	while (++start < index->start_count)
		index->starts[start] = (uint32_t)count;
}

size_t id_index_find(const struct id_index *index, uint64_t id)
{
	uint64_t start = (id - index->least) >> index->shift;
	size_t low, high, end;

	if (!index->count || id < index->least || start >= index->start_count - 1)
		return ID_NONE;
	low = index->starts[start];
	high = end = index->starts[start + 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->ids[middle].key < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && index->ids[low].key == id ? index->ids[low].index : ID_NONE;
}

void id_index_free(struct id_index *index)
{
	free(index->ids);
	free(index->starts);
	*index = (struct id_index){0};
}
