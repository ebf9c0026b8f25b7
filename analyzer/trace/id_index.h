/*
 * Maps 32-bit ids to indexes of an array, for millions of ids. Ids from one counter have few gaps:
 * they get a table by id, 4 bytes for each id and each gap. Other ids are sorted, which takes
 * 17 bytes an id.
 */
#ifndef STREAMTRACE_TRACE_ID_INDEX_H
#define STREAMTRACE_TRACE_ID_INDEX_H

#include "base/sort.h"

struct id_index {
	uint64_t least;
	/* By id - least: 1 + index; 0: no such id. NULL: there are too many gaps for a table. */
	uint32_t *places;
	struct sort_key *ids; /* if there is no table: sorted by id, which is the key */
	size_t count;	      /* number of places, or of ids */
	uint32_t *starts;     /* by (id - least) >> shift: where to begin in ids */
	size_t start_count;
	unsigned int shift;
};

/* ids[i] stands for indexes[i], which must be below UINT32_MAX. Id 0 is ignored. */
struct ids {
	const uint32_t *ids, *indexes;
	size_t count;
};

#define ID_NONE SIZE_MAX /* equals MAP_NONE */

/* Fills in *index; free it by id_index_free(). The arrays are not needed afterwards. Of equal ids
 * the first one wins, in the order of the arrays. One thread. */
void id_index_build(struct id_index *index, const struct ids *arrays, size_t array_count);

/* The index of the id, or ID_NONE. Any thread. */
size_t id_index_find(const struct id_index *index, uint64_t id);

void id_index_free(struct id_index *index);

#endif
