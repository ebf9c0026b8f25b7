#include "content/look.h"

#include "base/clock.h"
#include "base/hash.h"
#include "content/content_hash.h"
#include "content/memory_places.h"
#include "recorder/recorder.h"

#include <stdatomic.h>

#define SLOT_BITS 10

/* Whole hashes take at most 1 / SHARE of the time; up to SAVED_NS worth of unspent share is
 * saved. */
#define SHARE	 64
#define SAVED_NS INT64_C(500000000)

/* A core's reading speed for uncached memory. A whole hash is charged with its measured time, at
 * most SLOWER_MOST times the expected one: more means preemption. */
#define BYTES_PER_NS 16
#define SLOWER_MOST  8

/* Whole hashes of fewer bytes cost no more than the call itself, and are no overhead. */
#define OVERHEAD_BYTES 16384

/* What was last copied to or from device memory. word: address, size and hash of the lines, mixed;
 * 0: unknown. Threads may overwrite each other's: a whole hash is then missing, or made in vain. */
enum state {
	STATE_FETCHED = 1 << 0,	  /* the last copy went to the host */
	STATE_WHOLE = 1 << 1,	  /* all its bytes were hashed, so they must be when sent back */
	STATE_CAME_BACK = 1 << 2, /* the last copy to the host was sent back unchanged */
	STATE_AWAITED = 1 << 3,	  /* with STATE_FETCHED: an awaited copy; its own record has no
				   * hash */
	STATE_REPEATED = 1 << 4, /* the last copy went to the device, and repeated the one before */
};
struct slot {
	_Atomic uint64_t word;
	_Atomic uint32_t fetched; /* the numbers of the last awaited copy */
	_Atomic uint8_t state;
	_Atomic uint8_t changes;       /* how many copies in a row differed */
	_Atomic uint8_t skips;	       /* how many of the next copies are not hashed */
	_Atomic uint32_t wholes_apart; /* current distance of whole hashes, in repetitions */
	_Atomic uint32_t lines_left;   /* how many of the next repetitions are hashed by lines
				        * only */
};
static struct slot slots[1 << SLOT_BITS];

/* After CHANGES_LEAST changes in a row one copy is not hashed, then 3, 7, ... up to 63, with two
 * hashed between: a place that always changes costs almost nothing. */
#define CHANGES_LEAST 3
#define CHANGES_MOST  8

/* Of a repeating copy two are hashed whole in a row, then each after four times as many
 * repetitions: a change between the lines shows at the next whole hash. */
#define APART_FACTOR 4
#define APART_MOST   (1 << 16)

/* The time when all whole hashes so far are paid for by their share. */
static _Atomic int64_t paid_ns;

void content_look_initialize(void)
{
	atomic_store_explicit(&paid_ns, clock_now_ns(), memory_order_relaxed);
	content_hash_initialize();
}

/* Whether a whole hash of so many bytes is within the share. */
static bool can_afford(uint64_t bytes, int64_t now_ns)
{
	return bytes / BYTES_PER_NS <= (uint64_t)SAVED_NS / SHARE &&
	       now_ns - atomic_load_explicit(&paid_ns, memory_order_relaxed) >=
		       (int64_t)(bytes / BYTES_PER_NS) * SHARE;
}

/* Charges a whole hash of so many bytes that took took_ns. */
static void pay_hash(uint64_t bytes, int64_t took_ns, int64_t now_ns)
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

/* Whether this copy is one that is not hashed; counts it. */
static bool skips_copy(struct slot *slot)
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

/* Whether this repetition must be hashed whole, and its bytes are within the share. */
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
	/* Copies to the host may differ each time and still be sent back. */
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

/* Whether a repeating copy to the device is worth a whole hash. One repetition is no sign: a
 * warm-up and the first step repeat, too. */
static bool is_wanted_of_sent(struct slot *slot, uint8_t state, const struct content_copy *copy)
{
	if (state & STATE_FETCHED)
		return state & STATE_WHOLE;
	return state & STATE_REPEATED && is_due(slot, copy->bytes, copy->now_ns);
}

/* Stores the copy's lines as the slot's last. Returns whether a whole hash will be compared with
 * another, and so is worth its time. */
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

/* The hash of all bytes. Pinned ones may be read by a copy engine now or later: leave them
 * uncached. */
static uint64_t hash_whole(const void *host, uint64_t bytes, int64_t now_ns)
{
	const bool is_pinned = places_is_pinned((uint64_t)host, bytes);
	int64_t start_ns, end_ns;
	uint64_t hash;

	if (bytes < OVERHEAD_BYTES) {
		pay_hash(bytes, (int64_t)bytes / BYTES_PER_NS, now_ns);
		return content_hash(host, bytes);
	}
	start_ns = clock_now_ns();
	hash = is_pinned ? content_hash_in_passing(host, bytes) : content_hash(host, bytes);
	end_ns = clock_now_ns();
	pay_hash(bytes, end_ns - start_ns, start_ns);
	recorder_overhead(start_ns, end_ns);
	return hash;
}

/* What the last awaited copy from this place has brought. */
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

/* Reads the host bytes, if they are the host's. */
bool content_look(const struct content_copy *copy, bool is_fetched, struct content_looked *looked)
{
	const void *memory = (const void *)copy->host;
	const uint64_t key = key_of(copy->device, copy->bytes);
	const size_t lines = content_line_count(copy->bytes);
	bool is_whole = copy->bytes <= lines * CONTENT_LINE_BYTES;
	uint64_t hash;

	*looked = (struct content_looked){0};
	if (skips_copy(slot_of(key)))
		return true;
	if (!places_is_host(copy->host, copy->bytes))
		return false;
	hash = content_hash_lines(memory, copy->bytes, lines);
	looked->awaited = is_fetched ? 0 : awaited_of(slot_of(key), key ^ hash);
	/* Small copies are hashed whole already, for free. */
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
