#include "trial/held_free.h"

#include "base/driver.h"
#include "base/hash.h"
#include "base/loaded.h"
#include "first_use/memory_kind.h"

#include <pthread.h>
#include <string.h>

enum {
	BUCKET_BITS = 12,
	BLOCKS_MOST = 16384, /* further ones are not held */
	HELD_MOST = 256,
	STREAMS_MOST = 64, /* an event takes 1 us: with more of them nothing would be won */
	/* cudaMalloc() waits for the oldest held block of its size where this many are still in use. Four keep the device
	 * busy during the wait, and a new block would take time as well. */
	WAITING_MOST = 4,
	HELD_SHARE = 2, /* held blocks take at most the free memory divided by HELD_SHARE */
};

struct block {
	uintptr_t address;
	size_t bytes;
	CUcontext context;
	uint16_t next; /* 1 plus its index, in the bucket or among the free ones; 0: the last */
};

struct held {
	struct held *next; /* the next newer one */
	struct block block;
	CUevent events[1 + STREAMS_MOST];
	uint32_t event_count;
};

static struct {
	/* Read where streams are used that other threads may destroy, written to forget one. Taken before `lock`. */
	pthread_rwlock_t streams_lock;
	pthread_mutex_t lock;
	struct block blocks[BLOCKS_MOST]; /* of cudaMalloc(), in use */
	uint16_t buckets[1 << BUCKET_BITS], first_free;
	uint32_t block_count; /* ever used */

	struct held held[HELD_MOST];
	struct held *oldest;
	struct held *spare; /* entries that were used before */
	uint32_t entry_count;
	_Atomic uint32_t held_count;
	size_t held_bytes;
	_Atomic size_t most_bytes; /* 0: not known yet */

	struct stream {
		CUstream stream;
		CUcontext context;
	} streams[STREAMS_MOST]; /* non-blocking */
	uint32_t stream_count;
	bool has_too_many_streams; /* from now on nothing is held */
	/* Streams destroyed before their work was done: how many, and how many a real cudaFree() waited for. */
	uint32_t lost_count, waited_count;
} blocks = {.streams_lock = PTHREAD_RWLOCK_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER};

_Static_assert(BLOCKS_MOST < UINT16_MAX, "an index fits");

/* The lock is held, or there is one thread. */
static void forget_blocks(void)
{
	memset(blocks.buckets, 0, sizeof(blocks.buckets));
	blocks.first_free = 0;
	blocks.block_count = 0;
}

static void reset_blocks(void)
{
	forget_blocks();
	blocks.oldest = blocks.spare = NULL;
	blocks.entry_count = blocks.stream_count = blocks.lost_count = blocks.waited_count = 0;
	blocks.has_too_many_streams = false;
	blocks.held_bytes = 0;
	atomic_store(&blocks.most_bytes, 0);
	atomic_store(&blocks.held_count, 0);
	pthread_rwlock_init(&blocks.streams_lock, NULL);
	pthread_mutex_init(&blocks.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
	trial_after_fork(reset_blocks);
}

static uint16_t *bucket_of(uintptr_t address)
{
	return &blocks.buckets[hash_word(address) >> (64 - BUCKET_BITS)];
}

/* The lock is held. */
static void add_block(const struct block *block)
{
	uint16_t *bucket = bucket_of(block->address), index = blocks.first_free;

	if (index)
		blocks.first_free = blocks.blocks[index - 1].next;
	else if (blocks.block_count < BLOCKS_MOST)
		index = (uint16_t)++blocks.block_count;
	else
		return;
	blocks.blocks[index - 1] = *block;
	blocks.blocks[index - 1].next = *bucket;
	*bucket = index;
}

/* The lock is held. False: it is not of cudaMalloc(). */
static bool take_block(uintptr_t address, struct block *taken)
{
	for (uint16_t *link = bucket_of(address); *link; link = &blocks.blocks[*link - 1].next) {
		const uint16_t index = *link;

		if (blocks.blocks[index - 1].address != address)
			continue;
		*taken = blocks.blocks[index - 1];
		*link = taken->next;
		blocks.blocks[index - 1].next = blocks.first_free;
		blocks.first_free = index;
		return true;
	}
	return false;
}

/* The lock is held. */
static void unlink_held(struct held **link)
{
	struct held *held = *link;

	*link = held->next;
	held->next = blocks.spare;
	blocks.spare = held;
	blocks.held_bytes -= held->block.bytes;
	atomic_fetch_sub(&blocks.held_count, 1);
}

static void destroy_events(const CUevent *events, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		DRIVER_CALL(driver_functions(), cuEventDestroy_v2)(events[i]);
}

static bool record_event(CUstream stream, CUevent *event)
{
	const struct driver *driver = driver_functions();

	if (memory_stream_is_captured((uintptr_t)stream) ||
	    DRIVER_CALL(driver, cuEventCreate)(event, CU_EVENT_DISABLE_TIMING))
		return false;
	if (!DRIVER_CALL(driver, cuEventRecord)(*event, stream))
		return true;
	destroy_events(event, 1);
	return false;
}

/* Stores those of the context that its blocks may be used in. */
static uint32_t list_streams(CUcontext context, CUstream streams[1 + STREAMS_MOST])
{
	uint32_t count = 0;

	streams[count++] = CU_STREAM_LEGACY;
	pthread_mutex_lock(&blocks.lock);
	for (uint32_t i = 0; i < blocks.stream_count; i++)
		if (blocks.streams[i].context == context)
			streams[count++] = blocks.streams[i].stream;
	pthread_mutex_unlock(&blocks.lock);
	return count;
}

/* One in each of these streams. 0: one could not be recorded. */
static uint32_t record_events(CUcontext context, CUevent events[1 + STREAMS_MOST])
{
	CUstream streams[1 + STREAMS_MOST];
	const uint32_t count = list_streams(context, streams);
	uint32_t recorded = 0;

	while (recorded < count && record_event(streams[recorded], &events[recorded]))
		recorded++;
	if (recorded == count)
		return count;
	destroy_events(events, recorded);
	return 0;
}

static bool has_functions(void)
{
	const struct driver *driver = driver_functions();

	return memory_find_driver() && driver->cuEventCreate && driver->cuEventDestroy_v2 &&
	       driver->cuEventQuery && driver->cuEventRecord && driver->cuEventSynchronize &&
	       driver->cuMemGetInfo_v2 && driver->cuStreamQuery;
}

static size_t share_of_memory(void)
{
	size_t free_bytes = 0, all_bytes;

	if (DRIVER_CALL(driver_functions(), cuMemGetInfo_v2)(&free_bytes, &all_bytes))
		return 0;
	return free_bytes / HELD_SHARE;
}

/* The lock is held. Why the block is not held; TRIAL_REFUSAL_COUNT: it may be. */
static enum trial_refusal find_reason(const struct block *block, CUcontext context)
{
	if (block->context != context)
		return TRIAL_REFUSED_OTHER_CONTEXT;
	if (blocks.has_too_many_streams)
		return TRIAL_REFUSED_MANY_STREAMS;
	if (blocks.lost_count != blocks.waited_count)
		return TRIAL_REFUSED_LOST_STREAM;
	if (atomic_load(&blocks.held_count) >= HELD_MOST)
		return TRIAL_REFUSED_MANY_HELD;
	if (blocks.held_bytes + block->bytes > atomic_load(&blocks.most_bytes))
		return TRIAL_REFUSED_NO_MEMORY;
	return TRIAL_REFUSAL_COUNT;
}

/* Takes the block out of those in use. Why it is not held and stays there; TRIAL_REFUSAL_COUNT: it was taken. */
static enum trial_refusal take_to_hold(uintptr_t address, CUcontext context, struct block *taken)
{
	enum trial_refusal reason = TRIAL_REFUSED_NOT_MALLOC;

	if (!atomic_load(&blocks.most_bytes))
		atomic_store(&blocks.most_bytes, share_of_memory());
	pthread_mutex_lock(&blocks.lock);
	if (take_block(address, taken)) {
		reason = find_reason(taken, context);
		if (reason != TRIAL_REFUSAL_COUNT)
			add_block(taken);
	}
	pthread_mutex_unlock(&blocks.lock);
	return reason;
}

/* The lock is held. */
static bool add_held(const struct block *block, const CUevent *events, uint32_t event_count)
{
	struct held *held = blocks.spare, **link = &blocks.oldest;

	if (held)
		blocks.spare = held->next;
	else if (blocks.entry_count < HELD_MOST)
		held = &blocks.held[blocks.entry_count++];
	else
		return false;
	held->next = NULL;
	held->block = *block;
	held->event_count = event_count;
	memcpy(held->events, events, event_count * sizeof(*events));
	while (*link)
		link = &(*link)->next;
	*link = held;
	blocks.held_bytes += block->bytes;
	atomic_fetch_add(&blocks.held_count, 1);
	trial_raise(&trial_page->device_bytes, blocks.held_bytes);
	return true;
}

static bool hold_block(const struct block *block)
{
	CUevent events[1 + STREAMS_MOST];
	const uint32_t event_count = record_events(block->context, events);
	bool is_held = false;

	if (event_count) {
		pthread_mutex_lock(&blocks.lock);
		is_held = add_held(block, events, event_count);
		pthread_mutex_unlock(&blocks.lock);
	}
	if (!is_held)
		destroy_events(events, event_count);
	return is_held;
}

bool held_free_hold(const struct trial_call *call, struct trial_site *site)
{
	const CUcontext context = trial_context();
	struct block block;
	enum trial_refusal reason;

	if (!call->dst || !context || !has_functions())
		return false;
	if (memory_stream_is_captured((uintptr_t)CU_STREAM_LEGACY)) {
		planned_refuse(site, TRIAL_REFUSED_CAPTURED);
		return false;
	}
	pthread_rwlock_rdlock(&blocks.streams_lock);
	reason = take_to_hold((uintptr_t)call->dst, context, &block);
	if (reason == TRIAL_REFUSAL_COUNT && !hold_block(&block))
		reason = TRIAL_REFUSED_NO_MEMORY;
	pthread_rwlock_unlock(&blocks.streams_lock);
	if (reason == TRIAL_REFUSAL_COUNT)
		planned_applied(site);
	else
		planned_refuse(site, reason);
	return reason == TRIAL_REFUSAL_COUNT;
}

static void free_really(enum cudart cudart, const struct held *held)
{
	destroy_events(held->events, held->event_count);
	TRIAL_REAL(cudart, cudaFree)((void *)held->block.address);
}

/* The lock is held. False: it is not held. */
static bool take_held(uintptr_t address, struct held *taken)
{
	struct held **link = &blocks.oldest;

	while (*link && (*link)->block.address != address)
		link = &(*link)->next;
	if (!*link)
		return false;
	*taken = **link;
	unlink_held(link);
	return true;
}

void held_free_forget(struct trial_call *call)
{
	struct block block;
	struct held again;
	bool is_again;

	pthread_mutex_lock(&blocks.lock);
	call->lost_streams = blocks.lost_count;
	is_again = !take_block((uintptr_t)call->dst, &block) &&
		   take_held((uintptr_t)call->dst, &again);
	pthread_mutex_unlock(&blocks.lock);
	if (is_again)
		free_really(call->cudart, &again);
}

void held_free_waited(const struct trial_call *call)
{
	pthread_mutex_lock(&blocks.lock);
	if (blocks.waited_count < call->lost_streams)
		blocks.waited_count = call->lost_streams;
	pthread_mutex_unlock(&blocks.lock);
}

static bool is_done(const struct held *held)
{
	for (uint32_t i = 0; i < held->event_count; i++)
		if (DRIVER_CALL(driver_functions(), cuEventQuery)(held->events[i]))
			return false;
	return true;
}

/* The lock is held. Of the held blocks of that size the first one that is ready, or if there are many that are not,
 * the oldest one. False: none is taken. */
static bool take_fitting(size_t bytes, CUcontext context, struct held *taken)
{
	struct held **oldest = NULL, **link = &blocks.oldest;
	uint32_t waiting = 0;

	for (; *link; link = &(*link)->next) {
		if ((*link)->block.bytes != bytes || (*link)->block.context != context)
			continue;
		if (is_done(*link))
			break;
		oldest = oldest ? oldest : link;
		waiting++;
	}
	if (!*link && waiting < WAITING_MOST)
		return false;
	link = *link ? link : oldest;
	*taken = **link;
	unlink_held(link);
	return true;
}

/* False: the driver reports an error, and so will the next call. */
static bool wait_for_work(const struct held *held)
{
	for (uint32_t i = 0; i < held->event_count; i++)
		if (DRIVER_CALL(driver_functions(), cuEventSynchronize)(held->events[i]))
			return false;
	return true;
}

bool held_free_hand_out(const struct trial_call *call)
{
	CUcontext context;
	struct held taken;
	bool is_taken;

	if (!atomic_load(&blocks.held_count) || !call->made)
		return false;
	context = trial_context();
	pthread_mutex_lock(&blocks.lock);
	is_taken = take_fitting(call->bytes, context, &taken);
	pthread_mutex_unlock(&blocks.lock);
	if (!is_taken)
		return false;
	if (!wait_for_work(&taken)) {
		free_really(call->cudart, &taken);
		return false;
	}
	pthread_mutex_lock(&blocks.lock);
	add_block(&taken.block);
	pthread_mutex_unlock(&blocks.lock);
	destroy_events(taken.events, taken.event_count);
	*call->made = (void *)taken.block.address;
	return true;
}

void held_free_note(const struct trial_call *call)
{
	const struct block block = {.address = (uintptr_t)*call->made,
				    .bytes = call->bytes,
				    .context = trial_context()};

	if (!block.address)
		return;
	pthread_mutex_lock(&blocks.lock);
	add_block(&block);
	pthread_mutex_unlock(&blocks.lock);
}

static void take_error_back(enum cudart cudart)
{
	cudaError_t (*get)(void);

	*(void **)&get = loaded_symbol("libcudart", "cudaGetLastError", resolve_version(cudart));
	if (get)
		get();
}

bool held_free_make_room(const struct trial_call *call)
{
	struct held taken;
	bool is_taken, has_freed = false;

	do {
		pthread_mutex_lock(&blocks.lock);
		is_taken = blocks.oldest && take_held(blocks.oldest->block.address, &taken);
		pthread_mutex_unlock(&blocks.lock);
		if (is_taken)
			free_really(call->cudart, &taken);
		has_freed |= is_taken;
	} while (is_taken);
	if (has_freed)
		take_error_back(call->cudart);
	return has_freed;
}

void held_free_stream_made(CUstream stream)
{
	const struct stream made = {.stream = stream, .context = trial_context()};

	if (!has_functions() || memory_stream_is_blocking((uintptr_t)stream))
		return;
	pthread_mutex_lock(&blocks.lock);
	if (blocks.stream_count < STREAMS_MOST)
		blocks.streams[blocks.stream_count++] = made;
	else
		blocks.has_too_many_streams = true;
	pthread_mutex_unlock(&blocks.lock);
}

/* The lock is held. False: it is not known. */
static bool forget_stream(CUstream stream)
{
	for (uint32_t i = 0; i < blocks.stream_count; i++)
		if (blocks.streams[i].stream == stream) {
			blocks.streams[i] = blocks.streams[--blocks.stream_count];
			return true;
		}
	return false;
}

void held_free_stream_ends(CUstream stream)
{
	pthread_rwlock_wrlock(&blocks.streams_lock);
	pthread_mutex_lock(&blocks.lock);
	if (forget_stream(stream) &&
	    DRIVER_CALL(driver_functions(), cuStreamQuery)(stream) != CUDA_SUCCESS)
		blocks.lost_count++;
	pthread_mutex_unlock(&blocks.lock);
	pthread_rwlock_unlock(&blocks.streams_lock);
}

void held_free_forget_all(CUcontext context)
{
	struct held **link = &blocks.oldest;

	pthread_mutex_lock(&blocks.lock);
	while (*link)
		if ((*link)->block.context == context)
			unlink_held(link);
		else
			link = &(*link)->next;
	forget_blocks();
	for (uint32_t i = blocks.stream_count; i-- > 0;)
		if (blocks.streams[i].context == context)
			blocks.streams[i] = blocks.streams[--blocks.stream_count];
	pthread_mutex_unlock(&blocks.lock);
}
