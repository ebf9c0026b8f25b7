#include "life/drain.h"

#include "base/short_sleep.h"
#include "life/loss_rows.h"
#include "recorder/pack.h"
#include "recorder/recorder.h"
#include "store/store.h"
#include "store/window_rows.h"

#define PASS_RECORDS 65536 /* of a ring, before it is the next ring's turn */

/* Fewer records of a thread wait for more, unless they must be in the file. */
#define BLOCK_RECORDS 1024

/* At the end: pauses for threads that are packing, which takes less than a millisecond of a
 * processor. */
#define PAUSE_NS     1000000
#define STUCK_PAUSES 500

#define PACK_BYTES ((uint32_t)96 << 10)

/* Packs the records of the ring being drained. */
static struct {
	struct packer packer;
	bool is_open;
	_Alignas(64) uint8_t memory[PACK_BYTES];
} pack;

/* The state for one ring. */
struct drain {
	struct store *store;
	const struct drain_rules *rules;
	uint32_t thread_id;
	uint64_t backward;
	uint64_t late_calls, late_runs, late_ties, late_edges, late_ranges, late_reads,
		late_collectives;
};

void drain_after_fork(void)
{
	pack.is_open = false;
}

static void store_other(const struct drain *drain, const struct record *record)
{
	switch (record->kind) {
	case RECORD_HOST_FUNCTION:
		if (window_rows_include((uint64_t)record->start_ns, (uint64_t)record->end_ns,
					record->correlation))
			store_host_function(drain->store, record, drain->thread_id);
		break;
	case RECORD_OVERHEAD:
		store_overhead(drain->store, OVERHEAD_CONTENT, record->start_ns, record->end_ns,
			       drain->thread_id);
		break;
	case RECORD_RANGE_PUSH:
	case RECORD_RANGE_START:
	case RECORD_RANGE_END:
		store_nvtx_range(drain->store, record, drain->thread_id);
		break;
	case RECORD_CLOCK_READ:
		if (window_rows_include((uint64_t)record->start_ns, (uint64_t)record->start_ns + 1,
					0))
			store_clock_read(drain->store, record, drain->thread_id);
		break;
	case RECORD_COLLECTIVE:
		store_collective(drain->store, record, drain->thread_id);
		break;
	case RECORD_COLLECTIVE_GROUP:
		store_collective_group(drain->store, record);
		break;
	case RECORD_COMMUNICATOR:
		store_communicator(drain->store, record);
		break;
	case RECORD_GRAPH_NODE:
		store_graph_node(drain->store, record, drain->thread_id);
		break;
	case RECORD_GRAPH_EDGE:
		store_graph_edge(drain->store, record);
		break;
	case RECORD_STEP:
		break;
	default:
		store_correlation(drain->store, record, drain->thread_id);
	}
}

static void store_note(const struct drain *drain, const struct packed_note *note, int64_t first_id)
{
	struct record other;

	switch (note->kind) {
	case PACKED_OTHER:
		other = packed_other(note);
		store_other(drain, &other);
		break;
	case PACKED_SERIAL:
		store_call_serial(drain->store, drain->thread_id, note->value,
				  first_id + note->number);
		break;
	case PACKED_TOOL_COST:
		store_tool_cost(drain->store, note->function,
				&(struct store_tool_cost){(int64_t)(note->value >> 32),
							  (int64_t)(uint32_t)note->value,
							  note->number});
		break;
	default:
		break;
	}
}

static void store_block(struct drain *drain, const struct packed *packed)
{
	const int64_t first_id = store_call_block(drain->store, packed, drain->thread_id);
	const struct packed_note *note = NULL;

	while ((note = packed_next_note(packed, note)))
		store_note(drain, note, first_id);
	drain->backward += packed->backward;
}

static void store_packed(struct drain *drain, const struct packed *packed)
{
	if (!drain->rules->take || !drain->rules->take(packed, drain->thread_id))
		store_block(drain, packed);
}

void drain_store_block(struct store *store, const struct packed *packed, uint32_t thread_id)
{
	struct drain drain = {.store = store, .thread_id = thread_id};

	store_block(&drain, packed);
	loss_rows_store_of_thread(store, LOSS_BACKWARD_CALL, drain.backward, thread_id);
}

static void pack_end(struct drain *drain)
{
	if (!pack.is_open)
		return;
	pack.is_open = false;
	packer_end(&pack.packer);
	store_packed(drain, pack.packer.packed);
}

static void add_to_block(struct drain *drain, const struct record *record)
{
	if (pack.is_open && packer_add(&pack.packer, record))
		return;
	pack_end(drain);
	packer_begin(&pack.packer, (void *)pack.memory, PACK_BYTES);
	pack.is_open = true;
	packer_add(&pack.packer, record);
}

/* A record is seen when its block has it: take() compares what a block has with what was seen of it. */
static void pack_record(struct drain *drain, const struct record *record)
{
	if (record->kind == RECORD_CALL && record->has & RECORD_HAS_CORRELATION)
		window_rows_note_call(record->start_ns, record->correlation);
	add_to_block(drain, record);
	if (drain->rules->see)
		drain->rules->see(record, drain->thread_id);
}

static void count_late(struct drain *drain, const struct record *record)
{
	drain->late_calls += record->kind == RECORD_CALL;
	drain->late_runs += record->kind == RECORD_HOST_FUNCTION;
	drain->late_ties += record->kind == RECORD_CORRELATION || record->kind == RECORD_GRAPH_NODE;
	drain->late_edges += record->kind == RECORD_GRAPH_EDGE;
	drain->late_ranges += record->kind >= RECORD_RANGE_PUSH && record->kind <= RECORD_RANGE_END;
	drain->late_reads += record->kind == RECORD_CLOCK_READ;
	drain->late_collectives +=
		record->kind >= RECORD_COLLECTIVE && record->kind <= RECORD_COMMUNICATOR;
}

static void count_late_packed(struct drain *drain, const struct packed *packed)
{
	const struct packed_note *note = NULL;
	struct record other;

	drain->late_calls += packed->calls;
	while ((note = packed_next_note(packed, note))) {
		if (note->kind != PACKED_OTHER)
			continue;
		other = packed_other(note);
		count_late(drain, &other);
	}
}

static void see_packed(const struct drain *drain, const struct packed *packed)
{
	const struct packed_note *note = NULL;
	struct record other;

	while (drain->rules->see && (note = packed_next_note(packed, note))) {
		if (note->kind != PACKED_OTHER)
			continue;
		other = packed_other(note);
		drain->rules->see(&other, drain->thread_id);
	}
}

static void take_batch(struct drain *drain, const struct ring_batch *batch)
{
	const struct packed *packed = batch->packed;

	if (packed) {
		pack_end(drain);
		see_packed(drain, packed);
		store_packed(drain, packed);
	}
	if (packed && packed->least_correlation) {
		window_rows_note_call(packed->last_start_ns, packed->least_correlation);
		window_rows_note_call(packed->last_start_ns, packed->most_correlation);
	}
	for (uint32_t i = 0; i < batch->count; i++)
		pack_record(drain, &batch->records[i]);
}

static void count_batch(struct drain *drain, const struct ring_batch *batch)
{
	if (batch->packed)
		count_late_packed(drain, batch->packed);
	for (uint32_t i = 0; i < batch->count; i++)
		count_late(drain, &batch->records[i]);
}

/* Returns whether the ring is empty now. */
static bool drain_batches(struct drain *drain, struct ring *ring, bool (*is_late)(void))
{
	struct ring_batch batch;
	uint64_t taken = 0;

	while (is_late() || taken < PASS_RECORDS) {
		if (!ring_next(ring, &batch))
			return true;
		/* Only now: another thread may just have taken the ring. */
		drain->thread_id = atomic_load_explicit(&ring->thread_id, memory_order_relaxed);
		if (is_late())
			count_batch(drain, &batch);
		else
			take_batch(drain, &batch);
		taken += batch.packed ? batch.packed->calls : batch.count;
		ring_give_back(&batch);
	}
	return false;
}

static void store_losses(struct drain *drain, struct ring *ring, uint64_t dropped)
{
	const struct {
		enum loss loss;
		uint64_t count;
	} losses[] = {
		{LOSS_EXIT_TIMEOUT, drain->late_calls},
		{LOSS_HOST_FUNCTION, drain->late_runs},
		{LOSS_CORRELATION, drain->late_ties},
		{LOSS_GRAPH_EDGES, drain->late_edges},
		{LOSS_RANGE, drain->late_ranges},
		{LOSS_CLOCK_READ, drain->late_reads},
		{LOSS_COLLECTIVE, drain->late_collectives},
		{LOSS_BACKWARD_CALL, drain->backward},
		{LOSS_RING_OVERFLOW, dropped - ring->dropped_reported},
	};

	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++)
		loss_rows_store_of_thread(drain->store, losses[i].loss, losses[i].count,
					  drain->thread_id);
	ring->dropped_reported = dropped;
}

static bool drain_ring(struct store *store, struct ring *ring, const struct drain_rules *rules)
{
	/* Read before the records: an empty ring whose thread has ended stays empty. */
	const int state = atomic_load_explicit(&ring->state, memory_order_acquire);
	const uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);
	struct drain drain = {
		.store = store,
		.rules = rules,
		.thread_id = atomic_load_explicit(&ring->thread_id, memory_order_relaxed),
	};
	/* Between the files of the watch mode there is no store. */
	const bool is_stored = store || !rules->take;
	bool is_empty;

	if (ring->is_taken_over)
		return true;
	if (state == RING_ORPHANED)
		ring_take_over(ring);
	is_empty = drain_batches(&drain, ring, rules->is_late);
	pack_end(&drain);
	if (is_stored)
		store_losses(&drain, ring, dropped);
	if (state == RING_ORPHANED && is_empty) {
		if (is_stored)
			store_thread_times(store, drain.thread_id, &ring->begun, &ring->ended);
		atomic_store_explicit(&ring->has_begun, false, memory_order_relaxed);
		ring_free(ring);
	}
	return is_empty && ring_is_empty(ring);
}

/* Waiting records do not survive a kill, but neither does the file's uncommitted part. */
static bool may_wait(const struct ring *ring)
{
	return atomic_load_explicit(&ring->state, memory_order_relaxed) == RING_OWNED &&
	       ring_waiting(ring) < BLOCK_RECORDS;
}

bool drain_all(struct store *store, const struct drain_rules *rules)
{
	bool is_empty = true;

	for (struct ring *ring = recorder_rings(); ring; ring = ring->next) {
		if (!rules->takes_all && may_wait(ring))
			continue;
		is_empty &= drain_ring(store, ring, rules);
		rules->after_ring();
	}
	return is_empty;
}

void drain_thread_times(struct store *store)
{
	for (struct ring *ring = recorder_rings(); ring; ring = ring->next) {
		struct thread_times now;

		if (atomic_load_explicit(&ring->state, memory_order_acquire) != RING_OWNED ||
		    !atomic_load_explicit(&ring->has_begun, memory_order_acquire))
			continue;
		now = thread_times_read(ring->thread_id);
		store_thread_times(store, ring->thread_id, &ring->begun, &now);
	}
}

/* The remaining threads did not finish packing in all that time. */
static void drain_stuck(struct store *store, const struct drain_rules *rules)
{
	for (struct ring *ring = recorder_rings(); ring; ring = ring->next) {
		if (ring_is_empty(ring))
			continue;
		ring_take_over(ring);
		drain_ring(store, ring, rules);
		ring->is_taken_over = true;
	}
}

/* A thread may be packing, or may have been interrupted while packing by a signal handler of the
 * program that calls exit(). */
void drain_to_the_end(struct store *store, const struct drain_rules *rules)
{
	uint32_t given_back = rings_given_back();
	int in_vain = 0;

	while (!drain_all(store, rules) && !rules->is_late() && in_vain < STUCK_PAUSES) {
		in_vain = rings_given_back() == given_back ? in_vain + 1 : 0;
		given_back = rings_given_back();
		short_sleep(PAUSE_NS);
	}
	drain_stuck(store, rules);
}
