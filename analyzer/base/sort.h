/*
 * Sorts arrays of millions by a number, in time proportional to their length.
 *
 *	for (i = 0; i < count; i++)
 *		keys[i] = (struct sort_key){sort_signed(items[i].time_ns), i};
 *	sort_by_key_once(keys, count);
 *	sort_elements(items, sizeof(*items), keys, count);
 *
 * Any thread; each array must be used by one thread at a time.
 */
#ifndef STREAMTRACE_SORT_H
#define STREAMTRACE_SORT_H

#include "base/memory.h"

/* The number to sort by, and the index of its element. */
struct sort_key {
	uint64_t key;
	uint32_t index;
};

/* The key for a number that may be negative, such as a time. */
static inline uint64_t sort_signed(int64_t number)
{
	return (uint64_t)number ^ (UINT64_C(1) << 63);
}

/* The inverse of sort_signed(). */
static inline int64_t sort_number(uint64_t key)
{
	return (int64_t)(key ^ (UINT64_C(1) << 63));
}

/* Sorts in increasing order of the keys; equal keys keep their order. room: gives the memory for a
 * second array of keys, and can be used again afterwards. */
void sort_by_key(struct sort_key *keys, size_t count, struct room *room);

/* Like sort_by_key(), with a room that is freed before it returns. */
static inline void sort_by_key_once(struct sort_key *keys, size_t count)
{
	struct room room = {0};

	sort_by_key(keys, count, &room);
	room_free(&room);
}

/* Moves the elements in place: the element at keys[i].index goes to i. Each index below count must
 * occur once in keys. Afterwards keys[i].key is unchanged, and keys[i].index is i. */
void sort_elements(void *array, size_t element_bytes, struct sort_key *keys, size_t count);

#endif
