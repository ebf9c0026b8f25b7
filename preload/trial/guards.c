#include "trial/guards.h"

#include "base/driver.h"
#include "base/interpose.h"
#include "first_use/link.h"
#include "first_use/memory_kind.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { GUARDS_MOST = 256 };

struct guard {
	struct guarded memory;
	uintptr_t low, high; /* its pages; both 0: none */
	bool is_taken;	     /* also while it is being made */
	CUevent event;	     /* behind the copy. Kept for the next guard here; NULL: never made */
	CUcontext context;
	uint64_t number; /* of the guard, among all */
};

static struct {
	pthread_mutex_t lock; /* taken with signals blocked: a handler may touch guarded memory */
	struct guard guards[GUARDS_MOST];
	uint64_t number;
	_Atomic uint64_t ended;	     /* guards */
	_Atomic int count, guarded;  /* reasons to watch the program's calls; guards */
	_Atomic uintptr_t low, high; /* around all that guards_reach() was given */
	_Atomic(const struct first_use_touch *) touch;
	_Atomic bool is_over; /* touches can no longer be noticed */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .low = UINTPTR_MAX};

void (*guards_on_release)(uintptr_t low, uintptr_t high);

/* By system call: libstrace_touch.so interposes libc's function. Faults are never blocked. */
static void lock_guards(uint64_t *signals)
{
	const uint64_t faults = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGBUS - 1);
	const uint64_t blocked = ~faults;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, signals, sizeof(blocked));
	pthread_mutex_lock(&all.lock);
}

static void unlock_guards(const uint64_t *signals)
{
	pthread_mutex_unlock(&all.lock);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, signals, NULL, sizeof(*signals));
}

void guards_count(int more)
{
	atomic_fetch_add(&all.count, more);
}

void guards_reach(uintptr_t low, uintptr_t high)
{
	uintptr_t lowest = atomic_load(&all.low), highest = atomic_load(&all.high);

	low &= ~(uintptr_t)(PAGE_BYTES - 1);
	high = PAGE_UP(high);
	while (low < lowest && !atomic_compare_exchange_weak(&all.low, &lowest, low))
		;
	while (high > highest && !atomic_compare_exchange_weak(&all.high, &highest, high))
		;
}

bool guards_exist(void)
{
	return atomic_load_explicit(&all.guarded, memory_order_acquire) != 0;
}

static bool is_overlapping(const struct guard *guard, uintptr_t low, uintptr_t high)
{
	return guard->low < high && low < guard->high;
}

/* The lock is held. Up to where, from low on, no guard has the pages; or, if one has, *is_shared is true and it has them up to
 * there. */
static uintptr_t end_of_part(uintptr_t low, uintptr_t high, bool *is_shared)
{
	uintptr_t end = high;

	*is_shared = false;
	for (int i = 0; i < GUARDS_MOST; i++) {
		const struct guard *guard = &all.guards[i];

		if (!is_overlapping(guard, low, high))
			continue;
		if (guard->low <= low && (!*is_shared || guard->high > end)) {
			end = guard->high;
			*is_shared = true;
		} else if (!*is_shared && guard->low > low && guard->low < end) {
			end = guard->low;
		}
	}
	return end < high ? end : high;
}

/* The lock is held. Opens what no other guard has. */
static void end_guard(struct guard *guard)
{
	const uintptr_t high = guard->high;
	uintptr_t low = guard->low, end;
	bool is_shared;

	guard->low = guard->high = 0;
	guard->is_taken = false;
	for (; low < high; low = end) {
		end = end_of_part(low, high, &is_shared);
		if (!is_shared)
			pages_open(low, end, guard->memory.access);
	}
	atomic_fetch_add(&all.ended, 1);
	atomic_fetch_sub(&all.guarded, 1);
	guards_count(-1);
}

/* The lock is held. */
static bool is_done(const struct guard *guard)
{
	return DRIVER_CALL(driver_functions(), cuEventQuery)(guard->event) != CUDA_ERROR_NOT_READY;
}

/* Whether a touch must wait for it. */
static bool is_in_the_way(const struct guard *guard, uintptr_t low, uintptr_t high, int touching)
{
	if (touching & TOUCH_READS && guard->memory.access == PAGES_READ_ONLY)
		return false;
	return touching & TOUCH_BY_DEVICE ? guard->memory.low < high && low < guard->memory.high
					  : is_overlapping(guard, low, high);
}

typedef bool guard_test(const struct guard *guard, uintptr_t low, uintptr_t high, int touching);

/* The thread may have no context, or be in the middle of a capture. */
static void wait_for_event(CUevent event, CUcontext context)
{
	const struct driver *driver = driver_functions();
	const CUcontext current = trial_context();
	CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;

	if (context != current)
		DRIVER_CALL(driver, cuCtxSetCurrent)(context);
	DRIVER_CALL(driver, cuThreadExchangeStreamCaptureMode)(&mode);
	DRIVER_CALL(driver, cuEventSynchronize)(event);
	DRIVER_CALL(driver, cuThreadExchangeStreamCaptureMode)(&mode);
	if (context != current)
		DRIVER_CALL(driver, cuCtxSetCurrent)(current);
}

/* Waits for one guard. False: there is none. The driver is asked without the lock. */
static bool wait_for_one(guard_test *test, uintptr_t low, uintptr_t high, int touching)
{
	struct guard *found = NULL, copy = {.high = 0};
	uint64_t signals;

	lock_guards(&signals);
	for (int i = 0; i < GUARDS_MOST && !found; i++)
		if (all.guards[i].high && test(&all.guards[i], low, high, touching))
			found = &all.guards[i];
	if (found)
		copy = *found;
	unlock_guards(&signals);
	if (!found)
		return false;
	wait_for_event(copy.event, copy.context);
	lock_guards(&signals);
	if (found->high && found->number == copy.number)
		end_guard(found);
	unlock_guards(&signals);
	return true;
}

void guards_wait(uintptr_t low, uintptr_t high, int touching)
{
	const int saved_errno = errno;

	while (guards_exist() && wait_for_one(is_in_the_way, low, high, touching))
		;
	errno = saved_errno;
}

void guards_forget(CUcontext context)
{
	uint64_t signals;

	lock_guards(&signals);
	for (int i = 0; i < GUARDS_MOST; i++) {
		if (context && all.guards[i].context != context)
			continue;
		if (all.guards[i].high)
			end_guard(&all.guards[i]);
		all.guards[i].event = NULL;
	}
	unlock_guards(&signals);
}

bool guards_are_possible(void)
{
	const struct first_use_touch *touch = atomic_load(&all.touch);
	const struct driver *driver = driver_functions();

	return touch && touch->has_free && !atomic_load(&all.is_over) && memory_find_driver() &&
	       driver->cuEventCreate && driver->cuEventQuery && driver->cuEventRecord &&
	       driver->cuEventSynchronize && driver->cuCtxGetCurrent && driver->cuCtxSetCurrent;
}

/* The lock is held. NULL: there is none. */
static struct guard *find_place(CUcontext context)
{
	for (int i = 0; i < GUARDS_MOST; i++)
		if (!all.guards[i].is_taken &&
		    (!all.guards[i].event || all.guards[i].context == context))
			return &all.guards[i];
	return NULL;
}

/* The lock is held. */
static void end_done(void)
{
	for (int i = 0; i < GUARDS_MOST; i++)
		if (all.guards[i].high && is_done(&all.guards[i]))
			end_guard(&all.guards[i]);
}

/* Takes a place. NULL: there is none. */
static struct guard *take_place(CUcontext context)
{
	struct guard *found;
	uint64_t signals;

	lock_guards(&signals);
	found = find_place(context);
	if (!found) {
		end_done();
		found = find_place(context);
	}
	if (found)
		found->is_taken = true;
	unlock_guards(&signals);
	return found;
}

/* The lock is held. Ends the guards of the same memory whose copies are done: its pages stay as they are. */
static void end_former(const struct guard *guard)
{
	for (int i = 0; i < GUARDS_MOST; i++) {
		struct guard *former = &all.guards[i];

		if (former != guard && former->high && former->memory.low == guard->memory.low &&
		    former->memory.high == guard->memory.high &&
		    former->memory.access == guard->memory.access && is_done(former))
			end_guard(former);
	}
}

/* May wait until the stream has room. */
static bool record_event(struct guard *guard, CUstream stream, CUcontext context)
{
	const struct driver *driver = driver_functions();

	if (!guard->event &&
	    DRIVER_CALL(driver, cuEventCreate)(&guard->event, CU_EVENT_DISABLE_TIMING)) {
		guard->event = NULL;
		return false;
	}
	guard->context = context;
	return !DRIVER_CALL(driver, cuEventRecord)(guard->event, stream);
}

/* False: not all pages could be closed; none is. */
static bool begin_guard(struct guard *guard, const struct guarded *memory)
{
	uint64_t signals;
	bool is_closed;

	lock_guards(&signals);
	guard->memory = *memory;
	guard->low = memory->low & ~(uintptr_t)(PAGE_BYTES - 1);
	guard->high = PAGE_UP(memory->high);
	guard->number = ++all.number;
	atomic_fetch_add(&all.guarded, 1);
	guards_count(1);
	is_closed = pages_close(guard->low, guard->high, memory->access);
	if (is_closed)
		end_former(guard);
	else
		end_guard(guard);
	unlock_guards(&signals);
	return is_closed;
}

/* Pages have one protection at a time: touching is the access that the others must have to stay. */
static bool has_other_access(const struct guard *guard, uintptr_t low, uintptr_t high, int access)
{
	return is_overlapping(guard, low, high) && (int)guard->memory.access != access;
}

bool guards_add(CUstream stream, const struct guarded *memory)
{
	const CUcontext context = trial_context();
	const struct first_use_touch *touch = atomic_load(&all.touch);
	struct guard *guard;
	uint64_t signals;

	if (!guards_are_possible() || memory_stream_is_captured((uintptr_t)stream) ||
	    !touch->guard())
		return false;
	while (wait_for_one(has_other_access, memory->low & ~(uintptr_t)(PAGE_BYTES - 1),
			    PAGE_UP(memory->high), (int)memory->access))
		;
	guard = take_place(context);
	if (!guard)
		return false;
	if (record_event(guard, stream, context))
		return begin_guard(guard, memory);
	lock_guards(&signals);
	guard->is_taken = false;
	unlock_guards(&signals);
	return false;
}

/* A touch that needs no fault. glibc frees memory, never guarded, in threads that ThreadSanitizer does not know yet. */
__attribute__((no_sanitize("thread"))) static void on_use(const struct first_use *use)
{
	const bool is_all = use->high == UINTPTR_MAX;

	if (use->high <= atomic_load_explicit(&all.low, memory_order_relaxed) ||
	    use->low >= atomic_load_explicit(&all.high, memory_order_relaxed))
		return;
	guards_wait(use->low, use->high, use->only_reads ? TOUCH_READS : 0);
	if (!is_all && guards_on_release &&
	    (use->kind == FIRST_USE_FREED || use->kind == FIRST_USE_GIVEN_UP))
		guards_on_release(use->low, use->high);
}

/* A fault without a guard may be of one that has just ended: it is retried once. */
static bool on_fault(uintptr_t address, uintptr_t instruction, const uintptr_t *stack,
		     enum first_use_kind kind)
{
	static __thread uintptr_t last_address __attribute__((tls_model("initial-exec")));
	static __thread uint64_t last_number __attribute__((tls_model("initial-exec")));
	const int touching = kind == FIRST_USE_READ ? TOUCH_READS : 0;
	const uint64_t ended = atomic_load(&all.ended);
	bool is_again;

	(void)instruction;
	(void)stack;
	if (guards_exist() && wait_for_one(is_in_the_way, address, address + 1, touching)) {
		guards_wait(address, address + 1, touching);
		return true;
	}
	is_again = last_address == address && last_number == ended;
	last_address = address;
	last_number = ended;
	return !is_again;
}

/* The range's places have been given up by on_use() before. */
static void keep_protection(uintptr_t low, uintptr_t high)
{
	(void)low;
	(void)high;
}

static void stop_watching(const char *reason)
{
	(void)reason;
	atomic_store(&all.is_over, true);
	guards_wait(0, UINTPTR_MAX, 0);
}

EXPORT const struct first_use_watches *
streamtrace_first_use_join(const struct first_use_touch *touch)
{
	static const struct first_use_watches watches = {
		.count = &all.count,
		.end = on_use,
		.fault = on_fault,
		.keep = keep_protection,
		.stop = stop_watching,
	};

	atomic_store(&all.touch, touch);
	return &watches;
}

/* The child has the pages as they are, and nothing of CUDA. */
static void reset_guards(void)
{
	const struct first_use_touch *touch = atomic_load(&all.touch);

	pthread_mutex_init(&all.lock, NULL);
	guards_forget(NULL);
	atomic_store(&all.count, 0);
	if (touch)
		touch->unguard();
}

__attribute__((constructor)) static void watch_forks(void)
{
	trial_after_fork(reset_guards);
}
