/*
 * A ring: each thread's queue of records to the writer thread; single producer, single consumer.
 *
 * Records lie in segments. A thread fills its current segment, hands it to the writer and takes
 * another: the further the writer is behind, the more segments a thread holds. Once all threads
 * together hold RING_SEGMENTS_MOST, the writer gets too little processor time: a thread then packs
 * its full segment itself (pack.h, to a twentieth) and fills it again. If there is no room for
 * packed ones either, the thread waits up to a second, then the record is dropped and counted.
 *
 * No function but ring_create() locks or allocates. ring_reserve() makes system calls only to map
 * new memory and to wait for room.
 */
#ifndef STREAMTRACE_RING_H
#define STREAMTRACE_RING_H

#include "base/hot.h"
#include "base/thread_times.h"
#include "recorder/pool.h"
#include "recorder/record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct packed;
struct recorder_thread;

#define SEGMENT_RECORDS 1024 /* 128 KB */

/* Limits for all threads together: 64 MB of records (half a million) and 64 MB of packed ones (some
 * six million). Each thread has one segment more. */
#define RING_SEGMENTS_MOST 512
#define RING_PACKED_MOST   4096
#define RING_PACKED_BYTES  ((uint32_t)16 << 10)

#define RING_WAKE_SEGMENTS 8 /* full segments that wake the writer before its 50 ms are over */

/* Memory for higher rooms to remember facts about a thread from call to call. Not thread-local,
 * because thread-locals take room of the thread's stack, which may be small. */
#define RING_NOTES_BYTES 1536

/* Larger than the number of segments and packed pieces together. */
#define RING_QUEUE 8192

struct segment {
	struct pool_piece piece;
	_Alignas(64) _Atomic uint32_t count; /* records committed; written by the producer */
	_Alignas(64) _Atomic uint32_t taken; /* records taken of them; written by whoever set
					      * is_claimed */
	_Atomic bool is_claimed;	     /* someone is taking records of the current segment */
	struct record records[SEGMENT_RECORDS];
};

enum ring_state {
	RING_FREE,    /* no owner: a thread may take it */
	RING_OWNED,   /* a thread pushes records */
	RING_ORPHANED /* its thread has ended; the writer frees it once it is empty */
};

struct ring {
	_Alignas(64) struct segment *_Atomic current; /* NULL while the ring is free */
	_Atomic uint32_t pushed;		      /* items pushed to the queue; written by the
						       * producer */
	bool is_extending; /* the producer is in ring_extend(); its signal handlers get no room */
	_Atomic uint64_t dropped;	      /* records dropped; written by the producer */
	_Alignas(64) _Atomic uint32_t popped; /* items taken; written by the writer */
	uint64_t dropped_reported;	      /* the writer's */
	bool is_taken_over;		      /* the writer's: ring_take_over() was called, though
					       * the thread may go on */
	_Alignas(64) _Atomic int state;	      /* enum ring_state */
	_Atomic uint32_t thread_id;	      /* gettid() of the producer; set before RING_OWNED */
	/* The thread's times when it began to push (set before has_begun) and when it ended (set
	 * before RING_ORPHANED). */
	struct thread_times begun, ended;
	_Atomic bool has_begun;
	/* The thread's own memory, while it has the ring; NULL: it has ended. While is_looked_at the writer reads it, and
	 * its end waits. */
	_Atomic(struct recorder_thread *) owner;
	_Atomic bool is_looked_at;
	/* The writer's: the call that it last found the thread in (watch/stuck.h). */
	struct {
		uint64_t serial;
		int64_t entered_ns;
		bool is_told;
	} stuck;
	struct ring *next; /* in the recorder's list; never changes */
	_Alignas(64) unsigned char notes[RING_NOTES_BYTES]; /* the producer's; all 0 at first */
	_Atomic uintptr_t queue[RING_QUEUE]; /* addresses of full segments, or of struct packed plus
					      * 1 */
};

/* Returns a new ring in its own mapping; NULL: no memory. A ring is never freed, because a thread
 * may use its ring until the process's last instruction. Rings of ended threads are reused. */
struct ring *ring_create(void);

/* Gives a reused ring its first segment; a new ring has one. False: no memory. */
bool ring_begin(struct ring *ring);

/* From now on a thread without room does not wait: its record is dropped at once. Any thread. */
void rings_never_wait(void);

/* Call in a forked child: frees all segments; the caller must forget all rings. */
void rings_after_fork(void);

/* The slow path of ring_reserve(), for a full segment; may wait up to a second. NULL: no room. */
COLD struct record *ring_extend(struct ring *ring);

/* Returns the next record to fill in, or NULL: no room. Producer only. */
static inline struct record *ring_reserve(struct ring *ring)
{
	struct segment *segment = atomic_load_explicit(&ring->current, memory_order_relaxed);
	uint32_t count = atomic_load_explicit(&segment->count, memory_order_relaxed);

	if (__builtin_expect(count == SEGMENT_RECORDS, 0))
		return ring_extend(ring);
	return &segment->records[count];
}

/* Call before the real call: fetches the next record into the caches. Producer only. */
static inline void ring_foresee(const struct ring *ring)
{
	const struct segment *segment = atomic_load_explicit(&ring->current, memory_order_relaxed);
	const uint32_t count = atomic_load_explicit(&segment->count, memory_order_relaxed);
	const char *record = (const char *)&segment->records[count];

	__builtin_prefetch(record, 1);
	__builtin_prefetch(record + RECORD_BYTES / 2, 1);
}

/* Counts a dropped record. Producer only. */
static inline void ring_drop(struct ring *ring)
{
	uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);

	atomic_store_explicit(&ring->dropped, dropped + 1, memory_order_relaxed);
}

/* Hands the reserved record to the writer. True: RING_WAKE_SEGMENTS segments were filled since the
 * last true; the caller must wake the writer. Producer only. */
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

/* What the writer takes from a ring at once, in the order of pushing: `packed`, or `count`
 * records. */
struct ring_batch {
	const struct packed *packed; /* NULL: records */
	const struct record *records;
	uint32_t count;
	struct segment *segment; /* the segment with the records */
	bool is_current;	 /* the segment stays the thread's: it may get more records */
};

/* Takes the oldest batch. It is valid until ring_give_back(), which the caller must call. False:
 * the ring is empty. Writer only, like all below. */
bool ring_next(struct ring *ring, struct ring_batch *batch);
/* True: the ring has no records, and its thread is not packing any. */
bool ring_is_empty(const struct ring *ring);
void ring_give_back(const struct ring_batch *batch);

/* How many batches were given back so far, of all rings. */
uint32_t rings_given_back(void);

/* Call for a thread that ended or hangs in the middle of packing: makes its unpacked records
 * readable. If the thread has not ended, the caller may read the ring once more but never after
 * that, because the thread may go on. */
void ring_take_over(struct ring *ring);

/* About how many records wait in the ring. */
uint32_t ring_waiting(const struct ring *ring);

/* Lets another thread take the ring. The ring must be empty, and its thread must have ended. */
void ring_free(struct ring *ring);

#endif
