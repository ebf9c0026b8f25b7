#include "content/content.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/loaded.h"
#include "base/options.h"
#include "content/content_hash.h"

#include <cuda.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

#define DRIVER "libcuda.so"

/* cudaMemcpyKind */
#define COPY_TO_DEVICE 1
#define COPY_TO_HOST   2
#define COPY_DEFAULT   4

#define PLACE_BITS 6
#define SLOT_BITS  10

/* A core reads 8 GB/s of memory that is in no cache: so much is a hundredth of a second's. */
#define WHOLE_BYTES_PER_S INT64_C(80000000)
#define NS_PER_S	  INT64_C(1000000000)

/* Whole hashes that take less are no more than the call itself. */
#define OVERHEAD_BYTES 16384

static bool content_on;

static struct {
	CUresult (*attributes)(unsigned int count, CUpointer_attribute *attributes, void **data,
			       CUdeviceptr pointer);
	CUresult (*host_flags)(unsigned int *flags, void *address);
	CUresult (*exchange_mode)(CUstreamCaptureMode *mode);
} driver;
static pthread_once_t driver_once = PTHREAD_ONCE_INIT;

/* What the driver said of memory: good as long as there is no new one. */
struct place {
	uint64_t address, bytes;
	uint32_t number; /* places_number at that time; 0: none */
	bool is_host;
};

static __thread struct place places[1 << PLACE_BITS] __attribute__((tls_model("initial-exec")));
static _Atomic uint32_t places_number = 1;

/* What was copied last from and to device memory: its address and size, and the hash of its lines, in
 * one word; 0: not known. Threads may overwrite each other's: then a whole hash is missed, or made in
 * vain. */
enum state {
	STATE_FETCHED = 1 << 0, /* the last was a copy to the host */
	STATE_WHOLE =
		1 << 1, /* of which all bytes were hashed, and the share is paid for those that
				 * are sent back */
	STATE_CAME_BACK = 1 << 2, /* such a one was sent back as it was, the last time */
};
struct slot {
	_Atomic uint64_t word;
	_Atomic uint8_t state;
	_Atomic uint8_t changes; /* so many times in a row it was something else */
	_Atomic uint8_t skips;	 /* so many copies to come are not hashed */
};
static struct slot slots[1 << SLOT_BITS];

/* After so many changes in a row a copy is left out, then 3, 7, ... up to 63, with two hashed between: what
 * is always new costs next to nothing. */
#define CHANGES_LEAST 3
#define CHANGES_MOST  8

/* When all whole hashes so far are paid for. */
static _Atomic int64_t paid_ns;

void content_initialize(void)
{
	/* The pages that first_use.h watches are not accessible. */
	content_on = options.content && (!*options.first_use || options.first_use[0] == '0');
}

void content_forget_places(void)
{
	atomic_fetch_add_explicit(&places_number, 1, memory_order_relaxed);
}

static void find_driver(void)
{
	*(void **)&driver.attributes = loaded_symbol(DRIVER, "cuPointerGetAttributes", NULL);
	*(void **)&driver.host_flags = loaded_symbol(DRIVER, "cuMemHostGetFlags", NULL);
	*(void **)&driver.exchange_mode =
		loaded_symbol(DRIVER, "cuThreadExchangeStreamCaptureMode", NULL);
	dlerror(); /* the program is not to find our failure there */
}

/* What CUDA read from there on is of the same kind: all of it pinned, or read by the processor itself.
 * Pageable, or pinned and cached: memory of the GPU, of a third device, managed or write-combined is
 * slow to read or moves when it is. */
static bool ask_driver(uint64_t address)
{
	CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
				       CU_POINTER_ATTRIBUTE_IS_MANAGED};
	unsigned int type = 0, is_managed = 0, flags = 0;
	void *data[] = {&type, &is_managed};

	if (driver.attributes(2, names, data, address) || is_managed)
		return false;
	if (type == 0)
		return true;
	return type == CU_MEMORYTYPE_HOST && !driver.host_flags(&flags, (void *)address) &&
	       !(flags & CU_MEMHOSTALLOC_WRITECOMBINED);
}

static __attribute__((noinline)) bool find_place(struct place *place, uint64_t address,
						 uint64_t bytes)
{
	/* Else a stream capture that is under way would be invalidated. */
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
	uint32_t number = atomic_load_explicit(&places_number, memory_order_relaxed);
	int saved_errno = errno;

	pthread_once(&driver_once, find_driver);
	*place = (struct place){.address = address, .bytes = bytes, .number = number};
	if (driver.attributes && driver.host_flags && driver.exchange_mode) {
		driver.exchange_mode(&mode);
		place->is_host = ask_driver(address);
		driver.exchange_mode(&mode);
	}
	errno = saved_errno;
	return place->is_host;
}

static bool is_host(uint64_t address, uint64_t bytes)
{
	struct place *place = &places[hash_word(address) >> (64 - PLACE_BITS)];

	if (address + bytes < address)
		return false;
	if (__builtin_expect(place->address == address && place->bytes >= bytes &&
				     place->number == atomic_load_explicit(&places_number,
									   memory_order_relaxed),
			     1))
		return place->is_host;
	return find_place(place, address, bytes);
}

/* Whether so many bytes more are within the share, which they take then. */
static bool afford(uint64_t bytes, int64_t now_ns)
{
	int64_t paid = atomic_load_explicit(&paid_ns, memory_order_relaxed), cost_ns;

	if (bytes > (uint64_t)WHOLE_BYTES_PER_S)
		return false;
	cost_ns = (int64_t)bytes * NS_PER_S / WHOLE_BYTES_PER_S;
	if (paid < now_ns - NS_PER_S)
		paid = now_ns - NS_PER_S;
	if (paid + cost_ns > now_ns)
		return false;
	atomic_store_explicit(&paid_ns, paid + cost_ns, memory_order_relaxed);
	return true;
}

static uint64_t key_of(uint64_t device, uint64_t bytes)
{
	return hash_word(device ^ hash_word(bytes));
}

static struct slot *slot_of(uint64_t key)
{
	return &slots[key >> (64 - SLOT_BITS)];
}

/* Whether this copy is one of those that are left out. */
static bool skips(struct slot *slot)
{
	const uint8_t left = atomic_load_explicit(&slot->skips, memory_order_relaxed);

	if (__builtin_expect(left != 0, 1))
		atomic_store_explicit(&slot->skips, left - 1, memory_order_relaxed);
	return left != 0;
}

static void note_change(struct slot *slot, uint64_t word)
{
	const bool is_first = !atomic_load_explicit(&slot->word, memory_order_relaxed);
	uint8_t changes = atomic_load_explicit(&slot->changes, memory_order_relaxed);

	if (!is_first && changes < CHANGES_MOST)
		changes++;
	if (!is_first && changes >= CHANGES_LEAST) {
		atomic_store_explicit(&slot->skips, (1 << (changes - CHANGES_LEAST + 1)) - 1,
				      memory_order_relaxed);
		word = 0;
	}
	atomic_store_explicit(&slot->changes, changes, memory_order_relaxed);
	atomic_store_explicit(&slot->word, word, memory_order_relaxed);
}

/* The copy's lines are the slot's last from now on. Whether all of it is worth a hash, and the share
 * has it: where it will be compared. */
static bool note_lines(struct slot *slot, uint64_t word, bool is_fetched,
		       const struct record *record)
{
	const bool repeats = atomic_load_explicit(&slot->word, memory_order_relaxed) == word;
	const uint8_t state = atomic_load_explicit(&slot->state, memory_order_relaxed);
	const uint64_t bytes = record->size_bytes;
	uint8_t next = 0;
	bool is_wanted = false;

	if (is_fetched) {
		is_wanted = state & STATE_CAME_BACK && afford(2 * bytes, record->end_ns);
		next = STATE_FETCHED | (state & STATE_CAME_BACK) | (is_wanted ? STATE_WHOLE : 0);
	} else if (repeats) {
		is_wanted =
			state & STATE_FETCHED ? state & STATE_WHOLE : afford(bytes, record->end_ns);
		next = (state & (STATE_FETCHED | STATE_CAME_BACK)) ? STATE_CAME_BACK : 0;
	} else if (!(state & STATE_FETCHED)) {
		next = state & STATE_CAME_BACK;
	}
	if (!repeats)
		note_change(slot, word);
	else
		atomic_store_explicit(&slot->changes, 0, memory_order_relaxed);
	atomic_store_explicit(&slot->state, next, memory_order_relaxed);
	return is_wanted;
}

static uint64_t hash_whole(const void *host, uint64_t bytes)
{
	int64_t start_ns;
	uint64_t hash;

	if (bytes < OVERHEAD_BYTES)
		return content_hash(host, bytes);
	start_ns = clock_now_ns();
	hash = content_hash(host, bytes);
	recorder_overhead(start_ns, clock_now_ns());
	return hash;
}

/* host: the copy's end there, to be read if that is the host's. */
static bool hash_copy(struct record *record, uint64_t host, uint64_t device, bool is_fetched)
{
	const void *memory = (const void *)host;
	const uint64_t bytes = record->size_bytes, key = key_of(device, bytes);
	const size_t lines = content_line_count(bytes);
	bool is_whole = bytes <= lines * CONTENT_LINE_BYTES;
	uint64_t hash;

	if (skips(slot_of(key)))
		return true;
	if (!is_host(host, bytes))
		return false;
	hash = content_hash_lines(memory, bytes, lines);
	/* Small ones are hashed whole already: that takes no share. */
	if (note_lines(slot_of(key), key ^ hash, is_fetched, record) && !is_whole) {
		hash = hash_whole(memory, bytes);
		is_whole = true;
	}
	hash >>= 33;
	record->numbers = (uint32_t)(hash ? hash : 1) | (is_whole ? CONTENT_IS_WHOLE : 0);
	return true;
}

void content_note(struct record *record, bool is_waited)
{
	const uint64_t src = record->src, dst = record->dst;
	const uint8_t kind = record->copy_kind;

	/* At another depth the record is none that will be kept; without an id nothing says which
	 * copy it is. */
	if (!content_on || recorder_thread.at.depth != 2 || record->result || !record->size_bytes ||
	    !src || !dst || !(record->has & RECORD_HAS_CORRELATION) || recorder_thread.makes_node)
		return;
	/* Of the default kind it is the memory that says which way it goes. */
	if (kind == COPY_DEFAULT && is_host(src, record->size_bytes) &&
	    is_host(dst, record->size_bytes))
		return;
	if ((kind == COPY_TO_DEVICE || kind == COPY_DEFAULT) && hash_copy(record, src, dst, false))
		return;
	if ((kind == COPY_TO_HOST || kind == COPY_DEFAULT) && is_waited)
		hash_copy(record, dst, src, true);
}
