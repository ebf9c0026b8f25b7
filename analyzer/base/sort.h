/*
 * Sorting by a number, in a time that grows with the count alone: for arrays of millions.
 *
 * Any thread; the arrays are one thread's at a time.
 */
#ifndef STREAMTRACE_SORT_H
#define STREAMTRACE_SORT_H

#include "base/memory.h"

/* What an element is sorted by, and which element it is. */
struct sort_key {
	uint64_t key;
	uint32_t index;
};

/* The key of a number that may be negative, such as a time. */
static inline uint64_t sort_signed(int64_t number)
{
	return (uint64_t)number ^ (UINT64_C(1) << 63);
}

/* And the number of the key. */
static inline int64_t sort_number(uint64_t key)
{
	return (int64_t)(key ^ (UINT64_C(1) << 63));
}

/* By key; equal keys stay in the order in which they are. room is for as many more. */
void sort_by_key(struct sort_key *keys, size_t count, struct room *room);

/* The same, with room of its own. */
static inline void sort_by_key_once(struct sort_key *keys, size_t count)
{
	struct room room = {0};

	sort_by_key(keys, count, &room);
	room_free(&room);
}

/* Moves the elements of an array in place: what was at keys[i].index is at i afterwards. The indexes
 * are a permutation of those below count. Keys stay as they are, their indexes are lost. */
void sort_elements(void *array, size_t element_bytes, struct sort_key *keys, size_t count);

#endif
