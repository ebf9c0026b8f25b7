/*
 * Memory of the analyzer: an arena for texts, growing arrays, a hash map of integers.
 *
 * Out of memory ends the program with a line on stderr: nothing here returns a failure. Any
 * thread; each arena, map, room and array is one thread's at a time.
 */
#ifndef STREAMTRACE_MEMORY_H
#define STREAMTRACE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed memory for count elements; freed with free(). Never NULL. */
void *memory_array(size_t count, size_t element_bytes);

/* The array, moved if need be, with room for one more element behind count ones; *capacity is the
 * room there is. */
void *memory_grow(void *array, size_t count, size_t *capacity, size_t element_bytes);

/* The array, moved if need be, with room for count elements only. */
void *memory_shrink(void *array, size_t count, size_t element_bytes);

/* Memory for arrays that come and go, one at a time: taking pages from the kernel each time costs
 * more than filling them. Zero-initialize it. */
struct room {
	void *memory;
	size_t bytes;
};

/* Room for the elements, whose bytes are anything; what was taken before is gone. */
void *room_take(struct room *room, size_t count, size_t element_bytes);
void room_free(struct room *room);

/* asprintf() that cannot fail; freed with free(). */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory that is freed all at once. Zero-initialize it. */
struct arena {
	struct arena_block *blocks; /* the one in use first */
	size_t used, size;
	size_t cut_texts;	   /* that arena_text() cut */
	size_t longest_text_bytes; /* that it copied */
};

/* Zeroed, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* Texts come from others, and one can stand in each row of an output: of longer ones the rest is left out. */
#define ARENA_TEXT_MOST 65536

/* A copy that is safe to print on a terminal and to put into JSON (printable.h), of ARENA_TEXT_MOST bytes at most:
 * where a text is cut, its end says so, with the bytes that it had. */
const char *arena_text(struct arena *arena, const char *text);

void arena_free(struct arena *arena);

/* Integer to index. Zero-initialize it. */
struct map {
	struct map_entry {
		uint64_t key;
		size_t value_plus_one; /* 0: the entry is empty */
	} * entries;
	size_t count, size; /* size is 0 or a power of two */
};

#define MAP_NONE SIZE_MAX

/* Adds key. False, and nothing changed, when it is there already. */
bool map_add(struct map *map, uint64_t key, size_t value);

/* Adds key or changes its value. */
void map_set(struct map *map, uint64_t key, size_t value);

/* The value of key, or MAP_NONE. */
size_t map_find(const struct map *map, uint64_t key);

void map_free(struct map *map);

#endif
