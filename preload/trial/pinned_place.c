#include "trial/pinned_place.h"

#include "base/driver.h"
#include "first_use/memory_kind.h"
#include "trial/guards.h"
#include "trial/mappings.h"

#include <pthread.h>
#include <string.h>

enum {
	PLACES_MOST = 256,
	/* Protecting pages takes some us, and a page fault at least as long: less is copied meanwhile. */
	GUARDED_LEAST_BYTES = 64 << 10,
};

enum state {
	FREE,
	SEEN,	     /* copies have used it, and nothing is registered */
	REGISTERING, /* or being unregistered: of the thread that does it, and the others wait */
	REGISTERED,
	REFUSED, /* it cannot be registered */
};

/* Memory of the host that a copy uses. */
struct range {
	uintptr_t low, high;
};

struct place {
	enum state state;
	uintptr_t low, high; /* bytes that copies have used; what is registered are their pages */
	CUcontext context;
	enum trial_refusal reason; /* of REFUSED */
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t is_changed; /* a place is no longer REGISTERING */
	struct place places[PLACES_MOST];
	int used;		   /* the first `used` places were ever used */
	_Atomic uint64_t bytes;	   /* registered */
	_Atomic uint32_t obstacle; /* 1 plus an enum trial_refusal; 0: none */
	_Atomic uint64_t changes;  /* how often a place became REGISTERING */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .is_changed = PTHREAD_COND_INITIALIZER};

/* Of this thread. */
static __thread uint64_t own_changes __attribute__((tls_model("initial-exec")));
static __thread bool is_changing __attribute__((tls_model("initial-exec")));

static struct range pages_of(const struct place *place)
{
	return (struct range){place->low & ~(uintptr_t)(PAGE_BYTES - 1), PAGE_UP(place->high)};
}

static bool is_overlapping(const struct place *place, uintptr_t low, uintptr_t high)
{
	const bool has_pages = place->state == REGISTERED || place->state == REGISTERING;
	const struct range used =
		has_pages ? pages_of(place) : (struct range){place->low, place->high};

	return place->state != FREE && used.low < high && low < used.high;
}

/* The lock is held. */
static void set_state(struct place *place, enum state state)
{
	guards_count((state != FREE) - (place->state != FREE));
	if (state == REGISTERING) {
		atomic_fetch_add(&all.changes, 1);
		own_changes++;
		is_changing = true;
	} else if (place->state == REGISTERING) {
		is_changing = false;
		pthread_cond_broadcast(&all.is_changed);
	}
	place->state = state;
}

static uint64_t changes_of_others(void)
{
	return atomic_load(&all.changes) - own_changes;
}

/* The lock is held. NULL: there is none. */
static struct place *find_overlapping(enum state state, uintptr_t low, uintptr_t high)
{
	for (int i = 0; i < all.used; i++)
		if (all.places[i].state == state && is_overlapping(&all.places[i], low, high))
			return &all.places[i];
	return NULL;
}

/* The lock is held. A thread that is in the driver for a place of its own may have what others wait for. */
static void wait_for_others(uintptr_t low, uintptr_t high)
{
	while (!is_changing && find_overlapping(REGISTERING, low, high))
		pthread_cond_wait(&all.is_changed, &all.lock);
}

static void unregister_pages(uintptr_t low, uintptr_t high)
{
	const struct driver *driver = driver_functions();
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;

	DRIVER_CALL(driver, cuThreadExchangeStreamCaptureMode)(&mode);
	DRIVER_CALL(driver, cuMemHostUnregister)((void *)low);
	DRIVER_CALL(driver, cuThreadExchangeStreamCaptureMode)(&mode);
	atomic_fetch_sub(&all.bytes, high - low);
}

/* Takes a place that overlaps, as it was. Call release_taken(). NULL: there is none. */
static struct place *take_place(uintptr_t low, uintptr_t high, struct place *taken)
{
	struct place *found = NULL;

	pthread_mutex_lock(&all.lock);
	wait_for_others(low, high);
	for (int i = 0; i < all.used && !found; i++)
		if (is_overlapping(&all.places[i], low, high) && all.places[i].state != REGISTERING)
			found = &all.places[i];
	if (found) {
		*taken = *found;
		set_state(found, taken->state == REGISTERED ? REGISTERING : FREE);
	}
	pthread_mutex_unlock(&all.lock);
	return found;
}

static void release_taken(struct place *place, const struct place *taken)
{
	const struct range pages = pages_of(taken);

	if (taken->state != REGISTERED)
		return;
	guards_wait(pages.low, pages.high, 0);
	unregister_pages(pages.low, pages.high);
	pthread_mutex_lock(&all.lock);
	set_state(place, FREE);
	pthread_mutex_unlock(&all.lock);
}

static void give_up_range(uintptr_t low, uintptr_t high)
{
	struct place *place, taken;

	while ((place = take_place(low, high, &taken)))
		release_taken(place, &taken);
}

void pinned_place_give_up(const void *address, size_t bytes)
{
	guards_wait((uintptr_t)address, (uintptr_t)address + bytes, 0);
	give_up_range((uintptr_t)address, (uintptr_t)address + bytes);
}

void pinned_place_stop(enum trial_refusal reason)
{
	uint32_t none = 0;

	if (atomic_compare_exchange_strong(&all.obstacle, &none, 1 + reason))
		give_up_range(0, UINTPTR_MAX);
}

static bool has_functions(void)
{
	const struct driver *driver = driver_functions();

	return memory_find_driver() && driver->cuMemHostRegister_v2 &&
	       driver->cuMemHostUnregister && driver->cuStreamSynchronize;
}

/* Why no memory is registered; TRIAL_REFUSAL_COUNT: it may be. */
static enum trial_refusal find_obstacle(void)
{
	const uint32_t obstacle = atomic_load(&all.obstacle);

	if (obstacle)
		return (enum trial_refusal)(obstacle - 1);
	if (trial_page->has_unseen_copies)
		return TRIAL_REFUSED_SHARED;
	if (!has_functions())
		return TRIAL_REFUSED_NO_DRIVER;
	if (!guards_are_possible())
		return TRIAL_REFUSED_UNWATCHED;
	if (memory_heap_is_reachable())
		return TRIAL_REFUSED_COHERENT;
	return TRIAL_REFUSAL_COUNT;
}

/* The lock is held. The place that the range is added to, with what it touches; NULL: there is no room. *is_again: a copy has
 * used some of the range before. */
static struct place *add_range(const struct range *range, bool *is_again)
{
	struct place *found = NULL, *unused = NULL;

	*is_again = false;
	guards_reach(range->low, range->high);
	for (int i = 0; i < all.used; i++) {
		struct place *place = &all.places[i];

		if (place->state == FREE)
			unused = place;
		if (place->state != SEEN || place->low > range->high || place->high < range->low)
			continue;
		*is_again |= is_overlapping(place, range->low, range->high);
		if (found) {
			found->low = place->low < found->low ? place->low : found->low;
			found->high = place->high > found->high ? place->high : found->high;
			set_state(place, FREE);
		} else {
			found = place;
		}
	}
	if (!found && !unused && all.used < PLACES_MOST)
		unused = &all.places[all.used++];
	if (!found && unused) {
		found = unused;
		set_state(found, SEEN);
		found->low = range->low;
		found->high = range->high;
	}
	if (found) {
		found->low = range->low < found->low ? range->low : found->low;
		found->high = range->high > found->high ? range->high : found->high;
	}
	return found;
}

/* In pages that have anything else, an allocator or the driver would meet a guard with a lock held, and stacks are used by all
 * code. TRIAL_REFUSAL_COUNT: registered. */
static enum trial_refusal register_pages(const struct place *place, const struct range *pages)
{
	const size_t bytes = pages->high - pages->low;

	if (!mappings_are_private(pages->low, pages->high))
		return TRIAL_REFUSED_NOT_PRIVATE;
	if (!memory_has_own_pages(place->low, place->high - place->low))
		return TRIAL_REFUSED_NOT_ALONE;
	if (DRIVER_CALL(driver_functions(), cuMemHostRegister_v2)((void *)pages->low, bytes, 0))
		return TRIAL_REFUSED_NO_MEMORY;
	trial_raise(&trial_page->pinned_bytes, atomic_fetch_add(&all.bytes, bytes) + bytes);
	return TRIAL_REFUSAL_COUNT;
}

/* The place is REGISTERING. TRIAL_REFUSAL_COUNT: registered. */
static enum trial_refusal register_place(struct place *place)
{
	const int64_t start_ns = trial_now_ns();
	const struct range pages = pages_of(place);
	const enum trial_refusal reason = register_pages(place, &pages);

	pthread_mutex_lock(&all.lock);
	place->context = trial_context();
	place->reason = reason;
	set_state(place, reason == TRIAL_REFUSAL_COUNT ? REGISTERED : REFUSED);
	pthread_mutex_unlock(&all.lock);
	atomic_fetch_add(&trial_page->set_up_ns, trial_now_ns() - start_ns);
	return reason;
}

static bool is_in_place(const struct range *range)
{
	bool is_inside = false;

	pthread_mutex_lock(&all.lock);
	for (int i = 0; i < all.used && !is_inside; i++) {
		const struct range pages = pages_of(&all.places[i]);

		is_inside = all.places[i].state == REGISTERED && range->low >= pages.low &&
			    range->high <= pages.high;
	}
	pthread_mutex_unlock(&all.lock);
	return is_inside;
}

/* What copies have used so far from the range on, and whether some of it is registered: that is given up, as no copy can use
 * memory of which a part is registered. */
static bool give_up_parts(const struct range *range, struct range *whole)
{
	bool was_registered = false;
	struct place *place, taken;

	*whole = *range;
	while ((place = take_place(range->low, range->high, &taken))) {
		whole->low = taken.low < whole->low ? taken.low : whole->low;
		whole->high = taken.high > whole->high ? taken.high : whole->high;
		was_registered |= taken.state == REGISTERED;
		release_taken(place, &taken);
	}
	return was_registered;
}

/* Waits for other threads first. */
static bool is_partly_registered(const struct range *range)
{
	bool is_found;

	pthread_mutex_lock(&all.lock);
	wait_for_others(range->low, range->high);
	is_found = find_overlapping(REGISTERED, range->low, range->high) != NULL;
	pthread_mutex_unlock(&all.lock);
	return is_found;
}

/* The lock is held. The place to register, which is REGISTERING from now on. NULL: *reason says why there is none. */
static struct place *choose_place(const struct range *range, bool was_registered,
				  enum trial_refusal *reason)
{
	const struct place *refused = find_overlapping(REFUSED, range->low, range->high);
	const uint32_t obstacle = atomic_load(&all.obstacle);
	struct place *place = NULL;
	bool is_again = false;

	if (!obstacle && !refused)
		place = add_range(range, &is_again);
	*reason = obstacle  ? (enum trial_refusal)(obstacle - 1)
		  : refused ? refused->reason
		  : place   ? TRIAL_REFUSED_FIRST_USE
			    : TRIAL_REFUSED_NO_MEMORY;
	if (!place || !(is_again || was_registered))
		return NULL;
	set_state(place, REGISTERING);
	return place;
}

/* Registers memory that was used before. TRIAL_REFUSAL_COUNT: it is registered. */
static enum trial_refusal find_place(const struct range *range, bool was_registered)
{
	const bool is_pageable = memory_type_of(range->low) == MEMORY_TYPE_PAGEABLE;
	enum trial_refusal reason = TRIAL_REFUSED_NOT_PAGEABLE;
	struct place *place = NULL;
	bool is_taken;

	pthread_mutex_lock(&all.lock);
	wait_for_others(range->low, range->high);
	is_taken = find_overlapping(REGISTERED, range->low, range->high);
	if (!is_taken && is_pageable)
		place = choose_place(range, was_registered, &reason);
	pthread_mutex_unlock(&all.lock);
	if (is_taken) /* another thread was quicker */
		return is_in_place(range) ? TRIAL_REFUSAL_COUNT : TRIAL_REFUSED_FIRST_USE;
	return place ? register_place(place) : reason;
}

/* Sees to one side of a copy. site: NULL: the copy is of another site. True: the memory is registered. */
static bool enter_range(const struct range *range, struct trial_site *site)
{
	enum trial_refusal reason = find_obstacle();
	struct range whole = *range;
	bool was_registered = is_partly_registered(range);

	if (was_registered && is_in_place(range))
		return true;
	was_registered = was_registered && give_up_parts(range, &whole);
	if (!site)
		return false;
	if (reason == TRIAL_REFUSAL_COUNT)
		reason = find_place(&whole, was_registered);
	if (reason != TRIAL_REFUSAL_COUNT)
		planned_refuse(site, reason);
	return reason == TRIAL_REFUSAL_COUNT;
}

static struct range range_of(const void *memory, size_t bytes)
{
	return (struct range){(uintptr_t)memory, (uintptr_t)memory + bytes};
}

/* The device goes past the protection of pages, if no processor copies for it. */
static int touching_of(const struct range *range)
{
	return range->high - range->low >= GUARDED_LEAST_BYTES && is_in_place(range)
		       ? TOUCH_BY_DEVICE
		       : 0;
}

/* The site of the fix, where the call is one of its copies. */
static struct trial_site *find_site(const struct trial_call *call, enum trial_fix fix)
{
	const bool is_source = fix == TRIAL_PINNED_SOURCE;
	const void *device = is_source ? call->dst : call->src;
	struct trial_site *site = call->kind == cudaMemcpyDefault ||
						  call->kind == (is_source ? cudaMemcpyHostToDevice
									   : cudaMemcpyDeviceToHost)
					  ? planned_find(call, fix)
					  : NULL;

	return site && memory_type_of((uintptr_t)device) == MEMORY_TYPE_DEVICE ? site : NULL;
}

void pinned_place_enter(struct trial_call *call)
{
	const struct range source = range_of(call->src, call->bytes),
			   result = range_of(call->dst, call->bytes);
	struct trial_site *of_source, *of_result;
	bool is_source, is_result;

	if (!call->is_flat) {
		pinned_place_stop(TRIAL_REFUSED_ROWS);
		return;
	}
	if (!call->bytes || !call->src || !call->dst || !memory_find_driver() ||
	    memory_stream_is_captured((uintptr_t)call->stream))
		return;
	call->place_changes = 1 + changes_of_others();
	of_source = find_site(call, TRIAL_PINNED_SOURCE);
	of_result = find_site(call, TRIAL_PINNED_RESULT);
	is_source = enter_range(&source, of_source);
	is_result = enter_range(&result, of_result);
	guards_wait(source.low, source.high, TOUCH_READS | touching_of(&source));
	guards_wait(result.low, result.high, touching_of(&result));
	call->place_site = is_source ? of_source : is_result ? of_result : NULL;
	call->is_in_place = is_source || is_result;
}

/* Linux may give the program a copy of a pinned page that was protected: the device would go on with the old one. */
static bool guard_copy(const struct trial_call *call)
{
	const struct range source = range_of(call->src, call->bytes),
			   result = range_of(call->dst, call->bytes);
	const bool is_source = is_in_place(&source);
	const struct range *range = is_source ? &source : &result;

	return call->bytes >= GUARDED_LEAST_BYTES && memory_keeps_pages() && is_in_place(range) &&
	       guards_add(call->stream,
			  &(struct guarded){range->low, range->high,
					    is_source ? PAGES_READ_ONLY : PAGES_INACCESSIBLE});
}

/* Whether another thread may have registered the memory after pinned_place_enter(). */
static bool may_be_registered(const struct range *range)
{
	return is_partly_registered(range) || memory_type_of(range->low) == MEMORY_TYPE_PAGEABLE;
}

/* Whether the copy may go on without the host, as far as other threads have left its memory alone. */
static bool is_undisturbed(const struct trial_call *call)
{
	const struct range source = range_of(call->src, call->bytes),
			   result = range_of(call->dst, call->bytes);

	return !call->place_changes || call->place_changes == 1 + changes_of_others() ||
	       !(may_be_registered(&source) || may_be_registered(&result));
}

void pinned_place_leave(const struct trial_call *call)
{
	if (!call->waits && !(is_undisturbed(call) &&
			      (!call->is_in_place || (call->place_site && guard_copy(call)))))
		DRIVER_CALL(driver_functions(), cuStreamSynchronize)(call->stream);
	if (call->place_site)
		planned_applied(call->place_site);
}

void pinned_place_forget(CUcontext context)
{
	guards_forget(context);
	pthread_mutex_lock(&all.lock);
	for (int i = 0; i < all.used; i++)
		if (all.places[i].state == REGISTERED && all.places[i].context == context) {
			const struct range pages = pages_of(&all.places[i]);

			atomic_fetch_sub(&all.bytes, pages.high - pages.low);
			set_state(&all.places[i], FREE);
		}
	pthread_mutex_unlock(&all.lock);
}

/* The child would share the pages, and the parent might get a copy of one that it writes. */
static void leave_before_fork(void)
{
	if (is_partly_registered(&(struct range){0, UINTPTR_MAX}))
		pinned_place_stop(TRIAL_REFUSED_FORKED);
}

static void reset_places(void)
{
	memset(all.places, 0, sizeof(all.places));
	all.used = 0;
	atomic_store(&all.bytes, 0);
	pthread_mutex_init(&all.lock, NULL);
	pthread_cond_init(&all.is_changed, NULL);
}

__attribute__((constructor)) static void watch_process(void)
{
	guards_on_release = give_up_range;
	pthread_atfork(leave_before_fork, NULL, NULL);
	trial_after_fork(reset_places);
}
