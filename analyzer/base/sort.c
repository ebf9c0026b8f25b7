#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS   11u
#define DIGIT_VALUES ((size_t)1 << DIGIT_BITS)

static bool is_sorted(const struct sort_key *keys, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (keys[i].key < keys[i - 1].key)
			return false;
	return true;
}

static size_t digit_of(const struct sort_key *key, uint64_t least, unsigned int shift)
{
	return (key->key - least) >> shift & (DIGIT_VALUES - 1);
}

/* Sorts the keys by one digit. */
static void sort_digit(const struct sort_key *from, struct sort_key *to, size_t count,
		       uint64_t least, unsigned int shift)
{
	size_t places[DIGIT_VALUES] = {0}, next = 0, i;

	for (i = 0; i < count; i++)
		places[digit_of(&from[i], least, shift)]++;
	for (i = 0; i < DIGIT_VALUES; i++) {
		const size_t of_digit = places[i];

		places[i] = next;
		next += of_digit;
	}
	for (i = 0; i < count; i++)
		to[places[digit_of(&from[i], least, shift)]++] = from[i];
}

/* Sorts by the digits that differ, from the last on: each pass keeps the order of the passes
 * before. */
void sort_by_key(struct sort_key *keys, size_t count, struct room *room)
{
	uint64_t least = UINT64_MAX, most = 0;
	struct sort_key *from = keys, *to;

	if (is_sorted(keys, count))
		return;
	for (size_t i = 0; i < count; i++) {
		least = keys[i].key < least ? keys[i].key : least;
		most = keys[i].key > most ? keys[i].key : most;
	}
	to = room_take(room, count, sizeof(*to));
	for (unsigned int shift = 0; shift < 64 && (most - least) >> shift; shift += DIGIT_BITS) {
		struct sort_key *sorted = to;

		sort_digit(from, to, count, least, shift);
		to = from;
		from = sorted;
	}
	if (from != keys)
		memcpy(keys, from, count * sizeof(*keys));
}

/* Elements usually have a few words: calling memcpy() would take longer than the copy. */
static inline void copy_element(char *to, const char *from, size_t bytes)
{
	uint64_t word;

	for (; bytes >= sizeof(word); bytes -= sizeof(word)) {
		memcpy(&word, from, sizeof(word));
		memcpy(to, &word, sizeof(word));
		from += sizeof(word);
		to += sizeof(word);
	}
	memcpy(to, from, bytes);
}

/* Cycle by cycle: a cycle's first element waits outside until its place is free. */
void sort_elements(void *array, size_t element_bytes, struct sort_key *keys, size_t count)
{
	char *elements = array, *first = memory_array(1, element_bytes);

	for (size_t start = 0; start < count; start++) {
		size_t at = start, from = keys[at].index;

		if (from == start)
			continue;
		copy_element(first, elements + start * element_bytes, element_bytes);
		for (; from != start; at = from, from = keys[at].index) {
			copy_element(elements + at * element_bytes, elements + from * element_bytes,
				     element_bytes);
			keys[at].index = (uint32_t)at;
		}
		copy_element(elements + at * element_bytes, first, element_bytes);
		keys[at].index = (uint32_t)at;
	}
	free(first);
}
