#include "base/memory.h"

#include "base/printable.h"

#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARENA_BLOCK_BYTES ((size_t)1 << 20)
#define ARENA_FIRST_BYTES 4096
#define MAP_FIRST_SIZE	  ((size_t)64)
#define EXIT_NO_MEMORY	  3
#define HUGE_PAGE_BYTES	  ((uintptr_t)1 << 21)
#define HEAP_STEP_BYTES	  (1 << 25) /* that the heap grows by, at least */

struct arena_block {
	struct arena_block *next;
	_Alignas(max_align_t) char bytes[];
};

static void *check_allocated(void *memory)
{
	if (memory)
		return memory;
	fputs("streamtrace: out of memory\n", stderr);
	exit(EXIT_NO_MEMORY);
}

/* The end of the heap when large pages were asked for last; 0: they are not asked for. */
static atomic_uintptr_t heap_end;

void memory_keep_pages(void)
{
	(void)mallopt(M_MMAP_THRESHOLD, INT_MAX);
	(void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
	(void)mallopt(M_TOP_PAD, HEAP_STEP_BYTES);
	/* One heap for all threads: they come and go, and what one leaves another one takes. */
	(void)mallopt(M_ARENA_MAX, 1);
	heap_end = (uintptr_t)sbrk(0);
}

/* Large pages avoid most page faults and TLB misses, because long arrays are read at random. A
 * kernel without them refuses, which does no harm. */
static void ask_huge_pages(char *start, size_t bytes)
{
	(void)madvise(start, bytes, MADV_HUGEPAGE);
}

/* For what the heap has grown by. */
static void ask_for_heap(void)
{
	char *end = sbrk(0);
	uintptr_t before;

	if (!heap_end)
		return;
	before = atomic_exchange(&heap_end, (uintptr_t)end);
	if (before < (uintptr_t)end)
		ask_huge_pages(end - ((uintptr_t)end - before), (uintptr_t)end - before);
}

static void *with_huge_pages(void *array, size_t count, size_t element_bytes)
{
	uintptr_t start = ((uintptr_t)array + HUGE_PAGE_BYTES - 1) & ~(HUGE_PAGE_BYTES - 1);
	uintptr_t end = ((uintptr_t)array + count * element_bytes) & ~(HUGE_PAGE_BYTES - 1);

	ask_for_heap();
	if (end > start + HUGE_PAGE_BYTES)
		ask_huge_pages((char *)array + (start - (uintptr_t)array), end - start);
	return array;
}

void *memory_array(size_t count, size_t element_bytes)
{
	return with_huge_pages(check_allocated(calloc(count ? count : 1, element_bytes)), count,
			       element_bytes);
}

void *memory_double(void *array, size_t *capacity, size_t element_bytes)
{
	*capacity = *capacity ? *capacity * 2 : 64;
	return with_huge_pages(check_allocated(reallocarray(array, *capacity, element_bytes)),
			       *capacity, element_bytes);
}

void *memory_reserve(void *array, size_t count, size_t *capacity, size_t element_bytes)
{
	if (count <= *capacity)
		return array;
	free(array);
	*capacity = count;
	return with_huge_pages(check_allocated(reallocarray(NULL, count, element_bytes)), count,
			       element_bytes);
}

void *memory_shrink(void *array, size_t count, size_t element_bytes)
{
	return check_allocated(reallocarray(array, count ? count : 1, element_bytes));
}

void *room_take(struct room *room, size_t count, size_t element_bytes)
{
	size_t bytes;

	if (__builtin_mul_overflow(count ? count : 1, element_bytes, &bytes))
		check_allocated(NULL);
	if (bytes <= room->bytes)
		return room->memory;
	free(room->memory);
	room->bytes = bytes + bytes / 16; /* the next array may be a little larger */
	room->memory = with_huge_pages(check_allocated(malloc(room->bytes)), room->bytes, 1);
	return room->memory;
}

void room_free(struct room *room)
{
	free(room->memory);
	*room = (struct room){0};
}

char *memory_format(const char *format, ...)
{
	va_list arguments;
	char *text = NULL;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return check_allocated(text);
}

/* Small blocks first: there may be thousands of arenas. */
static size_t next_block_bytes(size_t bytes)
{
	bytes = bytes ? bytes * 2 : ARENA_FIRST_BYTES;
	return bytes < ARENA_BLOCK_BYTES ? bytes : ARENA_BLOCK_BYTES;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
	size_t align = _Alignof(max_align_t);
	struct arena_block *block;
	void *memory;

	bytes = (bytes + align - 1) & ~(align - 1);
	if (!arena->blocks || arena->size - arena->used < bytes) {
		arena->size = next_block_bytes(arena->size);
		arena->size = bytes > arena->size ? bytes : arena->size;
		arena->used = 0;
		block = memory_array(1, sizeof(*block) + arena->size);
		block->next = arena->blocks;
		arena->blocks = block;
	}
	memory = arena->blocks->bytes + arena->used;
	arena->used += bytes;
	return memory;
}

/* How many bytes of the text can stay before the ending: whole characters. */
static size_t kept_bytes(const char *text, const char *ending)
{
	size_t kept = ARENA_TEXT_MOST - strlen(ending);

	while (kept && ((unsigned char)text[kept] & 0xc0) == 0x80)
		kept--;
	return kept;
}

static const char *cut_text(struct arena *arena, const char *text, size_t bytes)
{
	char ending[48], *copy = arena_alloc(arena, ARENA_TEXT_MOST + 1);
	size_t kept;

	snprintf(ending, sizeof(ending), "...(cut, of %zu bytes)", bytes);
	kept = kept_bytes(text, ending);
	memcpy(copy, text, kept);
	strcpy(copy + kept, ending);
	printable_make(copy);
	arena->cut_texts++;
	arena->longest_text_bytes = ARENA_TEXT_MOST;
	return copy;
}

const char *arena_text(struct arena *arena, const char *text)
{
	size_t bytes = strlen(text);
	char *copy;

	if (bytes > ARENA_TEXT_MOST)
		return cut_text(arena, text, bytes);
	copy = arena_alloc(arena, bytes + 1);
	memcpy(copy, text, bytes + 1);
	printable_make(copy);
	if (bytes > arena->longest_text_bytes)
		arena->longest_text_bytes = bytes;
	return copy;
}

void arena_free(struct arena *arena)
{
	struct arena_block *block;

	while ((block = arena->blocks)) {
		arena->blocks = block->next;
		free(block);
	}
	*arena = (struct arena){0};
}

/* Ids mostly come in order, so eight neighbours share a cache line. The groups of eight are
 * scattered: otherwise ids with gaps that wrap around the table would pile up into runs as long as
 * the table. */
static size_t map_slot(const struct map *map, uint64_t key)
{
	uint64_t mixed = (key >> 3) * 0x9e3779b97f4a7c15u;

	return (size_t)((mixed ^ mixed >> 32) << 3 | (key & 7)) & (map->size - 1);
}

static struct map_entry *map_entry(const struct map *map, uint64_t key)
{
	size_t slot = map_slot(map, key);

	while (map->entries[slot].value_plus_one && map->entries[slot].key != key)
		slot = (slot + 1) & (map->size - 1);
	return &map->entries[slot];
}

static void map_grow(struct map *map)
{
	struct map old = *map;
	size_t i;

	map->size = old.size ? old.size * 2 : MAP_FIRST_SIZE;
	map->entries = memory_array(map->size, sizeof(*map->entries));
	for (i = 0; i < old.size; i++)
		if (old.entries[i].value_plus_one)
			*map_entry(map, old.entries[i].key) = old.entries[i];
	free(old.entries);
}

void map_set(struct map *map, uint64_t key, size_t value)
{
	struct map_entry *entry;

	if (map->count >= map->size / 4 * 3)
		map_grow(map);
	entry = map_entry(map, key);
	map->count += !entry->value_plus_one;
	entry->key = key;
	entry->value_plus_one = value + 1;
}

bool map_add(struct map *map, uint64_t key, size_t value)
{
	if (map_find(map, key) != MAP_NONE)
		return false;
	map_set(map, key, value);
	return true;
}

size_t map_find(const struct map *map, uint64_t key)
{
	/* An empty entry holds 0, and 0 - 1 is MAP_NONE. */
	return map->size ? map_entry(map, key)->value_plus_one - 1 : MAP_NONE;
}

void map_free(struct map *map)
{
	free(map->entries);
	*map = (struct map){0};
}
