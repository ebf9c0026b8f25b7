/*
 * A single-producer, single-consumer ring of records: one a thread, drained by the writer thread.
 *
 * The producer never waits: with a full ring it counts the record as dropped. All functions but
 * ring_create() are free of locks, allocations and system calls, except that the producer wakes the
 * writer each time a quarter of the ring has filled while the writer sleeps (ring_wake_threshold).
 */
#ifndef STREAMTRACE_RING_H
#define STREAMTRACE_RING_H

#include "recorder/record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* 8 MB of address space a thread; pages are touched as the ring is first filled. 65,536 records are
 * a quarter of a second of back-to-back launches (3.8 us), or a burst of 86,000 of the cheapest
 * calls (0.2 us, of which SQLite takes a quarter meanwhile). The writer reads it every 50 ms and
 * when woken. */
#define RING_RECORDS	  65536
#define RING_WAKE_RECORDS (RING_RECORDS / 4)

enum ring_state {
	RING_FREE,    /* nobody's: may be taken */
	RING_OWNED,   /* a thread pushes */
	RING_ORPHANED /* its thread ended; the writer frees it once it is empty */
};

struct ring {
	_Alignas(64) _Atomic uint64_t head; /* records pushed; written by the producer */
	uint64_t cached_tail;		    /* tail as the producer read it last */
	_Atomic uint64_t dropped;	    /* written by the producer */
	_Alignas(64) _Atomic uint64_t tail; /* records taken; written by the writer */
	uint64_t dropped_reported;	    /* writer's */
	_Alignas(64) _Atomic int state;	    /* enum ring_state */
	_Atomic uint32_t thread_id;	    /* gettid() of the producer; set before RING_OWNED */
	struct ring *next;		    /* in the recorder's list; never changes */
	_Alignas(64) struct record records[RING_RECORDS];
};

/* A new ring in its own mapping, or NULL. Never freed: a thread of the program may use it until the
 * last instruction of the process, and rings of ended threads are used again. */
struct ring *ring_create(void);

/* The next record to fill in, or NULL when the ring is full. Producer only. */
static inline struct record *ring_reserve(struct ring *ring)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	if (head - ring->cached_tail >= RING_RECORDS) {
		ring->cached_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
		if (head - ring->cached_tail >= RING_RECORDS)
			return NULL;
	}
	return &ring->records[head % RING_RECORDS];
}

/* Counts a call that found no room. Producer only. */
static inline void ring_drop(struct ring *ring)
{
	uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);

	atomic_store_explicit(&ring->dropped, dropped + 1, memory_order_relaxed);
}

/* Hands the reserved record to the writer. True when a quarter of the ring has been filled since
 * the last true: time to wake the writer. Producer only. */
static inline bool ring_commit(struct ring *ring)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed) + 1;

	atomic_store_explicit(&ring->head, head, memory_order_release);
	return head % RING_WAKE_RECORDS == 0;
}

/* The oldest record, or NULL. It stays valid until ring_release(). Writer only. */
static inline const struct record *ring_peek(struct ring *ring)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	if (tail == atomic_load_explicit(&ring->head, memory_order_acquire))
		return NULL;
	return &ring->records[tail % RING_RECORDS];
}

/* Releases the peeked record's slot. Writer only. */
static inline void ring_release(struct ring *ring)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
}

#endif
