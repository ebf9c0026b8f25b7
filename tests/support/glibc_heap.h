/*
 * For programs of tests that need blocks as glibc's heap lays them out: a large one has pages of its own, and two words of the heap
 * before it. Sanitizers bring heaps of another layout, so under them each block is made here. One that is to be freed must come from
 * here, too. Any thread. Include it last.
 */
#ifndef TESTS_SUPPORT_GLIBC_HEAP_H
#define TESTS_SUPPORT_GLIBC_HEAP_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum {
	HEAP_OWN_BYTES = 128 << 10,
	HEAP_PAGE_BYTES = 4096,
	HEAP_IS_MAPPED = 2,
	HEAP_IS_PREVIOUS_USED = 1,
	HEAP_FLAGS = 7
};

/* The words before a block: how much of its mapping is before them, and how much is not, with flags. */
struct heap_words {
	size_t before, size;
};

static inline void *heap_block(size_t alignment, size_t bytes)
{
	const size_t before = alignment - sizeof(struct heap_words);
	const size_t all =
		(alignment + bytes + HEAP_PAGE_BYTES - 1) & ~(size_t)(HEAP_PAGE_BYTES - 1);
	char *mapping = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mapping == MAP_FAILED)
		return NULL;
	*(struct heap_words *)(mapping + before) = (struct heap_words){
		before,
		(all - before) | (bytes < HEAP_OWN_BYTES ? HEAP_IS_PREVIOUS_USED : HEAP_IS_MAPPED)};
	return mapping + alignment;
}

static inline void heap_free(void *block)
{
	const struct heap_words *words = (const struct heap_words *)block - 1;

	if (block)
		munmap((char *)words - words->before,
		       words->before + (words->size & ~(size_t)HEAP_FLAGS));
}

static inline void *heap_resize(void *block, size_t bytes)
{
	const size_t had = block ? (((struct heap_words *)block)[-1].size & ~(size_t)HEAP_FLAGS) -
					   sizeof(struct heap_words)
				 : 0;
	void *other = heap_block(sizeof(struct heap_words), bytes);

	if (other && block)
		memcpy(other, block, had < bytes ? had : bytes);
	heap_free(block);
	return other;
}

#define malloc(bytes)			heap_block(sizeof(struct heap_words), bytes)
#define calloc(count, bytes)		heap_block(sizeof(struct heap_words), (size_t)(count) * (bytes))
#define aligned_alloc(alignment, bytes) heap_block(alignment, bytes)
#define realloc(block, bytes)		heap_resize(block, bytes)
#define free(block)			heap_free(block)
#endif

#endif
