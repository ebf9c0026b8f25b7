#include "first_use/table.h"

#include "base/atoms.h"
#include "base/clock.h"
#include "base/losses.h"
#include "first_use/pages.h"
#include "stack/sites.h"
#include "store/store.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>

#define WATCHES 1024
#define SPINS	100000 /* while another thread is between two of its instructions */

enum phase { PHASE_FREE, PHASE_EXPECTED, PHASE_ARMING, PHASE_IN_FORCE, PHASE_ENDING, PHASE_ENDED };
#define PHASE_BITS	3
#define PHASE_OF(state) ((enum phase)((state) & ((1u << PHASE_BITS) - 1)))
/* Above the phase a state has a count of uses: an equal state means the same use of the watch. */
#define WITH_PHASE(state, phase) ((state) >> PHASE_BITS << PHASE_BITS | (phase))
#define NEXT_USE(state)		 (((state) >> PHASE_BITS) + 1) << PHASE_BITS

struct watch {
	_Atomic uint64_t state;
	_Atomic uintptr_t low, high;
	struct first_use_copy copy;
	int64_t wait_ns, armed_ns;
	uint32_t wait_thread_id; /* 0: no wait has covered it */
	/* How it ended. */
	enum first_use_kind kind;
	int64_t touch_ns, opened_ns;
	uint32_t touch_thread_id;
	uintptr_t touch_address, instruction;
};

static struct {
	struct watch watches[WATCHES];
	_Atomic size_t used; /* the first `used` watches were ever used */
	_Atomic bool is_open;
	_Atomic uint64_t end_count;
} table;

_Atomic int first_use_count;

/* A fault without a watch may belong to one that has just ended: it is retried once. */
static __thread struct {
	uintptr_t address, instruction;
	uint64_t end_count;
} last_fault __attribute__((tls_model("initial-exec")));

static bool is_overlapping(const struct watch *watch, uintptr_t low, uintptr_t high)
{
	return atomic_load_explicit(&watch->low, memory_order_relaxed) < high &&
	       low < atomic_load_explicit(&watch->high, memory_order_relaxed);
}

static void set_state(struct watch *watch, uint64_t state)
{
	atomic_store_explicit(&watch->state, state, memory_order_release);
}

/* The state once nobody is arming the watch. Goes on after a while: in the child of a raw fork
 * nobody will finish. */
static uint64_t settled_state(struct watch *watch)
{
	uint64_t state = atomic_load_explicit(&watch->state, memory_order_acquire);

	for (int i = 0; PHASE_OF(state) == PHASE_ARMING && i < SPINS; i++) {
		sched_yield();
		state = atomic_load_explicit(&watch->state, memory_order_acquire);
	}
	return state;
}

/* False: another thread has ended it. */
static bool end_watch(struct watch *watch, uint64_t state, const struct first_use *use)
{
	int64_t now_ns = clock_now_ns();

	if (!atomic_compare_exchange_strong(&watch->state, &state, WITH_PHASE(state, PHASE_ENDING)))
		return false;
	pages_open(watch->low, watch->high);
	watch->kind = use->kind;
	watch->touch_ns = now_ns;
	watch->opened_ns = clock_now_ns();
	watch->touch_thread_id = first_use_thread_id();
	watch->touch_address = use->low;
	watch->instruction = use->instruction;
	atomic_fetch_sub(&first_use_count, 1);
	atomic_fetch_add(&table.end_count, 1);
	set_state(watch, WITH_PHASE(state, PHASE_ENDED));
	return true;
}

/* A signal handler may have interrupted end_watch() on this very thread: opens the pages itself. */
static void help_ending(const struct watch *watch)
{
	pages_open(watch->low, watch->high);
}

static void end_expected(struct watch *watch, uint64_t state, const struct first_use *use)
{
	if (!atomic_compare_exchange_strong(&watch->state, &state, WITH_PHASE(state, PHASE_ENDING)))
		return;
	watch->kind = use->kind;
	watch->touch_ns = watch->opened_ns = clock_now_ns();
	watch->touch_thread_id = first_use_thread_id();
	watch->touch_address = use->low;
	watch->instruction = 0;
	set_state(watch, WITH_PHASE(state, PHASE_ENDED));
}

void first_use_end(const struct first_use *use, bool is_expected)
{
	int saved_errno = errno;

	for (size_t i = 0; i < atomic_load(&table.used); i++) {
		struct watch *watch = &table.watches[i];
		uint64_t state = settled_state(watch);

		if (PHASE_OF(state) == PHASE_FREE || !is_overlapping(watch, use->low, use->high))
			continue;
		if (PHASE_OF(state) == PHASE_IN_FORCE)
			end_watch(watch, state, use);
		else if (PHASE_OF(state) == PHASE_ENDING)
			help_ending(watch);
		else if (PHASE_OF(state) == PHASE_EXPECTED &&
			 (is_expected || watch->wait_thread_id)) /* suspended */
			end_expected(watch, state, use);
	}
	errno = saved_errno;
}

void first_use_end_in_force(const struct first_use *use)
{
	first_use_end(use, false);
}

void first_use_end_reachable(void)
{
	const struct first_use use = {.high = UINTPTR_MAX, .kind = FIRST_USE_GIVEN_UP};

	if (!atomic_load(&first_use_count))
		return;
	for (size_t i = 0; i < atomic_load(&table.used); i++) {
		struct watch *watch = &table.watches[i];
		uint64_t state = settled_state(watch);

		if (PHASE_OF(state) == PHASE_IN_FORCE && watch->copy.is_reachable)
			end_watch(watch, state, &use);
	}
}

/* A touch outside the copy but inside the watched mapping is the heap's own: free(). */
static enum first_use_kind kind_at(const struct watch *watch, uintptr_t address,
				   enum first_use_kind kind)
{
	return address >= watch->copy.address &&
			       address - watch->copy.address < watch->copy.size_bytes
		       ? kind
		       : FIRST_USE_FREED;
}

bool first_use_fault(uintptr_t address, uintptr_t instruction, enum first_use_kind kind)
{
	int saved_errno = errno;
	bool is_new;

	for (size_t i = 0; i < atomic_load(&table.used); i++) {
		struct watch *watch = &table.watches[i];
		uint64_t state = settled_state(watch);

		if (!is_overlapping(watch, address, address + 1))
			continue;
		if (PHASE_OF(state) == PHASE_IN_FORCE)
			end_watch(watch, state,
				  &(struct first_use){address, address + 1,
						      kind_at(watch, address, kind),
						      instruction + 1});
		else if (PHASE_OF(state) == PHASE_ENDING || PHASE_OF(state) == PHASE_ARMING)
			help_ending(watch);
		else
			continue;
		errno = saved_errno;
		return true;
	}
	is_new = last_fault.address != address || last_fault.instruction != instruction ||
		 last_fault.end_count != atomic_load(&table.end_count);
	last_fault.address = address;
	last_fault.instruction = instruction;
	last_fault.end_count = atomic_load(&table.end_count);
	errno = saved_errno;
	return is_new;
}

static struct watch *find_free(void)
{
	size_t used = atomic_load(&table.used);
	struct watch *oldest = NULL;

	for (size_t i = 0; i < used; i++) {
		struct watch *watch = &table.watches[i];
		enum phase phase = PHASE_OF(atomic_load(&watch->state));

		if (phase == PHASE_FREE)
			return watch;
		if (phase == PHASE_EXPECTED &&
		    (!oldest || watch->copy.serial < oldest->copy.serial))
			oldest = watch;
	}
	if (used < WATCHES) {
		atomic_store(&table.used, used + 1);
		return &table.watches[used];
	}
	/* Copies that nobody waits for pile up: the oldest makes room. */
	losses_count(LOSS_FIRST_USE, 1);
	return oldest;
}

void first_use_expect(const struct first_use_copy *copy)
{
	struct watch *watch = find_free();
	uint64_t state;

	if (!watch)
		return;
	state = atomic_load(&watch->state);
	/* The oldest may be ending at this moment. */
	if (PHASE_OF(state) != PHASE_FREE &&
	    (PHASE_OF(state) != PHASE_EXPECTED ||
	     !atomic_compare_exchange_strong(&watch->state, &state, WITH_PHASE(state, PHASE_FREE))))
		return;
	atomic_store_explicit(&watch->low, copy->low, memory_order_relaxed);
	atomic_store_explicit(&watch->high, copy->high, memory_order_relaxed);
	watch->copy = *copy;
	watch->wait_thread_id = 0;
	watch->wait_ns = watch->armed_ns = 0;
	set_state(watch, WITH_PHASE(NEXT_USE(state), PHASE_EXPECTED));
}

static bool is_covered(const struct first_use_copy *copy, const struct first_use_wait *wait)
{
	enum { LEGACY = 1, PER_THREAD = 2 };

	if (wait->correlation)
		return copy->correlation == wait->correlation;
	if (copy->context != wait->context || copy->serial > wait->serial)
		return false;
	if (wait->is_all)
		return true;
	if (wait->stream == LEGACY)
		return copy->stream == LEGACY || copy->is_blocking;
	return copy->stream == wait->stream &&
	       (wait->stream != PER_THREAD || copy->thread_id == wait->stream_thread_id);
}

static void arm_watch(struct watch *watch, uint64_t state, const struct first_use_wait *wait)
{
	if (!atomic_compare_exchange_strong(&watch->state, &state, WITH_PHASE(state, PHASE_ARMING)))
		return;
	watch->wait_ns = wait->time_ns;
	watch->wait_thread_id = wait->thread_id;
	if (!pages_close(watch->low, watch->high)) {
		/* A part of the pages may be closed. */
		pages_open(watch->low, watch->high);
		losses_count(LOSS_FIRST_USE, 1);
		set_state(watch, WITH_PHASE(NEXT_USE(state), PHASE_FREE));
		return;
	}
	watch->armed_ns = clock_now_ns();
	atomic_fetch_add(&first_use_count, 1);
	state = WITH_PHASE(state, PHASE_IN_FORCE);
	set_state(watch, state);
	if (!atomic_load(&table.is_open))
		end_watch(watch, state, &(struct first_use){.kind = FIRST_USE_GIVEN_UP});
}

void first_use_suspend(uintptr_t low, uintptr_t high)
{
	int saved_errno = errno;

	for (size_t i = 0; i < atomic_load(&table.used); i++) {
		struct watch *watch = &table.watches[i];
		uint64_t state = settled_state(watch);

		if (PHASE_OF(state) != PHASE_IN_FORCE || !is_overlapping(watch, low, high) ||
		    !atomic_compare_exchange_strong(&watch->state, &state,
						    WITH_PHASE(state, PHASE_ENDING)))
			continue;
		pages_open(watch->low, watch->high);
		atomic_fetch_sub(&first_use_count, 1);
		atomic_fetch_add(&table.end_count, 1);
		set_state(watch, WITH_PHASE(state, PHASE_EXPECTED));
	}
	errno = saved_errno;
}

void first_use_resume(uintptr_t low, uintptr_t high)
{
	for (size_t i = 0; i < atomic_load(&table.used); i++) {
		struct watch *watch = &table.watches[i];
		uint64_t state = atomic_load_explicit(&watch->state, memory_order_acquire);

		if (PHASE_OF(state) == PHASE_EXPECTED && watch->wait_thread_id &&
		    is_overlapping(watch, low, high))
			arm_watch(watch, state,
				  &(struct first_use_wait){.time_ns = watch->wait_ns,
							   .thread_id = watch->wait_thread_id});
	}
}

void first_use_arm(const struct first_use_wait *wait)
{
	for (size_t i = 0; i < atomic_load(&table.used); i++) {
		struct watch *watch = &table.watches[i];
		uint64_t state = atomic_load_explicit(&watch->state, memory_order_acquire);

		if (PHASE_OF(state) == PHASE_EXPECTED && is_covered(&watch->copy, wait))
			arm_watch(watch, state, wait);
	}
}

void first_use_open(void)
{
	atomic_store(&table.is_open, true);
}

void first_use_close(enum first_use_kind kind)
{
	atomic_store(&table.is_open, false);
	first_use_end(&(struct first_use){.high = UINTPTR_MAX, .kind = kind}, false);
}

void first_use_forget(void)
{
	first_use_close(FIRST_USE_GIVEN_UP);
	for (size_t i = 0; i < atomic_load(&table.used); i++) {
		uint64_t state = atomic_load(&table.watches[i].state);

		/* Also one that was being armed or ended in the parent. */
		if (PHASE_OF(state) == PHASE_ARMING || PHASE_OF(state) == PHASE_ENDING)
			help_ending(&table.watches[i]);
		atomic_store(&table.watches[i].state, WITH_PHASE(NEXT_USE(state), PHASE_FREE));
	}
	atomic_store(&first_use_count, 0);
}

static void store_watch(struct store *store, const struct watch *watch)
{
	const struct first_use_copy *copy = &watch->copy;
	uint64_t first = copy->address > watch->low ? copy->address : watch->low;
	uint64_t end = copy->address + copy->size_bytes, instruction = watch->instruction;
	struct first_uses_row row = first_uses_null();
	struct atom *site = NULL;

	row.correlation_id = copy->correlation;
	row.address = (int64_t)copy->address;
	row.watched_bytes = (int64_t)((end < watch->high ? end : watch->high) - first);
	row.wait_ns = watch->wait_thread_id ? watch->wait_ns : STORE_NULL;
	row.wait_thread_id = watch->wait_thread_id ? watch->wait_thread_id : STORE_NULL;
	row.kind = watch->kind;
	row.touch_ns = watch->kind != FIRST_USE_NEVER ? watch->touch_ns : STORE_NULL;
	row.touch_thread_id = watch->kind != FIRST_USE_NEVER ? watch->touch_thread_id : STORE_NULL;
	row.touch_address = watch->kind < FIRST_USE_OVERWRITTEN && watch->kind != FIRST_USE_NEVER
				    ? (int64_t)watch->touch_address
				    : STORE_NULL;
	if (instruction) {
		instruction = sites_word(instruction, 1);
		site = atom_intern(&(struct atom_text){.words = &instruction,
						       .count = 1,
						       .kind = ATOM_STACK,
						       .frame_count = 1},
				   ATOM_ADD_SPARE);
	}
	store_first_use(store, &row, site);
	if (!watch->wait_thread_id)
		return;
	store_overhead(store, OVERHEAD_FIRST_USE, watch->wait_ns, watch->armed_ns,
		       watch->wait_thread_id);
	store_overhead(store, OVERHEAD_FIRST_USE, watch->touch_ns, watch->opened_ns,
		       watch->touch_thread_id);
}

void first_use_store_ended(struct store *store)
{
	for (size_t i = 0; i < atomic_load(&table.used); i++) {
		struct watch *watch = &table.watches[i];
		uint64_t state = atomic_load_explicit(&watch->state, memory_order_acquire);

		if (PHASE_OF(state) != PHASE_ENDED)
			continue;
		store_watch(store, watch);
		set_state(watch, WITH_PHASE(NEXT_USE(state), PHASE_FREE));
	}
}
