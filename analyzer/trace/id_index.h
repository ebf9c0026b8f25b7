/*
 * Maps 32-bit ids to indexes of an array, for millions of ids. Ids from one counter have few gaps:
 * they get a table by id, 4 bytes for each id and gap. Other ids are sorted: 17 bytes an id.
 */
#ifndef STREAMTRACE_TRACE_ID_INDEX_H
#define STREAMTRACE_TRACE_ID_INDEX_H

#include "base/sort.h"

struct id_index {
	uint64_t least;
	/* By id - least: 1 + index; 0: no such id. NULL: there are too many gaps for a table. */
	uint32_t *places;
	struct sort_key *ids; /* sorted by id, which is the key; if there is no table */
	size_t count;	      /* number of places, or of ids */
	uint32_t *starts;     /* where to begin in ids, by (id - least) >> shift */
	size_t start_count;
	unsigned int shift;
};

/* ids[i] stands for indexes[i], which must be below UINT32_MAX. Id 0 is ignored. */
struct ids {
	const uint32_t *ids, *indexes;
	size_t count;
};

#define ID_NONE SIZE_MAX /* equals MAP_NONE */

/* Builds the index; free it by id_index_free(). Of equal ids the first one wins, in the order of
 * the arrays. One thread. */
void id_index_build(struct id_index *index, const struct ids *arrays, size_t array_count);

/* The index of the id, or ID_NONE. Any thread. */
size_t id_index_find(const struct id_index *index, uint64_t id);

void id_index_free(struct id_index *index);

#endif
