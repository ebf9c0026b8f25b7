/*
 * The analyzer's memory: an arena for texts, growing arrays, a hash map of integers.
 *
 * If memory runs out, the program ends with a line on stderr: no function here fails. Any thread;
 * each arena, map, room and array must be used by one thread at a time.
 */
#ifndef STREAMTRACE_MEMORY_H
#define STREAMTRACE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on what is freed stays with the process, for its next arrays: getting pages from the kernel again costs more than
 * filling them. Call it before there are threads. */
void memory_keep_pages(void);

/* Returns zeroed memory for count elements, never NULL, even if count is 0. The caller must free()
 * it. */
void *memory_array(size_t count, size_t element_bytes);

/* For memory_grow() only. */
void *memory_double(void *array, size_t *capacity, size_t element_bytes);

/* Makes room for one more element after `count` elements. Returns the array, perhaps moved, and
 * updates *capacity, the number of elements that the array has room for. New elements are not
 * zeroed. An array may begin as NULL with a capacity of 0. The caller must free() the array. */
static inline void *memory_grow(void *array, size_t count, size_t *capacity, size_t element_bytes)
{
	return count < *capacity ? array : memory_double(array, capacity, element_bytes);
}

/* Makes room for at least `count` elements, whose content is undefined if there was less room. Otherwise
 * like memory_grow(). */
void *memory_reserve(void *array, size_t count, size_t *capacity, size_t element_bytes);

/* Returns the array, perhaps moved, with room for exactly count elements, or one if count is 0. */
void *memory_shrink(void *array, size_t count, size_t element_bytes);

/* Memory that is reused for one temporary array after the other: getting pages from the kernel each
 * time costs more than filling them. Zero-initialize it; room_free() it. */
struct room {
	void *memory;
	size_t bytes;
};

/* Returns memory for count elements, uninitialized and owned by the room. The array taken before is
 * then no longer valid. */
void *room_take(struct room *room, size_t count, size_t element_bytes);

/* Frees the memory; the room can be used again. */
void room_free(struct room *room);

/* asprintf() that cannot fail; the caller must free() the text. */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory that is freed all at once by arena_free(). Zero-initialize an arena. */
struct arena {
	struct arena_block *blocks; /* the current block first */
	size_t used, size;
	size_t cut_texts;	   /* texts that arena_text() has cut */
	size_t longest_text_bytes; /* the longest text that arena_text() has returned */
};

/* Returns zeroed memory, aligned for any type, until arena_free(). */
void *arena_alloc(struct arena *arena, size_t bytes);

/* Bytes of the longest text kept. Texts come from strangers, and a text may be printed in each row
 * of an output. */
#define ARENA_TEXT_MOST 65536

/* Returns a copy, owned by the arena, that is safe to print on a terminal and in JSON
 * (printable.h). A text of more than ARENA_TEXT_MOST bytes is cut; the copy's end states the former
 * size. */
const char *arena_text(struct arena *arena, const char *text);

/* Frees all memory of the arena, which is empty afterwards and can be used again. */
void arena_free(struct arena *arena);

/* A hash map from an integer to an index. Zero-initialize it; map_free() it. */
struct map {
	struct map_entry {
		uint64_t key;
		size_t value_plus_one; /* 0: the entry is empty */
	} * entries;
	size_t count, size; /* count: keys; size: entries of the table, 0 or a power of two */
};

#define MAP_NONE SIZE_MAX

/* Adds key with this value, which must not be MAP_NONE. False: the map had the key already, and has
 * not changed. */
bool map_add(struct map *map, uint64_t key, size_t value);

/* Adds key with this value, or changes the value of key. */
void map_set(struct map *map, uint64_t key, size_t value);

/* The value of key, or MAP_NONE. */
size_t map_find(const struct map *map, uint64_t key);

/* Frees the table; the map is empty afterwards and can be used again. */
void map_free(struct map *map);

#endif
