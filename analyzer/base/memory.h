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

/* Returns zeroed memory for count elements, never NULL. The caller must free() it. */
void *memory_array(size_t count, size_t element_bytes);

/* Makes room for one more element after `count` elements. Returns the array, perhaps moved;
 * *capacity is the number of elements it has room for. */
void *memory_grow(void *array, size_t count, size_t *capacity, size_t element_bytes);

/* Returns the array, perhaps moved, with room for exactly count elements. */
void *memory_shrink(void *array, size_t count, size_t element_bytes);

/* Memory that is reused for one temporary array after the other: getting pages from the kernel each
 * time costs more than filling them. Zero-initialize it; room_free() it. */
struct room {
	void *memory;
	size_t bytes;
};

/* Room for count elements, uninitialized. Invalidates what was taken from the room before. */
void *room_take(struct room *room, size_t count, size_t element_bytes);
void room_free(struct room *room);

/* asprintf() that cannot fail; the caller must free() the text. */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory that is freed all at once by arena_free(). Zero-initialize it. */
struct arena {
	struct arena_block *blocks; /* the current block first */
	size_t used, size;
	size_t cut_texts;	   /* texts that arena_text() has cut */
	size_t longest_text_bytes; /* longest text that it has copied */
};

/* Returns zeroed memory, aligned for any type, until arena_free(). */
void *arena_alloc(struct arena *arena, size_t bytes);

/* The longest text kept. Texts come from strangers, and one may be printed in each row of an
 * output. */
#define ARENA_TEXT_MOST 65536

/* Returns a copy that is safe to print on a terminal and in JSON (printable.h). A text of more than
 * ARENA_TEXT_MOST bytes is cut; its new end states its former size. */
const char *arena_text(struct arena *arena, const char *text);

void arena_free(struct arena *arena);

/* A hash map from an integer to an index. Zero-initialize it; map_free() it. */
struct map {
	struct map_entry {
		uint64_t key;
		size_t value_plus_one; /* 0: the entry is empty */
	} * entries;
	size_t count, size; /* size: of the table; 0 or a power of two */
};

#define MAP_NONE SIZE_MAX

/* Adds key. False: key exists already; nothing has changed. */
bool map_add(struct map *map, uint64_t key, size_t value);

/* Adds key or changes its value. */
void map_set(struct map *map, uint64_t key, size_t value);

/* The value of key, or MAP_NONE. */
size_t map_find(const struct map *map, uint64_t key);

void map_free(struct map *map);

#endif
