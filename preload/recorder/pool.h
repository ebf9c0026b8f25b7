/*
 * Pieces of memory of one size, for any thread and for signal handlers: no lock, and a system call
 * (mmap) only where a slab of them is needed for the first time. Memory is never given back to the
 * system, and the piece that was used last is given out first, so that what is touched is what was in
 * use at once.
 */
#ifndef STREAMTRACE_POOL_H
#define STREAMTRACE_POOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* What each piece begins with; the pool's. */
struct pool_piece {
	_Atomic uint32_t next; /* in the list of free ones: its number, counted from 1 */
	uint32_t number;
};

#define POOL_SLABS 256

struct pool {
	uint32_t piece_bytes; /* a multiple of 64 */
	uint32_t slab_pieces;
	_Atomic uint64_t first_free; /* its number, and above it how often this has changed */
	_Atomic uint32_t made_count; /* pieces that were ever used */
	_Atomic uint32_t used_count; /* that are in use now */
	_Atomic(uint8_t *) slabs[POOL_SLABS];
};

/* A piece, whose memory is as it was left; NULL when `most` of them are in use, or without memory. */
void *pool_take(struct pool *pool, uint32_t most);

void pool_give(struct pool *pool, void *piece);

static inline uint32_t pool_used(const struct pool *pool)
{
	return atomic_load_explicit(&pool->used_count, memory_order_relaxed);
}

/* In a forked child: nothing is in use. */
void pool_after_fork(struct pool *pool);

#endif
