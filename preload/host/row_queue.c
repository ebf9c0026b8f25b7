#include "host/row_queue.h"

#include "base/losses.h"

#include <stdatomic.h>

#define QUEUE_ROWS 8192 /* a power of two: four seconds of the shortest period */

static struct {
	struct watched_row row;
	uint32_t thread_id;
	int64_t end_ns;
} queue[QUEUE_ROWS];
static _Atomic uint64_t pushed, stored;

void row_queue_push(struct watched *thread, int64_t end_ns)
{
	const uint64_t at = atomic_load_explicit(&pushed, memory_order_relaxed);

	if (!thread->row.looks)
		return;
	if (at - atomic_load_explicit(&stored, memory_order_acquire) == QUEUE_ROWS) {
		losses_count(LOSS_HOST_STATE, (uint64_t)thread->row.looks);
	} else {
		queue[at % QUEUE_ROWS].row = thread->row;
		queue[at % QUEUE_ROWS].thread_id = thread->id;
		queue[at % QUEUE_ROWS].end_ns = end_ns;
		atomic_store_explicit(&pushed, at + 1, memory_order_release);
	}
	thread->row.looks = 0;
}

uint64_t row_queue_pushed(void)
{
	return atomic_load_explicit(&pushed, memory_order_relaxed);
}

void row_queue_take(void (*take)(struct store *store, const struct host_row *row),
		    struct store *store)
{
	const uint64_t end = atomic_load_explicit(&pushed, memory_order_acquire);
	uint64_t at = atomic_load_explicit(&stored, memory_order_relaxed);

	for (; at < end; at++) {
		const struct watched_row *row = &queue[at % QUEUE_ROWS].row;
		const struct host_row taken = {
			.row = {.thread_id = queue[at % QUEUE_ROWS].thread_id,
				.start_ns = row->start_ns,
				.end_ns = queue[at % QUEUE_ROWS].end_ns,
				.state = row->look.state,
				.looks = row->looks,
				.ready_ns = row->ready_ns,
				.faults = row->faults,
				.system_ns = row->system_ns,
				.object = row->look.object},
			.site = row->site,
			.name = row->look.name[0] ? row->look.name : NULL};

		take(store, &taken);
		atomic_store_explicit(&stored, at + 1, memory_order_release);
	}
}

void row_queue_store_row(struct store *store, const struct host_row *row)
{
	struct host_states_row stored_row = row->row;

	store_host_state(store, &stored_row, row->site, row->name);
}

void row_queue_store(struct store *store)
{
	row_queue_take(row_queue_store_row, store);
}

void row_queue_after_fork(void)
{
	atomic_store(&pushed, 0);
	atomic_store(&stored, 0);
}
