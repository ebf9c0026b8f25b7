#include "content/look.h"

#include "base/clock.h"
#include "base/hash.h"
#include "content/content_hash.h"
#include "content/places.h"
#include "recorder/recorder.h"

#include <stdatomic.h>

#define SLOT_BITS 10

/* Whole hashes take one part of so many of the time; what was not spent of half a second can be spent later. */
#define SHARE	 64
#define SAVED_NS INT64_C(500000000)

/* What a core reads of memory that is in no cache, where nothing disturbs it. Slower hashes are paid for as
 * they were measured, up to so many times that: what is more, another thread had the core. */
#define BYTES_PER_NS 16
#define SLOWER_MOST  8

/* Whole hashes that take less are no more than the call itself. */
#define OVERHEAD_BYTES 16384

/* What was copied last from and to device memory: its address and size, and the hash of its lines, in
 * one word; 0: not known. Threads may overwrite each other's: then a whole hash is missed, or made in
 * vain. */
enum state {
	STATE_FETCHED = 1 << 0, /* the last was a copy to the host */
	STATE_WHOLE =
		1
		<< 1, /* of which all bytes were hashed, as they are to be when they are sent back */
	STATE_CAME_BACK = 1 << 2, /* such a one was sent back as it was, the last time */
	STATE_AWAITED = 1 << 3,	  /* of a fetched one: its own call did not wait, and has no hash */
	STATE_REPEATED =
		1 << 4, /* the last was a copy to the device, and repeated the one before */
};
struct slot {
	_Atomic uint64_t word;
	_Atomic uint32_t fetched; /* the numbers that the fetched one would have */
	_Atomic uint8_t state;
	_Atomic uint8_t changes;       /* so many times in a row it was something else */
	_Atomic uint8_t skips;	       /* so many copies to come are not hashed */
	_Atomic uint32_t wholes_apart; /* so far all bytes are hashed each so many repetitions */
	_Atomic uint32_t lines_left;   /* of so many repetitions to come only lines are hashed */
};
static struct slot slots[1 << SLOT_BITS];

/* After so many changes in a row a copy is left out, then 3, 7, ... up to 63, with two hashed between: what
 * is always new costs next to nothing. */
#define CHANGES_LEAST 3
#define CHANGES_MOST  8

/* Of the same bytes again and again two are hashed whole in a row, then one after four times as many each time:
 * what changes between the lines shows at the next one. */
#define APART_FACTOR 4
#define APART_MOST   (1 << 16)

/* When all whole hashes so far are paid for. */
static _Atomic int64_t paid_ns;

void content_look_initialize(void)
{
	atomic_store_explicit(&paid_ns, clock_now_ns(), memory_order_relaxed);
	content_hash_initialize();
}

/* Whether so many bytes more are within the share. */
static bool can_afford(uint64_t bytes, int64_t now_ns)
{
	return bytes / BYTES_PER_NS <= (uint64_t)SAVED_NS / SHARE &&
	       now_ns - atomic_load_explicit(&paid_ns, memory_order_relaxed) >=
		       (int64_t)(bytes / BYTES_PER_NS) * SHARE;
}

/* A whole hash of so many bytes took so long. */
static void pay(uint64_t bytes, int64_t took_ns, int64_t now_ns)
{
	const int64_t most_ns = (int64_t)(bytes / BYTES_PER_NS) * SLOWER_MOST;
	int64_t paid = atomic_load_explicit(&paid_ns, memory_order_relaxed);

	if (paid < now_ns - SAVED_NS)
		paid = now_ns - SAVED_NS;
	atomic_store_explicit(&paid_ns, paid + SHARE * (took_ns < most_ns ? took_ns : most_ns),
			      memory_order_relaxed);
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

/* Whether it is one of the repetitions of which all bytes are hashed, and so many are within the share. */
static bool is_due(struct slot *slot, uint64_t bytes, int64_t now_ns)
{
	const uint32_t left = atomic_load_explicit(&slot->lines_left, memory_order_relaxed);
	uint32_t apart;

	if (left) {
		atomic_store_explicit(&slot->lines_left, left - 1, memory_order_relaxed);
		return false;
	}
	if (!can_afford(bytes, now_ns))
		return false;
	apart = atomic_load_explicit(&slot->wholes_apart, memory_order_relaxed);
	apart = apart == 0 ? 1 : apart < APART_MOST ? apart * APART_FACTOR : apart;
	atomic_store_explicit(&slot->wholes_apart, apart, memory_order_relaxed);
	atomic_store_explicit(&slot->lines_left, apart - 1, memory_order_relaxed);
	return true;
}

static void note_repetition(struct slot *slot, bool repeats, uint64_t word, bool is_fetched)
{
	if (repeats) {
		atomic_store_explicit(&slot->changes, 0, memory_order_relaxed);
		return;
	}
	note_change(slot, word);
	/* What is fetched may be new each time, and still come back. */
	if (!is_fetched) {
		atomic_store_explicit(&slot->wholes_apart, 0, memory_order_relaxed);
		atomic_store_explicit(&slot->lines_left, 0, memory_order_relaxed);
	}
}

static uint8_t state_after_sent(uint8_t state, bool repeats)
{
	if (state & STATE_FETCHED)
		return repeats ? STATE_CAME_BACK : 0;
	return (state & STATE_CAME_BACK) | (repeats ? STATE_REPEATED : 0);
}

/* Of one that repeats the one before; once is no sign that it goes on so: a warm-up and the first step do. */
static bool is_wanted_of_sent(struct slot *slot, uint8_t state, const struct content_copy *copy)
{
	if (state & STATE_FETCHED)
		return state & STATE_WHOLE;
	return state & STATE_REPEATED && is_due(slot, copy->bytes, copy->now_ns);
}

/* The copy's lines are the slot's last from now on. Whether all of it is worth a hash: where it will be
 * compared. */
static bool note_lines(struct slot *slot, uint64_t word, bool is_fetched,
		       const struct content_copy *copy)
{
	const bool repeats = atomic_load_explicit(&slot->word, memory_order_relaxed) == word;
	const uint8_t state = atomic_load_explicit(&slot->state, memory_order_relaxed);
	uint8_t next = state_after_sent(state, repeats);
	bool is_wanted = false;

	if (is_fetched) {
		is_wanted = state & STATE_CAME_BACK && is_due(slot, 2 * copy->bytes, copy->now_ns);
		next = STATE_FETCHED | (state & STATE_CAME_BACK) | (is_wanted ? STATE_WHOLE : 0);
	} else if (repeats) {
		is_wanted = is_wanted_of_sent(slot, state, copy);
	}
	note_repetition(slot, repeats, word, is_fetched);
	atomic_store_explicit(&slot->state, next, memory_order_relaxed);
	return is_wanted;
}

/* The hash of all bytes; of pinned ones a copy engine may read at the same time, or the next time. */
static uint64_t hash_whole(const void *host, uint64_t bytes, int64_t now_ns)
{
	const bool is_pinned = places_is_pinned((uint64_t)host, bytes);
	int64_t start_ns, end_ns;
	uint64_t hash;

	if (bytes < OVERHEAD_BYTES) {
		pay(bytes, (int64_t)bytes / BYTES_PER_NS, now_ns);
		return content_hash(host, bytes);
	}
	start_ns = clock_now_ns();
	hash = is_pinned ? content_hash_in_passing(host, bytes) : content_hash(host, bytes);
	end_ns = clock_now_ns();
	pay(bytes, end_ns - start_ns, start_ns);
	recorder_overhead(start_ns, end_ns);
	return hash;
}

/* What the last copy from there to the host had brought, where its call did not wait for it. */
static uint32_t awaited_of(const struct slot *slot, uint64_t word)
{
	return atomic_load_explicit(&slot->state, memory_order_relaxed) & STATE_AWAITED &&
			       atomic_load_explicit(&slot->word, memory_order_relaxed) == word
		       ? atomic_load_explicit(&slot->fetched, memory_order_relaxed)
		       : 0;
}

static uint32_t numbers_of(uint64_t hash, bool is_whole)
{
	hash >>= 33;
	return (uint32_t)(hash ? hash : 1) | (is_whole ? CONTENT_IS_WHOLE : 0);
}

/* The copy's end on the host is read, if that is the host's. */
bool content_look(const struct content_copy *copy, bool is_fetched, struct content_looked *looked)
{
	const void *memory = (const void *)copy->host;
	const uint64_t key = key_of(copy->device, copy->bytes);
	const size_t lines = content_line_count(copy->bytes);
	bool is_whole = copy->bytes <= lines * CONTENT_LINE_BYTES;
	uint64_t hash;

	*looked = (struct content_looked){0};
	if (skips(slot_of(key)))
		return true;
	if (!places_is_host(copy->host, copy->bytes))
		return false;
	hash = content_hash_lines(memory, copy->bytes, lines);
	looked->awaited = is_fetched ? 0 : awaited_of(slot_of(key), key ^ hash);
	/* Small ones are hashed whole already: that takes no share. */
	if (note_lines(slot_of(key), key ^ hash, is_fetched, copy) && !is_whole) {
		hash = hash_whole(memory, copy->bytes, copy->now_ns);
		is_whole = true;
	}
	looked->numbers = numbers_of(hash, is_whole);
	return true;
}

void content_begin_fetch(const struct content_copy *copy)
{
	struct slot *slot = slot_of(key_of(copy->device, copy->bytes));

	atomic_fetch_and_explicit(&slot->state, STATE_CAME_BACK, memory_order_relaxed);
}

void content_fetched(const struct content_copy *copy)
{
	struct slot *slot = slot_of(key_of(copy->device, copy->bytes));
	struct content_looked looked;

	if (!content_look(copy, true, &looked) || !looked.numbers)
		return;
	atomic_store_explicit(&slot->fetched, looked.numbers, memory_order_relaxed);
	atomic_fetch_or_explicit(&slot->state, STATE_AWAITED, memory_order_relaxed);
}
