#include "trial/held_free.h"

#include "base/driver.h"
#include "base/hash.h"
#include "trial/stream_marks.h"

#include <pthread.h>
#include <string.h>

enum {
	BUCKET_BITS = 12,
	BLOCKS_MOST = 16384, /* further ones are not held */
	HELD_MOST = 256,
	/* cudaMalloc() waits for the oldest held block of its size where this many are still in use. Four keep the device
	 * busy during the wait, and a new block would take time as well. */
	WAITING_MOST = 4,
	HELD_SHARE = 2, /* held blocks take at most the free memory divided by HELD_SHARE */
};

struct block {
	uintptr_t address;
	size_t bytes;
	CUcontext context;
	uint64_t given; /* stream_marks_now() when it was given out */
	uint16_t next;	/* 1 plus its index, in the bucket or among the free ones; 0: the last */
};

struct held {
	struct held *next; /* the next newer one */
	struct block block;
	struct mark_set work; /* that may use it */
};

static struct {
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
} blocks = {.lock = PTHREAD_MUTEX_INITIALIZER};

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
	blocks.entry_count = 0;
	blocks.held_bytes = 0;
	atomic_store(&blocks.most_bytes, 0);
	atomic_store(&blocks.held_count, 0);
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

static size_t share_of_memory(void)
{
	size_t free_bytes = 0, all_bytes;

	if (!DRIVER_CALL(driver_functions(), cuMemGetInfo_v2) ||
	    DRIVER_CALL(driver_functions(), cuMemGetInfo_v2)(&free_bytes, &all_bytes))
		return 0;
	return free_bytes / HELD_SHARE;
}

/* The lock is held. Why the block is not held; TRIAL_REFUSAL_COUNT: it may be. */
static enum trial_refusal find_reason(const struct block *block, CUcontext context)
{
	if (block->context != context)
		return TRIAL_REFUSED_OTHER_CONTEXT;
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
static bool add_held(const struct block *block, const struct mark_set *work)
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
	held->work = *work;
	while (*link)
		link = &(*link)->next;
	*link = held;
	blocks.held_bytes += block->bytes;
	atomic_fetch_add(&blocks.held_count, 1);
	trial_raise(&trial_page->device_bytes, blocks.held_bytes);
	return true;
}

/* TRIAL_REFUSAL_COUNT: held. */
static enum trial_refusal hold_block(const struct block *block)
{
	struct mark_set work;
	enum trial_refusal reason = stream_marks_take(block->given, &work);
	bool is_held;

	if (reason != TRIAL_REFUSAL_COUNT)
		return reason;
	pthread_mutex_lock(&blocks.lock);
	/* A turn that ends meanwhile has released what is held, or waits for this lock to do so. */
	is_held = trial_applies() && add_held(block, &work);
	pthread_mutex_unlock(&blocks.lock);
	if (is_held)
		return TRIAL_REFUSAL_COUNT;
	stream_marks_release(&work);
	return TRIAL_REFUSED_MANY_HELD;
}

bool held_free_hold(const struct trial_call *call, struct trial_site *site)
{
	const CUcontext context = trial_context();
	struct block block;
	enum trial_refusal reason;

	if (!call->dst || !context)
		return false;
	reason = take_to_hold((uintptr_t)call->dst, context, &block);
	if (reason == TRIAL_REFUSAL_COUNT)
		reason = hold_block(&block);
	if (reason == TRIAL_REFUSAL_COUNT)
		planned_applied(site);
	else if (trial_applies())
		planned_refuse(site, reason);
	return reason == TRIAL_REFUSAL_COUNT;
}

static void free_really(enum cudart cudart, struct held *held)
{
	stream_marks_release(&held->work);
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

void held_free_forget(const struct trial_call *call)
{
	struct block block;
	struct held again;
	bool is_again;

	pthread_mutex_lock(&blocks.lock);
	is_again = !take_block((uintptr_t)call->dst, &block) &&
		   take_held((uintptr_t)call->dst, &again);
	pthread_mutex_unlock(&blocks.lock);
	if (is_again)
		free_really(call->cudart, &again);
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
		if (stream_marks_are_reached(&(*link)->work))
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
	/* If the driver reports an error, the next call will as well. */
	if (!stream_marks_wait(&taken.work)) {
		free_really(call->cudart, &taken);
		return false;
	}
	stream_marks_release(&taken.work);
	taken.block.given = stream_marks_now();
	pthread_mutex_lock(&blocks.lock);
	add_block(&taken.block);
	pthread_mutex_unlock(&blocks.lock);
	*call->made = (void *)taken.block.address;
	return true;
}

void held_free_note(const struct trial_call *call)
{
	const struct block block = {.address = (uintptr_t)*call->made,
				    .bytes = call->bytes,
				    .context = trial_context(),
				    .given = stream_marks_now()};

	if (!block.address)
		return;
	pthread_mutex_lock(&blocks.lock);
	add_block(&block);
	pthread_mutex_unlock(&blocks.lock);
}

static void take_error_back(enum cudart cudart)
{
	if (TRIAL_REAL(cudart, cudaGetLastError))
		TRIAL_REAL(cudart, cudaGetLastError)();
}

bool held_free_release(enum cudart cudart)
{
	struct held taken;
	bool is_taken, has_freed = false;

	do {
		pthread_mutex_lock(&blocks.lock);
		is_taken = blocks.oldest && take_held(blocks.oldest->block.address, &taken);
		pthread_mutex_unlock(&blocks.lock);
		if (is_taken)
			free_really(cudart, &taken);
		has_freed |= is_taken;
	} while (is_taken);
	return has_freed;
}

bool held_free_make_room(const struct trial_call *call)
{
	const bool has_freed = held_free_release(call->cudart);

	if (has_freed)
		take_error_back(call->cudart);
	return has_freed;
}

void held_free_forget_all(CUcontext context)
{
	struct held **link = &blocks.oldest;

	pthread_mutex_lock(&blocks.lock);
	while (*link)
		if ((*link)->block.context == context) {
			stream_marks_release(&(*link)->work);
			unlink_held(link);
		} else {
			link = &(*link)->next;
		}
	forget_blocks();
	pthread_mutex_unlock(&blocks.lock);
}
