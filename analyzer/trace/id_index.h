/*
 * From 32-bit ids to indexes of an array, for millions of ids that have gaps: 17 bytes an id, and
 * neighbours are neighbours in memory.
 */
#ifndef STREAMTRACE_TRACE_ID_INDEX_H
#define STREAMTRACE_TRACE_ID_INDEX_H

#include "base/sort.h"

struct id_index {
	struct sort_key *ids; /* by id; the key is the id */
	size_t count;
	uint32_t *starts; /* of ids, by (id - least) >> shift */
	size_t start_count;
	uint64_t least;
	unsigned int shift;
};

#define ID_NONE SIZE_MAX /* as MAP_NONE */

/* Of count ids, each with its index; the index takes the array, which was malloc'ed. Of equal ids the
 * first one counts. One thread. */
void id_index_build(struct id_index *index, struct sort_key *ids, size_t count);

/* The index of the id, or ID_NONE. Any thread. */
size_t id_index_find(const struct id_index *index, uint64_t id);

void id_index_free(struct id_index *index);

#endif
