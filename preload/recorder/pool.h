/*
 * A pool of memory pieces of one size, without locks: any thread and signal handlers may take and
 * give. A slab of pieces is mapped (mmap) when it is first needed, and never unmapped. The piece
 * given back last is taken first, so only as much memory is touched as was in use at once.
 */
#ifndef STREAMTRACE_POOL_H
#define STREAMTRACE_POOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The head of each piece. The pool owns it: users must not write to it. */
struct pool_piece {
	_Atomic uint32_t next; /* the next free piece's number, counted from 1; 0: none */
	uint32_t number;
};

#define POOL_SLABS 256

/* The owner sets the first two members, and zeros the rest. */
struct pool {
	uint32_t piece_bytes;	     /* the size of a piece, a multiple of 64 */
	uint32_t slab_pieces;	     /* pieces in a slab */
	_Atomic uint64_t first_free; /* the first free piece's number; upper 32 bits: a count of
				      * changes */
	_Atomic uint32_t made_count; /* pieces ever used */
	_Atomic uint32_t used_count; /* pieces in use now */
	_Atomic(uint8_t *) slabs[POOL_SLABS];
};

/* Returns a piece, with its former content. NULL: `most` pieces are in use, or there is no memory.
 * The caller must give the piece back by pool_give(). */
void *pool_take(struct pool *pool, uint32_t most);

void pool_give(struct pool *pool, void *piece);

/* Returns how many pieces are in use. */
static inline uint32_t pool_used(const struct pool *pool)
{
	return atomic_load_explicit(&pool->used_count, memory_order_relaxed);
}

/* Call in a forked child: all pieces are free again, so the caller must forget those it had. */
void pool_after_fork(struct pool *pool);

#endif
