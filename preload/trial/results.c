#include "trial/results.h"

#include "base/driver.h"
#include "content/content_hash.h"
#include "first_use/memory_kind.h"

#include <pthread.h>
#include <string.h>

enum { KEPT_MOST = 256 };

struct kept {
	uintptr_t address;
	size_t bytes;
	CUevent event; /* NULL: the entry is free */
	int number;
};

static struct {
	pthread_mutex_t lock;
	struct kept entries[KEPT_MOST];
	_Atomic int count; /* of entries that are not free */
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void reset_kept(void)
{
	memset(kept.entries, 0, sizeof(kept.entries));
	atomic_store(&kept.count, 0);
	pthread_mutex_init(&kept.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
	trial_after_fork(reset_kept);
}

static void store_hash(int number, const void *memory, size_t bytes)
{
	const uint64_t hash =
		trial_page->hashes_all
			? content_hash(memory, bytes)
			: content_hash_lines(memory, bytes, content_line_count(bytes));

	atomic_store_explicit(&trial_page->results[number], hash ? hash : 1, memory_order_relaxed);
}

static bool is_to_host(const struct trial_call *call)
{
	if (call->kind != cudaMemcpyDefault)
		return call->kind == cudaMemcpyDeviceToHost;
	if (!memory_find_driver() || memory_type_of((uintptr_t)call->src) != MEMORY_TYPE_DEVICE)
		return false;
	return memory_type_of((uintptr_t)call->dst) == MEMORY_TYPE_PAGEABLE ||
	       memory_type_of((uintptr_t)call->dst) == MEMORY_TYPE_PINNED;
}

int results_number(const struct trial_call *call)
{
	uint32_t number = atomic_load(&trial_page->result_count);

	if (!call->is_flat || !trial_is_first_process() || !is_to_host(call))
		return -1;
	do {
		if (number >= TRIAL_MOST_RESULTS)
			return -1;
	} while (!atomic_compare_exchange_weak(&trial_page->result_count, &number, number + 1));
	return (int)number;
}

/* The lock is held. */
static void drop_entry(struct kept *entry)
{
	DRIVER_CALL(driver_functions(), cuEventDestroy_v2)(entry->event);
	entry->event = NULL;
	atomic_fetch_sub(&kept.count, 1);
}

static bool overlaps_memory(const struct kept *entry, uintptr_t address, size_t bytes)
{
	return entry->event && entry->address < address + bytes &&
	       address < entry->address + entry->bytes;
}

/* The lock is held. */
static struct kept *take_entry(uintptr_t address, size_t bytes)
{
	struct kept *free_entry = NULL;

	for (int i = 0; i < KEPT_MOST; i++) {
		if (overlaps_memory(&kept.entries[i], address, bytes))
			drop_entry(&kept.entries[i]);
		if (!kept.entries[i].event)
			free_entry = &kept.entries[i];
	}
	return free_entry;
}

/* NULL: not recorded. */
static CUevent record_event(CUstream stream)
{
	const struct driver *driver = driver_functions();
	CUevent event;

	if (memory_stream_is_captured((uintptr_t)stream) ||
	    DRIVER_CALL(driver, cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING))
		return NULL;
	if (!DRIVER_CALL(driver, cuEventRecord)(event, stream))
		return event;
	DRIVER_CALL(driver, cuEventDestroy_v2)(event);
	return NULL;
}

static void keep_copy(const struct trial_call *call, int number)
{
	const CUevent event = record_event(call->stream);
	struct kept *entry;

	pthread_mutex_lock(&kept.lock);
	entry = take_entry((uintptr_t)call->dst, call->bytes);
	if (entry && event) {
		*entry = (struct kept){.address = (uintptr_t)call->dst,
				       .bytes = call->bytes,
				       .event = event,
				       .number = number};
		atomic_fetch_add(&kept.count, 1);
	}
	pthread_mutex_unlock(&kept.lock);
	if (!entry && event)
		DRIVER_CALL(driver_functions(), cuEventDestroy_v2)(event);
}

void results_copied(const struct trial_call *call, int number)
{
	if (number < 0 || call->result != cudaSuccess || !call->bytes || !call->dst)
		return;
	/* An asynchronous copy to pageable memory returns when it is done, too. */
	if (call->waits ||
	    (memory_find_driver() && memory_type_of((uintptr_t)call->dst) == MEMORY_TYPE_PAGEABLE))
		store_hash(number, call->dst, call->bytes);
	else if (memory_find_driver() && memory_type_of((uintptr_t)call->dst) == MEMORY_TYPE_PINNED)
		keep_copy(call, number);
}

/* The lock is held. Memory that was freed in a way that nobody saw is no longer pinned. */
static void look_at(struct kept *entry)
{
	const CUresult done = DRIVER_CALL(driver_functions(), cuEventQuery)(entry->event);

	if (done == CUDA_ERROR_NOT_READY)
		return;
	if (!done && memory_type_of(entry->address) == MEMORY_TYPE_PINNED &&
	    memory_type_of(entry->address + entry->bytes - 1) == MEMORY_TYPE_PINNED)
		store_hash(entry->number, (const void *)entry->address, entry->bytes);
	drop_entry(entry);
}

bool results_are_kept(void)
{
	return atomic_load_explicit(&kept.count, memory_order_acquire) != 0;
}

void results_look(void)
{
	if (!results_are_kept())
		return;
	pthread_mutex_lock(&kept.lock);
	for (int i = 0; i < KEPT_MOST; i++)
		if (kept.entries[i].event)
			look_at(&kept.entries[i]);
	pthread_mutex_unlock(&kept.lock);
}

void results_forget(const void *address)
{
	if (!results_are_kept())
		return;
	pthread_mutex_lock(&kept.lock);
	for (int i = 0; i < KEPT_MOST; i++)
		if (kept.entries[i].event &&
		    (!address || overlaps_memory(&kept.entries[i], (uintptr_t)address, 1)))
			drop_entry(&kept.entries[i]);
	pthread_mutex_unlock(&kept.lock);
}
