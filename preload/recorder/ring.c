#include "recorder/ring.h"

#include "base/short_sleep.h"
#include "recorder/pack.h"

#include <errno.h>
#include <sys/mman.h>

#define ALL UINT32_MAX

/* A thread without room retries every PAUSE_NS, MOST_PAUSES times (a second), but gives up after
 * STUCK_PAUSES (half a second) in which the writer gave nothing back. */
#define PAUSE_NS     2000000
#define MOST_PAUSES  500
#define STUCK_PAUSES 250

static _Atomic uint32_t given_back; /* batches given back by the writer */
static _Atomic bool is_stuck;	    /* the writer gave nothing back during STUCK_PAUSES */
static _Atomic bool never_waits;

static struct pool segments = {.piece_bytes = sizeof(struct segment), .slab_pieces = 64};
static struct pool packed_pool = {.piece_bytes = RING_PACKED_BYTES, .slab_pieces = 512};
static struct pool packers = {.piece_bytes = (sizeof(struct packer) + 63) / 64 * 64,
			      .slab_pieces = 64};

void rings_never_wait(void)
{
	atomic_store(&never_waits, true);
}

void rings_after_fork(void)
{
	pool_after_fork(&segments);
	pool_after_fork(&packed_pool);
	pool_after_fork(&packers);
	atomic_store(&is_stuck, false);
}

static struct segment *take_segment(uint32_t most)
{
	struct segment *segment = pool_take(&segments, most);

	if (!segment)
		return NULL;
	atomic_store_explicit(&segment->count, 0, memory_order_relaxed);
	atomic_store_explicit(&segment->taken, 0, memory_order_relaxed);
	atomic_store_explicit(&segment->is_claimed, false, memory_order_relaxed);
	return segment;
}

bool ring_begin(struct ring *ring)
{
	struct segment *segment = take_segment(ALL);

	/* A former thread can have ended inside ring_extend(), in a signal handler. */
	ring->is_extending = false;
	atomic_store_explicit(&ring->current, segment, memory_order_release);
	return segment != NULL;
}

struct ring *ring_create(void)
{
	void *memory = mmap(NULL, sizeof(struct ring), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	if (ring_begin(memory))
		return memory;
	munmap(memory, sizeof(struct ring));
	return NULL;
}

static bool has_queue_room(const struct ring *ring)
{
	return atomic_load_explicit(&ring->pushed, memory_order_relaxed) -
		       atomic_load_explicit(&ring->popped, memory_order_acquire) <
	       RING_QUEUE;
}

static void push_item(struct ring *ring, uintptr_t item)
{
	uint32_t pushed = atomic_load_explicit(&ring->pushed, memory_order_relaxed);

	atomic_store_explicit(&ring->queue[pushed % RING_QUEUE], item, memory_order_relaxed);
	atomic_store_explicit(&ring->pushed, pushed + 1, memory_order_release);
}

/* Sets the new segment before it queues the full one: the writer looks at the current one when the
 * queue is empty, and must not find one there that it may free (ring_next()). */
static struct record *go_on_in(struct ring *ring, struct segment *next)
{
	struct segment *full = atomic_load_explicit(&ring->current, memory_order_relaxed);

	atomic_store_explicit(&ring->current, next, memory_order_release);
	push_item(ring, (uintptr_t)full);
	return &next->records[0];
}

/* Packs the segment's next records into one piece of memory. False: no memory. */
static bool pack_some(struct ring *ring, struct segment *segment, struct packer *packer)
{
	struct packed *packed;
	uint32_t taken = atomic_load_explicit(&segment->taken, memory_order_relaxed);

	packed = has_queue_room(ring) ? pool_take(&packed_pool, RING_PACKED_MOST) : NULL;
	if (!packed)
		return false;
	packer_begin(packer, packed, RING_PACKED_BYTES);
	while (taken < SEGMENT_RECORDS && packer_add(packer, &segment->records[taken]))
		taken++;
	packer_end(packer);
	atomic_store_explicit(&segment->taken, taken, memory_order_relaxed);
	push_item(ring, (uintptr_t)packed | 1);
	return true;
}

/* The thread must have the claim. False: no room; the rest of the segment stays unpacked. */
static bool pack_segment(struct ring *ring, struct segment *segment)
{
	struct packer *packer = pool_take(&packers, ALL);
	bool ok = packer != NULL;

	while (ok && atomic_load_explicit(&segment->taken, memory_order_relaxed) < SEGMENT_RECORDS)
		ok = pack_some(ring, segment, packer);
	if (packer)
		pool_give(&packers, packer);
	if (!ok)
		return false;
	atomic_store_explicit(&segment->taken, 0, memory_order_relaxed);
	atomic_store_explicit(&segment->count, 0, memory_order_relaxed);
	return true;
}

static bool claim_segment(struct segment *segment)
{
	return !atomic_exchange_explicit(&segment->is_claimed, true, memory_order_acquire);
}

static void unclaim_segment(struct segment *segment)
{
	atomic_store_explicit(&segment->is_claimed, false, memory_order_release);
}

static struct record *extend_at_once(struct ring *ring)
{
	struct segment *segment = atomic_load_explicit(&ring->current, memory_order_relaxed), *next;
	bool is_packed;

	if (!has_queue_room(ring))
		return NULL;
	next = take_segment(RING_SEGMENTS_MOST);
	if (next)
		return go_on_in(ring, next);
	if (!claim_segment(segment)) {
		/* The writer is reading it just now. */
		next = take_segment(ALL);
		return next ? go_on_in(ring, next) : NULL;
	}
	is_packed = pack_segment(ring, segment);
	unclaim_segment(segment);
	return is_packed ? &segment->records[0] : NULL;
}

/* With all room in use, the threads leave the processor to the writer. If that does not help, the
 * writer itself waits, for a disk or a lock; then no thread waits until the writer goes on. */
static struct record *wait_and_extend(struct ring *ring)
{
	uint32_t before = atomic_load_explicit(&given_back, memory_order_relaxed);
	struct record *record = NULL;
	int in_vain = 0;

	for (int i = 0; i < MOST_PAUSES && !record; i++) {
		uint32_t now = atomic_load_explicit(&given_back, memory_order_relaxed);

		in_vain = now == before ? in_vain + 1 : 0;
		before = now;
		if (in_vain > STUCK_PAUSES)
			atomic_store_explicit(&is_stuck, true, memory_order_relaxed);
		if (atomic_load_explicit(&is_stuck, memory_order_relaxed))
			break;
		short_sleep(PAUSE_NS);
		record = extend_at_once(ring);
	}
	return record;
}

struct record *ring_extend(struct ring *ring)
{
	int saved_errno = errno;
	struct record *record;

	/* This is a signal handler that interrupted ring_extend(). */
	if (ring->is_extending)
		return NULL;
	ring->is_extending = true;
	atomic_signal_fence(memory_order_seq_cst);
	record = extend_at_once(ring);
	if (!record && !atomic_load_explicit(&never_waits, memory_order_relaxed))
		record = wait_and_extend(ring);
	atomic_signal_fence(memory_order_seq_cst);
	ring->is_extending = false;
	errno = saved_errno;
	return record;
}

static void take_queued(struct ring *ring, struct ring_batch *batch)
{
	uint32_t popped = atomic_load_explicit(&ring->popped, memory_order_relaxed), taken;
	uintptr_t item =
		atomic_load_explicit(&ring->queue[popped % RING_QUEUE], memory_order_relaxed);

	atomic_store_explicit(&ring->popped, popped + 1, memory_order_release);
	if (item & 1) {
		*batch = (struct ring_batch){.packed = (const void *)(item & ~(uintptr_t)1)};
		return;
	}
	*batch = (struct ring_batch){.segment = (void *)item};
	taken = atomic_load_explicit(&batch->segment->taken, memory_order_relaxed);
	batch->records = &batch->segment->records[taken];
	batch->count = SEGMENT_RECORDS - taken;
}

/* Reads the count before checking that the queue is empty: then the records are those after the
 * last item taken. */
static bool take_current(struct ring *ring, struct ring_batch *batch)
{
	struct segment *segment = atomic_load_explicit(&ring->current, memory_order_acquire);
	uint32_t count, taken;

	if (!segment || !claim_segment(segment))
		return false;
	count = atomic_load_explicit(&segment->count, memory_order_acquire);
	taken = atomic_load_explicit(&segment->taken, memory_order_relaxed);
	if (atomic_load_explicit(&ring->pushed, memory_order_acquire) !=
		    atomic_load_explicit(&ring->popped, memory_order_relaxed) ||
	    count == taken) {
		unclaim_segment(segment);
		return false;
	}
	*batch = (struct ring_batch){.records = &segment->records[taken],
				     .count = count - taken,
				     .segment = segment,
				     .is_current = true};
	return true;
}

bool ring_is_empty(const struct ring *ring)
{
	const struct segment *segment = atomic_load_explicit(&ring->current, memory_order_acquire);

	return (!segment || (atomic_load_explicit(&segment->count, memory_order_acquire) ==
				     atomic_load_explicit(&segment->taken, memory_order_relaxed) &&
			     !atomic_load_explicit(&segment->is_claimed, memory_order_acquire))) &&
	       atomic_load_explicit(&ring->pushed, memory_order_acquire) ==
		       atomic_load_explicit(&ring->popped, memory_order_relaxed);
}

void ring_give_back(const struct ring_batch *batch)
{
	atomic_fetch_add_explicit(&given_back, 1, memory_order_relaxed);
	atomic_store_explicit(&is_stuck, false, memory_order_relaxed);
	if (batch->packed) {
		pool_give(&packed_pool, (void *)batch->packed);
	} else if (!batch->is_current) {
		pool_give(&segments, batch->segment);
	} else {
		atomic_fetch_add_explicit(&batch->segment->taken, batch->count,
					  memory_order_relaxed);
		unclaim_segment(batch->segment);
	}
}

/* A segment that was read while it was current may be empty by now. */
bool ring_next(struct ring *ring, struct ring_batch *batch)
{
	while (atomic_load_explicit(&ring->pushed, memory_order_acquire) !=
	       atomic_load_explicit(&ring->popped, memory_order_relaxed)) {
		take_queued(ring, batch);
		if (batch->packed || batch->count)
			return true;
		ring_give_back(batch);
	}
	return take_current(ring, batch);
}

uint32_t ring_waiting(const struct ring *ring)
{
	const struct segment *segment = atomic_load_explicit(&ring->current, memory_order_acquire);
	const uint32_t queued = atomic_load_explicit(&ring->pushed, memory_order_acquire) -
				atomic_load_explicit(&ring->popped, memory_order_relaxed);

	if (queued || !segment)
		return queued * SEGMENT_RECORDS;
	return atomic_load_explicit(&segment->count, memory_order_acquire) -
	       atomic_load_explicit(&segment->taken, memory_order_relaxed);
}

void ring_take_over(struct ring *ring)
{
	struct segment *segment = atomic_load_explicit(&ring->current, memory_order_acquire);

	if (segment)
		unclaim_segment(segment);
}

uint32_t rings_given_back(void)
{
	return atomic_load_explicit(&given_back, memory_order_relaxed);
}

void ring_free(struct ring *ring)
{
	struct segment *segment = atomic_load_explicit(&ring->current, memory_order_relaxed);

	atomic_store_explicit(&ring->current, NULL, memory_order_relaxed);
	if (segment)
		pool_give(&segments, segment);
	atomic_store_explicit(&ring->state, RING_FREE, memory_order_release);
}
