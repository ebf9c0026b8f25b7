#include "nccl/communicators.h"

#include "base/hash.h"

#include <pthread.h>
#include <sys/mman.h>

#define SLOTS	   8192 /* a power of two */
#define MOST	   4096
#define PROBES	   256
#define PAIR_SLOTS 65536 /* a power of two */
#define PAGE_BYTES 4096

/* Counts sends to, or receives from, one peer. */
struct pair {
	_Atomic uint64_t key; /* 0: unused */
	_Atomic uint64_t count;
};

static _Alignas(PAGE_BYTES) struct communicator slots[SLOTS];
static _Alignas(PAGE_BYTES) struct pair pairs[PAIR_SLOTS];
_Static_assert(sizeof(slots) % PAGE_BYTES == 0 && sizeof(pairs) % PAGE_BYTES == 0,
	       "nothing else is on their pages");
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int64_t last_id;
static int live_count;

static size_t first_slot(uint64_t key, size_t count)
{
	return hash_word(key) >> 32 & (count - 1);
}

struct communicator *communicators_find(const void *handle)
{
	size_t slot = first_slot((uintptr_t)handle, SLOTS);

	for (int i = 0; i < PROBES; i++, slot = (slot + 1) % SLOTS) {
		struct communicator *communicator = &slots[slot];
		const uintptr_t found =
			atomic_load_explicit(&communicator->handle, memory_order_acquire);

		if (found == (uintptr_t)handle)
			return atomic_load_explicit(&communicator->id, memory_order_acquire)
				       ? communicator
				       : NULL;
		if (!found)
			return NULL;
	}
	return NULL;
}

/* The slot for a handle: the slot it has (a handle keeps its slot), or the first unused one. A
 * destroyed communicator's slot is taken only if the handle has none further on. */
static struct communicator *slot_for(uintptr_t handle)
{
	size_t slot = first_slot(handle, SLOTS);
	struct communicator *spare = NULL;

	for (int i = 0; i < PROBES; i++, slot = (slot + 1) % SLOTS) {
		struct communicator *communicator = &slots[slot];

		if (communicator->handle == handle)
			return communicator;
		if (!spare && !communicator->id)
			spare = communicator;
		if (!communicator->handle)
			break;
	}
	return spare;
}

struct communicator *communicators_add(const void *handle, uint64_t unique)
{
	struct communicator *communicator = NULL;

	if (!handle)
		return NULL;
	pthread_mutex_lock(&lock);
	if (live_count < MOST)
		communicator = slot_for((uintptr_t)handle);
	if (communicator) {
		live_count += communicator->id == 0;
		communicator->id = 0;
		communicator->handle = (uintptr_t)handle;
		communicator->unique = unique;
		communicator->collectives = 0;
		communicator->splits = 0;
		communicator->is_described = false;
		communicator->id = ++last_id;
	}
	pthread_mutex_unlock(&lock);
	return communicator;
}

int64_t communicators_remove(const void *handle)
{
	struct communicator *communicator;
	int64_t id = 0;

	pthread_mutex_lock(&lock);
	communicator = communicators_find(handle);
	if (communicator) {
		id = atomic_exchange(&communicator->id, 0);
		live_count--;
	}
	pthread_mutex_unlock(&lock);
	return id;
}

int64_t communicators_next_of_pair(const struct communicator *communicator, int peer, bool is_send)
{
	const uint64_t key =
		((uint64_t)communicator->id << 32 | (uint32_t)peer) << 1 | (is_send ? 1 : 0);
	size_t slot = first_slot(key, PAIR_SLOTS);

	for (int i = 0; i < PROBES; i++, slot = (slot + 1) % PAIR_SLOTS) {
		uint64_t found = 0;

		if (atomic_load_explicit(&pairs[slot].key, memory_order_relaxed) == key ||
		    atomic_compare_exchange_strong(&pairs[slot].key, &found, key) || found == key)
			return (int64_t)atomic_fetch_add(&pairs[slot].count, 1);
	}
	return -1;
}

void communicators_after_fork(void)
{
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	if (!last_id)
		return;
	/* Zeroes the tables without touching the pages, which many forks inherit. */
	madvise(slots, sizeof(slots), MADV_DONTNEED);
	madvise(pairs, sizeof(pairs), MADV_DONTNEED);
	live_count = 0;
}
