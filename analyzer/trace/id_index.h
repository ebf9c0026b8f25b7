/*
 * From 32-bit ids to indexes of an array, for millions of ids. Ids that one counter gave have few gaps: for
 * them it is a table by id, 4 bytes an id and a gap. Others are sorted: 17 bytes an id.
 */
#ifndef STREAMTRACE_TRACE_ID_INDEX_H
#define STREAMTRACE_TRACE_ID_INDEX_H

#include "base/sort.h"

struct id_index {
	uint64_t least;
	/* By id - least: 1 + index, 0: no such id. NULL: there are too many gaps. */
	uint32_t *places;
	struct sort_key *ids; /* by id; the key is the id */
	size_t count;	      /* of places or of ids */
	uint32_t *starts;     /* of ids, by (id - least) >> shift */
	size_t start_count;
	unsigned int shift;
};

/* Ids and what they stand for: indexes[i] < UINT32_MAX is that of ids[i]. An id of 0 is none. */
struct ids {
	const uint32_t *ids, *indexes;
	size_t count;
};

#define ID_NONE SIZE_MAX /* as MAP_NONE */

/* Of equal ids the first one counts, those of the first array first. One thread. */
void id_index_build(struct id_index *index, const struct ids *arrays, size_t array_count);

/* The index of the id, or ID_NONE. Any thread. */
size_t id_index_find(const struct id_index *index, uint64_t id);

void id_index_free(struct id_index *index);

#endif
