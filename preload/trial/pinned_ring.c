#include "trial/pinned_ring.h"

#include "base/driver.h"
#include "base/loaded.h"
#include "first_use/memory_kind.h"

#include <pthread.h>
#include <string.h>

enum {
	/* At 25 GB/s, a PCIe 5 link's half, 40 us of copying: ten times what enqueueing it and its event takes. */
	CHUNK_BYTES = 1 << 20,
	SLAB_CHUNKS = 32,
	SLABS_MOST = 16, /* 512 MiB: twenty times what such a link takes in a millisecond */
	CHUNKS_MOST = SLABS_MOST * SLAB_CHUNKS,
};

enum state { FREE, FILLING, IN_FLIGHT };

struct chunk {
	enum state state;
	bool orders; /* the last of a copy that other streams must wait for: in a default stream */
	uintptr_t stream; /* result of identify_stream() */
	CUevent event;
};

struct slab {
	CUcontext context; /* NULL: there is none, or it is being made */
	char *memory;
	struct chunk chunks[SLAB_CHUNKS];
};

static struct {
	pthread_mutex_t lock;
	struct slab slabs[SLABS_MOST];
	bool is_taken[SLABS_MOST]; /* also while it is being made */
	uint32_t cursor;	   /* where the search begins: the oldest copies */
	_Atomic uint32_t orders;   /* chunks that other streams must wait for */
	_Atomic uint64_t bytes;	   /* of its slabs */
	_Atomic bool has_failed;   /* there was no memory for a slab: none is asked for again */
	_Atomic bool has_mpi; /* set by the thread that makes the ring, beside others' copies */
} ring = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void reset_ring(void)
{
	memset(ring.slabs, 0, sizeof(ring.slabs));
	memset(ring.is_taken, 0, sizeof(ring.is_taken));
	atomic_store(&ring.orders, 0);
	atomic_store(&ring.bytes, 0);
	atomic_store(&ring.has_failed, false);
	pthread_mutex_init(&ring.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
	trial_after_fork(reset_ring);
}

static struct chunk *chunk_at(uint32_t index)
{
	return &ring.slabs[index / SLAB_CHUNKS].chunks[index % SLAB_CHUNKS];
}

static char *memory_at(uint32_t index)
{
	return ring.slabs[index / SLAB_CHUNKS].memory + (size_t)(index % SLAB_CHUNKS) * CHUNK_BYTES;
}

/* The lock is held. */
static void release_chunk(struct chunk *chunk)
{
	if (chunk->orders)
		atomic_fetch_sub(&ring.orders, 1);
	chunk->orders = false;
	chunk->state = FREE;
}

/* The lock is held. True: the copy from it is done, or there is none. */
static bool is_free(struct chunk *chunk)
{
	if (chunk->state == IN_FLIGHT &&
	    !DRIVER_CALL(driver_functions(), cuEventQuery)(chunk->event))
		release_chunk(chunk);
	return chunk->state == FREE;
}

static bool make_events(struct slab *slab)
{
	const struct driver *driver = driver_functions();
	int made = 0;

	while (made < SLAB_CHUNKS && !DRIVER_CALL(driver, cuEventCreate)(&slab->chunks[made].event,
									 CU_EVENT_DISABLE_TIMING))
		made++;
	if (made == SLAB_CHUNKS)
		return true;
	while (made--)
		DRIVER_CALL(driver, cuEventDestroy_v2)(slab->chunks[made].event);
	return false;
}

static bool fill_slab(struct slab *slab)
{
	const struct driver *driver = driver_functions();
	const size_t bytes = (size_t)SLAB_CHUNKS * CHUNK_BYTES;
	void *memory;

	memset(slab->chunks, 0, sizeof(slab->chunks));
	if (DRIVER_CALL(driver, cuMemHostAlloc)(&memory, bytes, 0))
		return false;
	if (!make_events(slab)) {
		DRIVER_CALL(driver, cuMemFreeHost)(memory);
		return false;
	}
	slab->memory = memory;
	trial_raise(&trial_page->pinned_bytes, atomic_fetch_add(&ring.bytes, bytes) + bytes);
	return true;
}

enum growth { GROWN, IS_LARGEST, HAS_NO_MEMORY };

/* Waits for no lock of the program: the slab is made outside of ours. */
static enum growth add_slab(CUcontext context)
{
	int index = 0;
	bool is_filled;

	if (atomic_load_explicit(&ring.has_failed, memory_order_relaxed))
		return HAS_NO_MEMORY;
	pthread_mutex_lock(&ring.lock);
	while (index < SLABS_MOST && ring.is_taken[index])
		index++;
	if (index < SLABS_MOST)
		ring.is_taken[index] = true;
	pthread_mutex_unlock(&ring.lock);
	if (index == SLABS_MOST)
		return IS_LARGEST;
	is_filled = fill_slab(&ring.slabs[index]);
	pthread_mutex_lock(&ring.lock);
	ring.is_taken[index] = is_filled;
	ring.slabs[index].context = is_filled ? context : NULL;
	pthread_mutex_unlock(&ring.lock);
	if (!is_filled)
		atomic_store(&ring.has_failed, true);
	return is_filled ? GROWN : HAS_NO_MEMORY;
}

static bool has_functions(void)
{
	const struct driver *driver = driver_functions();

	return memory_find_driver() && driver->cuEventCreate && driver->cuEventDestroy_v2 &&
	       driver->cuEventQuery && driver->cuEventRecord && driver->cuEventSynchronize &&
	       driver->cuMemHostAlloc && driver->cuMemFreeHost && driver->cuMemcpyHtoDAsync_v2 &&
	       driver->cuStreamWaitEvent && driver->cuStreamSynchronize;
}

void pinned_ring_begin(void)
{
	const int64_t start_ns = trial_now_ns();

	ring.has_mpi = loaded_symbol("libmpi", "MPI_Init", NULL) != NULL;
	if (has_functions())
		add_slab(trial_context());
	atomic_fetch_add(&trial_page->set_up_ns, trial_now_ns() - start_ns);
}

/* Takes `count` chunks of the context, those whose copies are oldest first; false: there are not so many free. */
static bool try_take(CUcontext context, uint16_t *taken, uint32_t count)
{
	uint32_t found = 0, index = 0;

	pthread_mutex_lock(&ring.lock);
	for (uint32_t i = 0; i < CHUNKS_MOST && found < count; i++) {
		index = (ring.cursor + i) % CHUNKS_MOST;
		if (ring.slabs[index / SLAB_CHUNKS].context == context && is_free(chunk_at(index)))
			taken[found++] = (uint16_t)index;
	}
	if (found == count) {
		ring.cursor = (index + 1) % CHUNKS_MOST;
		for (uint32_t i = 0; i < count; i++)
			chunk_at(taken[i])->state = FILLING;
	}
	pthread_mutex_unlock(&ring.lock);
	return found == count;
}

static bool take_chunks(CUcontext context, uint16_t *taken, uint32_t count, struct trial_site *site)
{
	while (!try_take(context, taken, count)) {
		switch (add_slab(context)) {
		case GROWN:
			break;
		case IS_LARGEST:
			planned_refuse(site, TRIAL_REFUSED_RING_FULL);
			return false;
		case HAS_NO_MEMORY:
			planned_refuse(site, TRIAL_REFUSED_NO_MEMORY);
			return false;
		}
	}
	return true;
}

/* Each thread has a stream behind CU_STREAM_PER_THREAD. */
static uintptr_t identify_stream(CUstream stream)
{
	static __thread char own __attribute__((tls_model("initial-exec")));

	return stream == CU_STREAM_PER_THREAD ? (uintptr_t)&own : (uintptr_t)stream;
}

/* From here on the chunk is free once its event is done, unless it is kept for a later piece of the copy. */
static bool send_piece(uint32_t index, const struct trial_call *call, size_t at, bool is_kept)
{
	const struct driver *driver = driver_functions();
	const size_t left = call->bytes - at, bytes = left < CHUNK_BYTES ? left : CHUNK_BYTES;
	struct chunk *chunk = chunk_at(index);

	memcpy(memory_at(index), (const char *)call->src + at, bytes);
	if (DRIVER_CALL(driver, cuMemcpyHtoDAsync_v2)((CUdeviceptr)call->dst + at, memory_at(index),
						      bytes, call->stream) ||
	    DRIVER_CALL(driver, cuEventRecord)(chunk->event, call->stream))
		return false;
	if (is_kept)
		return true;
	pthread_mutex_lock(&ring.lock);
	chunk->stream = identify_stream(call->stream);
	chunk->orders = call->waits && at + bytes == call->bytes;
	if (chunk->orders)
		atomic_fetch_add(&ring.orders, 1);
	chunk->state = IN_FLIGHT;
	pthread_mutex_unlock(&ring.lock);
	return true;
}

/* The real call will report what the driver did not do, and copy again. */
static void give_back(const struct trial_call *call, const uint16_t *taken, uint32_t count)
{
	DRIVER_CALL(driver_functions(), cuStreamSynchronize)(call->stream);
	pthread_mutex_lock(&ring.lock);
	for (uint32_t i = 0; i < count; i++)
		if (chunk_at(taken[i])->state == FILLING)
			release_chunk(chunk_at(taken[i]));
	pthread_mutex_unlock(&ring.lock);
}

/* MPI and network cards read device memory behind the back of streams, and rely on copies that have waited. */
static bool others_read(const void *device_memory)
{
	CUpointer_attribute name = CU_POINTER_ATTRIBUTE_SYNC_MEMOPS;
	unsigned int is_synchronous = 0;
	void *data = &is_synchronous;

	return ring.has_mpi || (!DRIVER_CALL(driver_functions(), cuPointerGetAttributes)(
					1, &name, &data, (uintptr_t)device_memory) &&
				is_synchronous);
}

static bool is_fit(const struct trial_call *call, struct trial_site *site)
{
	if (memory_type_of((uintptr_t)call->src) != MEMORY_TYPE_PAGEABLE ||
	    memory_type_of((uintptr_t)call->dst) != MEMORY_TYPE_DEVICE)
		planned_refuse(site, TRIAL_REFUSED_NOT_PAGEABLE);
	else if (others_read(call->dst))
		planned_refuse(site, TRIAL_REFUSED_SHARED);
	else if (memory_has_host_tables())
		planned_refuse(site, TRIAL_REFUSED_COHERENT);
	else if (memory_stream_is_captured((uintptr_t)call->stream))
		planned_refuse(site, TRIAL_REFUSED_CAPTURED);
	else
		return true;
	return false;
}

/* Copies through `count` chunks, which take turns. */
static bool send_pieces(const struct trial_call *call, const uint16_t *taken, uint32_t count)
{
	for (uint64_t i = 0, at = 0; at < call->bytes; i++, at += CHUNK_BYTES) {
		const uint32_t index = taken[i % count];

		if ((i >= count &&
		     DRIVER_CALL(driver_functions(), cuEventSynchronize)(chunk_at(index)->event)) ||
		    !send_piece(index, call, at, call->bytes - at > (uint64_t)count * CHUNK_BYTES))
			return false;
	}
	return true;
}

bool pinned_ring_copy(const struct trial_call *call, struct trial_site *site)
{
	const size_t pieces = (call->bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
	const uint32_t count = pieces < SLAB_CHUNKS ? (uint32_t)pieces : SLAB_CHUNKS;
	const CUcontext context = trial_context();
	uint16_t taken[SLAB_CHUNKS];

	if ((call->kind != cudaMemcpyHostToDevice && call->kind != cudaMemcpyDefault) ||
	    !call->bytes || !call->src || !context || !has_functions() || !is_fit(call, site) ||
	    !take_chunks(context, taken, count, site))
		return false;
	if (!send_pieces(call, taken, count)) {
		give_back(call, taken, count);
		return false;
	}
	planned_applied(site);
	return true;
}

bool pinned_ring_is_pending(void)
{
	return atomic_load_explicit(&ring.orders, memory_order_acquire) != 0;
}

static bool is_ordered(const struct chunk *chunk, CUstream stream)
{
	return chunk->stream == identify_stream(stream) ||
	       ((chunk->stream == (uintptr_t)CU_STREAM_LEGACY || stream == CU_STREAM_LEGACY) &&
		memory_stream_is_blocking((uintptr_t)stream));
}

enum { EVENTS_AT_ONCE = 16 };

/* Stores events that the stream must wait for, of the chunks from *from on, and moves *from on. */
static int find_events(CUstream stream, uint32_t *from, CUevent events[EVENTS_AT_ONCE])
{
	int found = 0;

	pthread_mutex_lock(&ring.lock);
	for (; *from < CHUNKS_MOST && found < EVENTS_AT_ONCE; ++*from) {
		struct chunk *chunk = chunk_at(*from);

		if (chunk->orders && !is_free(chunk) && !is_ordered(chunk, stream))
			events[found++] = chunk->event;
	}
	pthread_mutex_unlock(&ring.lock);
	return found;
}

void pinned_ring_order(CUstream stream)
{
	CUevent events[EVENTS_AT_ONCE];
	uint32_t from = 0;

	if (memory_stream_is_captured((uintptr_t)stream))
		return;
	while (from < CHUNKS_MOST) {
		const int found = find_events(stream, &from, events);

		/* An event may be of a later copy by now: then the stream waits for that, too. */
		for (int i = 0; i < found; i++)
			DRIVER_CALL(driver_functions(), cuStreamWaitEvent)(stream, events[i], 0);
	}
}

void pinned_ring_forget(CUcontext context)
{
	pthread_mutex_lock(&ring.lock);
	for (int i = 0; i < SLABS_MOST; i++) {
		if (!ring.is_taken[i] || ring.slabs[i].context != context)
			continue;
		for (int j = 0; j < SLAB_CHUNKS; j++)
			release_chunk(&ring.slabs[i].chunks[j]);
		ring.slabs[i].context = NULL;
		ring.is_taken[i] = false;
		atomic_fetch_sub(&ring.bytes, (uint64_t)SLAB_CHUNKS * CHUNK_BYTES);
	}
	pthread_mutex_unlock(&ring.lock);
}
