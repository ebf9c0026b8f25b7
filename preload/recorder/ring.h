/*
 * A single-producer, single-consumer queue of records: one a thread, drained by the writer thread.
 *
 * Records lie in segments. A thread fills its current one, hands it over full and goes on in another,
 * so that it holds as many as the writer is behind. Where all threads together have filled
 * RING_SEGMENTS_MOST, the writer does not get enough of the processor: then a thread packs its full
 * segment itself (pack.h, to a twentieth) and fills it again. Where there is no room for packed ones
 * either, the thread waits a little, and then the record is dropped, which is counted.
 *
 * All functions but ring_create() are free of locks and allocations; ring_reserve() makes a system call
 * only where memory is used for the first time, and where there is no room.
 */
#ifndef STREAMTRACE_RING_H
#define STREAMTRACE_RING_H

#include "base/thread_times.h"
#include "recorder/pool.h"
#include "recorder/record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct packed;

#define SEGMENT_RECORDS 1024 /* 128 KB */

/* Of all threads together: 64 MB of records, half a million, and 64 MB of packed ones, some six
 * million. Each thread has a segment beyond that. */
#define RING_SEGMENTS_MOST 512
#define RING_PACKED_MOST   4096
#define RING_PACKED_BYTES  ((uint32_t)16 << 10)

#define RING_WAKE_SEGMENTS 8 /* the writer is woken for: it reads every 50 ms anyway */

/* For what rooms above remember of a thread from call to call. Not thread-local: that would be taken of the
 * thread's stack, which may be small. */
#define RING_NOTES_BYTES 1536

/* More than there are pieces for one ring. */
#define RING_QUEUE 8192

struct segment {
	struct pool_piece piece;
	_Alignas(64) _Atomic uint32_t count; /* records committed; written by the producer */
	_Alignas(64) _Atomic uint32_t taken; /* of them, by who has the claim */
	_Atomic bool is_claimed;	     /* someone takes records of the current segment */
	struct record records[SEGMENT_RECORDS];
};

enum ring_state {
	RING_FREE,    /* nobody's: may be taken */
	RING_OWNED,   /* a thread pushes */
	RING_ORPHANED /* its thread ended; the writer frees it once it is empty */
};

struct ring {
	_Alignas(64) struct segment *_Atomic current; /* NULL while the ring is free */
	_Atomic uint32_t pushed;		      /* items queued; written by the producer */
	bool is_extending;
	_Atomic uint64_t dropped;	      /* written by the producer */
	_Alignas(64) _Atomic uint32_t popped; /* items taken; written by the writer */
	uint64_t dropped_reported;	      /* writer's */
	bool is_taken_over;		      /* writer's: at the end, while its thread may go on */
	_Alignas(64) _Atomic int state;	      /* enum ring_state */
	_Atomic uint32_t thread_id;	      /* gettid() of the producer; set before RING_OWNED */
	/* As its thread began to push, set before has_begun, and as it ended, set before
	 * RING_ORPHANED. */
	struct thread_times begun, ended;
	_Atomic bool has_begun;
	struct ring *next; /* in the recorder's list; never changes */
	_Alignas(64) unsigned char notes[RING_NOTES_BYTES]; /* the producer's; first all 0 */
	_Atomic uintptr_t queue[RING_QUEUE]; /* full segments; plus 1: struct packed */
};

/* A new ring in its own mapping, or NULL. Never freed: a thread of the program may use it until the
 * last instruction of the process, and rings of ended threads are used again. */
struct ring *ring_create(void);

/* Gives a free ring that was taken its first segment, as a new one has it. False: no memory. */
bool ring_begin(struct ring *ring);

/* In a forked child: all segments are free, and all rings are forgotten. */
void rings_after_fork(void);

/* The slow half of ring_reserve(): the current segment is full. */
struct record *ring_extend(struct ring *ring);

/* The next record to fill in, or NULL when there is no room. Producer only. */
static inline struct record *ring_reserve(struct ring *ring)
{
	struct segment *segment = atomic_load_explicit(&ring->current, memory_order_relaxed);
	uint32_t count = atomic_load_explicit(&segment->count, memory_order_relaxed);

	if (__builtin_expect(count == SEGMENT_RECORDS, 0))
		return ring_extend(ring);
	return &segment->records[count];
}

/* Counts a call that found no room. Producer only. */
static inline void ring_drop(struct ring *ring)
{
	uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);

	atomic_store_explicit(&ring->dropped, dropped + 1, memory_order_relaxed);
}

/* Hands the reserved record to the writer. True when so many segments have been filled since the last
 * true that it is time to wake the writer. Producer only. */
static inline bool ring_commit(struct ring *ring)
{
	struct segment *segment = atomic_load_explicit(&ring->current, memory_order_relaxed);
	uint32_t count = atomic_load_explicit(&segment->count, memory_order_relaxed) + 1;

	atomic_store_explicit(&segment->count, count, memory_order_release);
	return count == SEGMENT_RECORDS &&
	       (atomic_load_explicit(&ring->pushed, memory_order_relaxed) + 1) %
			       RING_WAKE_SEGMENTS ==
		       0;
}

/* What the writer takes of a ring at once, in the order in which it was pushed. */
struct ring_batch {
	const struct packed *packed; /* NULL: it is records */
	const struct record *records;
	uint32_t count;
	struct segment *segment; /* of the records */
	bool is_current;
};

/* The oldest batch, which stays valid until ring_give_back(), which must follow; false: the ring is
 * empty. Writer only, as all that follow. */
bool ring_next(struct ring *ring, struct ring_batch *batch);
/* Whether it is empty, and its thread is not just packing. */
bool ring_is_empty(const struct ring *ring);
void ring_give_back(const struct ring_batch *batch);

/* How often that was, of all rings. */
uint32_t rings_given_back(void);

/* The thread has ended, or does not go on, in the middle of packing: what it has not packed yet can be
 * read. Should it go on nevertheless, the ring is not to be read any more. */
void ring_take_over(struct ring *ring);

/* How many records there are about. */
uint32_t ring_waiting(const struct ring *ring);

/* The empty ring of a thread that has ended may be taken by another one. */
void ring_free(struct ring *ring);

#endif
