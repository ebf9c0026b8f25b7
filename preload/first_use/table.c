#include "first_use/table.h"

#include "base/clock.h"
#include "base/losses.h"
#include "first_use/covering.h"
#include "first_use/pages.h"
#include "first_use/table_private.h"
#include "stack/python_frames.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>

#define SPINS 100000 /* while another thread is between two of its instructions */

struct watch_table watch_table;

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

static enum pages_access access_of(const struct watch *watch)
{
	return watch->copy.purpose == EARLY_SOURCE ? PAGES_READ_ONLY : PAGES_INACCESSIBLE;
}

/* From low on: up to where the pages belong to other watches in force than self, or (low itself does)
 * to none of these. */
static uintptr_t end_of_part(const struct watch *self, uintptr_t low, uintptr_t high,
			     bool *is_shared)
{
	uintptr_t shared_end = low, own_end = high;

	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		const struct watch *other = &watch_table.watches[i];
		const enum phase phase = PHASE_OF(atomic_load(&other->state));
		const uintptr_t other_low = atomic_load_explicit(&other->low, memory_order_relaxed);
		const uintptr_t other_high =
			atomic_load_explicit(&other->high, memory_order_relaxed);

		if (other == self || (phase != PHASE_IN_FORCE && phase != PHASE_ARMING) ||
		    other_low >= high || other_high <= low)
			continue;
		if (other_low > low)
			own_end = other_low < own_end ? other_low : own_end;
		else if (other_high > shared_end)
			shared_end = other_high;
	}
	*is_shared = shared_end > low;
	return *is_shared ? shared_end : own_end;
}

/* Opens what no other watch has in force. A loop, because a handler's stack may be small. */
static void open_watch(const struct watch *watch)
{
	uintptr_t end;
	bool is_shared;

	for (uintptr_t low = watch->low; low < watch->high; low = end) {
		end = end_of_part(watch, low, watch->high, &is_shared);
		if (!is_shared)
			pages_open(low, end, access_of(watch));
	}
}

/* False: another thread has ended it. */
static bool end_watch(struct watch *watch, uint64_t state, const struct first_use *use)
{
	int64_t now_ns = clock_now_ns();

	if (!atomic_compare_exchange_strong(&watch->state, &state, WITH_PHASE(state, PHASE_ENDING)))
		return false;
	open_watch(watch);
	watch->python_count = 0;
	if (use->instruction && atomic_load_explicit(&python_frames_on, memory_order_relaxed))
		watch->python_count =
			(uint16_t)python_frames_take(watch->python, TOUCH_PYTHON_FRAMES);
	watch->kind = use->kind;
	watch->touch_ns = now_ns;
	watch->opened_ns = clock_now_ns();
	watch->touch_thread_id = first_use_thread_id();
	watch->touch_address = use->low;
	watch->instruction = use->instruction;
	watch->stack_top = use->stack_top;
	atomic_fetch_sub(&first_use_count, 1);
	atomic_fetch_add(&watch_table.end_count, 1);
	watch_set_state(watch, WITH_PHASE(state, PHASE_ENDED));
	return true;
}

/* A signal handler may have interrupted end_watch() on this very thread: opens the pages itself. */
static void help_ending(const struct watch *watch)
{
	open_watch(watch);
}

static void end_expected(struct watch *watch, uint64_t state, const struct first_use *use)
{
	if (!atomic_compare_exchange_strong(&watch->state, &state, WITH_PHASE(state, PHASE_ENDING)))
		return;
	watch->kind = use->kind;
	watch->touch_ns = watch->opened_ns = clock_now_ns();
	watch->touch_thread_id = first_use_thread_id();
	watch->touch_address = use->low;
	watch->instruction = watch->stack_top = 0;
	watch->python_count = 0;
	watch_set_state(watch, WITH_PHASE(state, PHASE_ENDED));
}

/* What lies beside an early copy in its last page is not the copy's. */
static void end_by_call(struct watch *watch, uint64_t state, const struct first_use *use)
{
	const uintptr_t end = watch->copy.address + watch->copy.size_bytes;
	struct first_use own = *use;

	if (watch->copy.purpose != FIRST_USE_OF_RESULT &&
	    (use->low >= end || use->high <= watch->copy.address))
		own.kind = FIRST_USE_GIVEN_UP;
	end_watch(watch, state, &own);
}

void first_use_end(const struct first_use *use, bool is_expected)
{
	int saved_errno = errno;

	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = settled_state(watch);

		if (PHASE_OF(state) == PHASE_FREE || !is_overlapping(watch, use->low, use->high))
			continue;
		if (PHASE_OF(state) == PHASE_IN_FORCE &&
		    (!use->only_reads || watch->copy.purpose != EARLY_SOURCE))
			end_by_call(watch, state, use);
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
	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = settled_state(watch);

		if (PHASE_OF(state) == PHASE_IN_FORCE && watch->copy.is_reachable)
			end_watch(watch, state, &use);
	}
}

/* A touch outside the copy but inside the watched mapping is the heap's own: free(). Early watches
 * are not of the heap: what they have beside the copy is nobody's. */
static enum first_use_kind kind_at(const struct watch *watch, uintptr_t address,
				   enum first_use_kind kind)
{
	if (address >= watch->copy.address &&
	    address - watch->copy.address < watch->copy.size_bytes)
		return kind;
	return watch->copy.purpose == FIRST_USE_OF_RESULT ? FIRST_USE_FREED : FIRST_USE_GIVEN_UP;
}

bool first_use_fault(uintptr_t address, uintptr_t instruction, const uintptr_t *stack,
		     enum first_use_kind kind)
{
	int saved_errno = errno;
	bool is_ours = false, is_new;

	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = settled_state(watch);

		if (!is_overlapping(watch, address, address + 1))
			continue;
		if (PHASE_OF(state) == PHASE_IN_FORCE)
			end_watch(watch, state,
				  &(struct first_use){.low = address,
						      .high = address + 1,
						      .kind = kind_at(watch, address, kind),
						      .instruction = instruction + 1,
						      .stack_top = pages_word_at(stack)});
		else if (PHASE_OF(state) == PHASE_ENDING || PHASE_OF(state) == PHASE_ARMING)
			help_ending(watch);
		else
			continue;
		is_ours = true;
	}
	if (is_ours) {
		errno = saved_errno;
		return true;
	}
	is_new = last_fault.address != address || last_fault.instruction != instruction ||
		 last_fault.end_count != atomic_load(&watch_table.end_count);
	last_fault.address = address;
	last_fault.instruction = instruction;
	last_fault.end_count = atomic_load(&watch_table.end_count);
	errno = saved_errno;
	return is_new;
}

static void count_loss(const struct first_use_copy *copy)
{
	if (!copy->is_of_kernel)
		losses_count(copy->purpose == FIRST_USE_OF_RESULT ? LOSS_FIRST_USE : LOSS_WATCH, 1);
}

/* What must be given back makes no room. */
static struct watch *find_free(const struct first_use_copy *copy)
{
	size_t used = atomic_load(&watch_table.used);
	struct watch *oldest = NULL;

	for (size_t i = 0; i < used; i++) {
		struct watch *watch = &watch_table.watches[i];
		enum phase phase = PHASE_OF(atomic_load(&watch->state));

		if (phase == PHASE_FREE)
			return watch;
		if (phase == PHASE_EXPECTED &&
		    (!oldest || watch->copy.serial < oldest->copy.serial))
			oldest = watch;
	}
	if (used < WATCHES) {
		atomic_store(&watch_table.used, used + 1);
		return &watch_table.watches[used];
	}
	/* Copies that nobody waits for pile up: the oldest makes room. */
	count_loss(oldest ? &oldest->copy : copy);
	return oldest;
}

/* The watch, filled in and in this phase, or NULL. */
static struct watch *add_watch(const struct first_use_copy *copy, enum phase phase)
{
	struct watch *watch = find_free(copy);
	uint64_t state;

	if (!watch)
		return NULL;
	state = atomic_load(&watch->state);
	/* The oldest may be ending at this moment. */
	if (PHASE_OF(state) != PHASE_FREE &&
	    (PHASE_OF(state) != PHASE_EXPECTED ||
	     !atomic_compare_exchange_strong(&watch->state, &state, WITH_PHASE(state, PHASE_FREE))))
		return NULL;
	atomic_store_explicit(&watch->low, copy->low, memory_order_relaxed);
	atomic_store_explicit(&watch->high, copy->high, memory_order_relaxed);
	watch->copy = *copy;
	watch->wait_thread_id = 0;
	watch->wait_ns = watch->armed_ns = 0;
	watch_set_state(watch, WITH_PHASE(NEXT_USE(state), phase));
	return watch;
}

void first_use_expect(const struct first_use_copy *copy)
{
	add_watch(copy, PHASE_EXPECTED);
}

/* Sources in memory that becomes inaccessible: they would find their pages closed by another, and leave them so. */
static void end_sources(uintptr_t low, uintptr_t high)
{
	const struct first_use use = {.low = low, .high = high, .kind = FIRST_USE_GIVEN_UP};

	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = atomic_load(&watch->state);

		if (PHASE_OF(state) == PHASE_IN_FORCE && watch->copy.purpose == EARLY_SOURCE &&
		    is_overlapping(watch, low, high))
			end_watch(watch, state, &use);
	}
}

static void arm_watch(struct watch *watch, uint64_t state, const struct first_use_wait *wait)
{
	if (!atomic_compare_exchange_strong(&watch->state, &state, WITH_PHASE(state, PHASE_ARMING)))
		return;
	watch->wait_ns = wait->time_ns;
	watch->wait_thread_id = wait->thread_id;
	if (access_of(watch) == PAGES_INACCESSIBLE)
		end_sources(watch->low, watch->high);
	if (!pages_close(watch->low, watch->high, access_of(watch))) {
		/* A part of the pages may be closed. */
		pages_open(watch->low, watch->high, access_of(watch));
		count_loss(&watch->copy);
		watch_set_state(watch, WITH_PHASE(NEXT_USE(state), PHASE_FREE));
		return;
	}
	watch->armed_ns = clock_now_ns();
	atomic_fetch_add(&first_use_count, 1);
	state = WITH_PHASE(state, PHASE_IN_FORCE);
	watch_set_state(watch, state);
	if (!atomic_load(&watch_table.is_open))
		end_watch(watch, state, &(struct first_use){.kind = FIRST_USE_GIVEN_UP});
}

void first_use_suspend(uintptr_t low, uintptr_t high)
{
	int saved_errno = errno;

	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = settled_state(watch);

		if (PHASE_OF(state) != PHASE_IN_FORCE || !is_overlapping(watch, low, high) ||
		    watch->copy.purpose == EARLY_SOURCE ||
		    !atomic_compare_exchange_strong(&watch->state, &state,
						    WITH_PHASE(state, PHASE_ENDING)))
			continue;
		open_watch(watch);
		atomic_fetch_sub(&first_use_count, 1);
		atomic_fetch_add(&watch_table.end_count, 1);
		watch_set_state(watch, WITH_PHASE(state, PHASE_EXPECTED));
	}
	errno = saved_errno;
}

void first_use_resume(uintptr_t low, uintptr_t high)
{
	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = atomic_load_explicit(&watch->state, memory_order_acquire);

		if (PHASE_OF(state) == PHASE_EXPECTED && watch->wait_thread_id &&
		    is_overlapping(watch, low, high))
			arm_watch(watch, state,
				  &(struct first_use_wait){.time_ns = watch->wait_ns,
							   .thread_id = watch->wait_thread_id});
	}
}

/* Its inaccessible pages are seen to already, and must not become readable. */
static bool is_closed_already(const struct first_use_copy *copy)
{
	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		const struct watch *watch = &watch_table.watches[i];
		const enum phase phase = PHASE_OF(atomic_load(&watch->state));

		if (phase != PHASE_FREE && phase != PHASE_ENDED &&
		    watch->copy.purpose != EARLY_SOURCE && watch->wait_thread_id &&
		    is_overlapping(watch, copy->low, copy->high))
			return true;
	}
	return false;
}

static bool has_room_for_kernel(void)
{
	const size_t used = atomic_load(&watch_table.used);
	size_t room = WATCHES - used;

	for (size_t i = 0; i < used; i++)
		room += PHASE_OF(atomic_load(&watch_table.watches[i].state)) == PHASE_FREE;
	return room > WATCHES_LEFT_TO_COPIES;
}

static bool is_again(const struct first_use_copy *copy, const struct first_use_copy *before)
{
	return copy->kernel && copy->kernel == before->kernel && copy->address == before->address &&
	       copy->low == before->low && copy->high == before->high &&
	       copy->context == before->context && copy->stream == before->stream &&
	       copy->thread_id == before->thread_id;
}

/* The watch in force of the kernel's launch before is one of this launch. False: there is none. */
static bool prolong_watch(const struct first_use_copy *copy)
{
	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = atomic_load(&watch->state);

		if (PHASE_OF(state) != PHASE_IN_FORCE || !is_again(copy, &watch->copy) ||
		    !atomic_compare_exchange_strong(&watch->state, &state,
						    WITH_PHASE(state, PHASE_ARMING)))
			continue;
		watch->copy = *copy;
		watch_set_state(watch, state);
		return true;
	}
	return false;
}

void first_use_begin(const struct first_use_copy *copy)
{
	struct first_use_wait now = {.time_ns = clock_now_ns(), .thread_id = copy->thread_id};
	struct watch *watch;
	uint64_t state;

	if (is_closed_already(copy)) {
		count_loss(copy);
		return;
	}
	if (copy->is_of_kernel && (prolong_watch(copy) || !has_room_for_kernel()))
		return;
	watch = add_watch(copy, PHASE_EXPECTED);
	if (!watch)
		return;
	state = atomic_load(&watch->state);
	if (PHASE_OF(state) == PHASE_EXPECTED) /* a call of another thread may have ended it */
		arm_watch(watch, state, &now);
}

static void end_early(const struct first_use_wait *wait)
{
	const struct first_use use = {.kind = FIRST_USE_COVERED};

	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = settled_state(watch);

		if (PHASE_OF(state) == PHASE_FREE || watch->copy.purpose == FIRST_USE_OF_RESULT ||
		    !first_use_is_covered(&watch->copy, wait))
			continue;
		if (PHASE_OF(state) == PHASE_IN_FORCE)
			end_watch(watch, state, &use);
		else if (PHASE_OF(state) == PHASE_EXPECTED) /* suspended */
			end_expected(watch, state, &use);
	}
}

void first_use_arm(const struct first_use_wait *wait)
{
	end_early(wait);
	if (wait->is_early_only)
		return;
	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		struct watch *watch = &watch_table.watches[i];
		uint64_t state = atomic_load_explicit(&watch->state, memory_order_acquire);

		if (PHASE_OF(state) == PHASE_EXPECTED &&
		    watch->copy.purpose == FIRST_USE_OF_RESULT &&
		    first_use_is_covered(&watch->copy, wait))
			arm_watch(watch, state, wait);
	}
}

void first_use_open(void)
{
	atomic_store(&watch_table.is_open, true);
}

void first_use_close(enum first_use_kind kind)
{
	atomic_store(&watch_table.is_open, false);
	first_use_end(&(struct first_use){.high = UINTPTR_MAX, .kind = kind}, false);
}

void first_use_forget(void)
{
	first_use_close(FIRST_USE_GIVEN_UP);
	for (size_t i = 0; i < atomic_load(&watch_table.used); i++) {
		uint64_t state = atomic_load(&watch_table.watches[i].state);

		/* Also one that was being armed or ended in the parent. */
		if (PHASE_OF(state) == PHASE_ARMING || PHASE_OF(state) == PHASE_ENDING)
			help_ending(&watch_table.watches[i]);
		atomic_store(&watch_table.watches[i].state,
			     WITH_PHASE(NEXT_USE(state), PHASE_FREE));
	}
	atomic_store(&first_use_count, 0);
}
