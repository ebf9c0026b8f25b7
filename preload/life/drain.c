#include "life/drain.h"

#include "life/loss_rows.h"
#include "store/store.h"
#include "store/window_rows.h"

#define CHECK_RECORDS 1024 /* between checks of the time: half a millisecond's work */

/* Known by the time that records are there. */
static uint32_t thread_of(const struct ring *ring)
{
	return atomic_load_explicit(&ring->thread_id, memory_order_relaxed);
}

static void count_rest_of_ring(struct store *store, struct ring *ring)
{
	const struct record *record;
	uint64_t calls = 0, runs = 0, ties = 0;

	while ((record = ring_peek(ring))) {
		calls += record->kind == RECORD_CALL;
		runs += record->kind == RECORD_HOST_FUNCTION;
		ties += record->kind == RECORD_CORRELATION || record->kind == RECORD_GRAPH_NODE;
		ring_release(ring);
	}
	loss_rows_store_of_thread(store, LOSS_EXIT_TIMEOUT, calls, thread_of(ring));
	loss_rows_store_of_thread(store, LOSS_HOST_FUNCTION, runs, thread_of(ring));
	loss_rows_store_of_thread(store, LOSS_CORRELATION, ties, thread_of(ring));
}

static void store_record(struct store *store, const struct record *record, uint32_t thread_id)
{
	switch (record->kind) {
	case RECORD_CALL:
		store_call(store, record, thread_id);
		if (record->has & RECORD_HAS_CORRELATION)
			window_rows_note_call(record->start_ns, record->correlation);
		break;
	case RECORD_HOST_FUNCTION:
		if (window_rows_include((uint64_t)record->start_ns, (uint64_t)record->end_ns,
					record->correlation))
			store_host_function(store, record, thread_id);
		break;
	case RECORD_GRAPH_NODE:
		store_graph_node(store, record, thread_id);
		break;
	default:
		store_correlation(store, record, thread_id);
	}
}

void drain_ring(struct store *store, struct ring *ring, bool (*is_late)(void))
{
	/* Read before the records: once an orphan is empty it stays so. */
	int state = atomic_load_explicit(&ring->state, memory_order_acquire);
	uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);
	uint64_t backward = 0;
	const struct record *record;

	for (int i = 0; i < RING_RECORDS && (record = ring_peek(ring)); i++) {
		if (i % CHECK_RECORDS == 0 && is_late()) {
			count_rest_of_ring(store, ring);
			break;
		}
		backward += record->kind == RECORD_CALL && record->end_ns < record->start_ns;
		store_record(store, record, thread_of(ring));
		ring_release(ring);
	}
	loss_rows_store_of_thread(store, LOSS_BACKWARD_CALL, backward, thread_of(ring));
	loss_rows_store_of_thread(store, LOSS_RING_OVERFLOW, dropped - ring->dropped_reported,
				  thread_of(ring));
	ring->dropped_reported = dropped;
	if (state == RING_ORPHANED && !ring_peek(ring))
		atomic_store_explicit(&ring->state, RING_FREE, memory_order_release);
}
