#include "recorder/pool.h"

#include <sys/mman.h>

static struct pool_piece *piece_of(struct pool *pool, uint32_t number)
{
	uint32_t index = number - 1;
	uint8_t *slab = atomic_load(&pool->slabs[index / pool->slab_pieces]);

	return (void *)(slab + (size_t)(index % pool->slab_pieces) * pool->piece_bytes);
}

/* If another thread takes the piece between the two loads, the count of changes differs, and the
 * exchange fails. */
static struct pool_piece *take_free(struct pool *pool)
{
	uint64_t first = atomic_load(&pool->first_free), next;
	struct pool_piece *piece;

	do {
		if (!(uint32_t)first)
			return NULL;
		piece = piece_of(pool, (uint32_t)first);
		next = ((first >> 32) + 1) << 32 |
		       atomic_load_explicit(&piece->next, memory_order_relaxed);
	} while (!atomic_compare_exchange_weak(&pool->first_free, &first, next));
	return piece;
}

static uint8_t *slab_make(struct pool *pool, uint32_t slab)
{
	const size_t bytes = (size_t)pool->piece_bytes * pool->slab_pieces;
	uint8_t *memory = atomic_load(&pool->slabs[slab]), *expected = NULL;

	if (memory)
		return memory;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&pool->slabs[slab], &expected, memory))
		return memory;
	munmap(memory, bytes);
	return expected;
}

static struct pool_piece *make_piece(struct pool *pool)
{
	uint32_t index = atomic_load(&pool->made_count);
	struct pool_piece *piece;

	do {
		if (index >= POOL_SLABS * pool->slab_pieces ||
		    !slab_make(pool, index / pool->slab_pieces))
			return NULL;
	} while (!atomic_compare_exchange_weak(&pool->made_count, &index, index + 1));
	piece = piece_of(pool, index + 1);
	piece->number = index + 1;
	return piece;
}

void *pool_take(struct pool *pool, uint32_t most)
{
	struct pool_piece *piece = NULL;

	/* Only reads if the pool is exhausted, since many threads may ask. */
	if (pool_used(pool) >= most)
		return NULL;
	if (atomic_fetch_add(&pool->used_count, 1) < most) {
		piece = take_free(pool);
		if (!piece)
			piece = make_piece(pool);
	}
	if (!piece)
		atomic_fetch_sub(&pool->used_count, 1);
	return piece;
}

void pool_give(struct pool *pool, void *memory)
{
	struct pool_piece *piece = memory;
	uint64_t first = atomic_load(&pool->first_free), next;

	do {
		atomic_store_explicit(&piece->next, (uint32_t)first, memory_order_relaxed);
		next = ((first >> 32) + 1) << 32 | piece->number;
	} while (!atomic_compare_exchange_weak(&pool->first_free, &first, next));
	atomic_fetch_sub(&pool->used_count, 1);
}

void pool_after_fork(struct pool *pool)
{
	atomic_store(&pool->first_free, 0);
	atomic_store(&pool->made_count, 0);
	atomic_store(&pool->used_count, 0);
}
