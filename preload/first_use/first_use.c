#include "first_use/first_use.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/hot.h"
#include "base/interpose.h"
#include "base/losses.h"
#include "base/options.h"
#include "first_use/memory_kind.h"
#include "first_use/pages.h"
#include "first_use/roles.h"
#include "first_use/table.h"
#include "first_use/watched_sites.h"
#include "recorder/recorder.h"
#include "store/store.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVENTS 1024 /* a power of two; an event displaced by another one is forgotten */

#define COPY_TO_HOST 2 /* cudaMemcpyKind */
#define COPY_DEFAULT 4
#define LEGACY	     1 /* handles of the default streams */
#define PER_THREAD   2

READ_MOSTLY _Atomic bool first_use_on;

struct event {
	uint64_t handle, stream, serial;
	uint32_t context, thread_id;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct {
	bool is_wanted;
	_Atomic(const struct first_use_touch *) touch;
	_Atomic(const char *) obstacle; /* why nothing is watched, or not any longer; NULL:
					 * watching */
	uint64_t serial;
	struct event events[EVENTS];
	uint8_t roles[FUNCTION_COUNT];
} uses;

/* Blocks signals before it locks, because the program's handlers may call CUDA. By system call,
 * because libstrace_touch.so interposes libc's function. Faults are never blocked. */
static void lock_uses(uint64_t *signals)
{
	const uint64_t faults = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGBUS - 1) |
				UINT64_C(1) << (SIGFPE - 1) | UINT64_C(1) << (SIGILL - 1);
	const uint64_t all = ~faults;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, signals, sizeof(all));
	pthread_mutex_lock(&mutex);
}

static void unlock_uses(const uint64_t *signals)
{
	pthread_mutex_unlock(&mutex);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, signals, NULL, sizeof(*signals));
}

void first_use_initialize(void)
{
	if (!*options.first_use || !strcmp(options.first_use, "0"))
		return;
	if (!first_use_sites_read(options.first_use)) {
		options_note_wrong("FIRST_USE", options.first_use);
		return;
	}
	for (int i = FUNCTION_DRIVER_FIRST; i < FUNCTION_COUNT; i++)
		uses.roles[i] = (uint8_t)role_of(&function_infos[i]);
	uses.is_wanted = true;
	if (!atomic_load(&uses.touch))
		atomic_store(&uses.obstacle, "libstrace_touch.so is not loaded: use "
					     "streamtrace run --first-use");
	first_use_open();
	atomic_store(&first_use_on, true);
}

static void give_up(const char *reason)
{
	const char *none = NULL;

	atomic_compare_exchange_strong(&uses.obstacle, &none, reason);
	atomic_store(&first_use_on, false);
	first_use_close(FIRST_USE_GIVEN_UP);
}

EXPORT const struct first_use_watches *
streamtrace_first_use_join(const struct first_use_touch *touch)
{
	static const struct first_use_watches watches = {
		.count = &first_use_count,
		.end = first_use_end_in_force,
		.fault = first_use_fault,
		.stop = give_up,
	};

	atomic_store(&uses.touch, touch);
	atomic_store(&uses.obstacle, NULL);
	return &watches;
}

static void end_range(uint64_t address, uint64_t size_bytes, enum first_use_kind kind,
		      bool is_expected)
{
	if (size_bytes)
		first_use_end(&(struct first_use){.low = address,
						  .high = address + size_bytes,
						  .kind = kind},
			      is_expected);
}

static void end_all(enum first_use_kind kind, bool is_expected)
{
	first_use_end(&(struct first_use){.high = UINTPTR_MAX, .kind = kind}, is_expected);
}

/* Ends all watches of memory that CUDA frees, also those not yet in force. */
static void forget_pinned(uintptr_t address)
{
	struct pinned pinned = pinned_find(address);

	if (pinned.size_bytes)
		end_range(pinned.address, PAGE_UP(pinned.size_bytes), FIRST_USE_FREED, true);
	else
		end_all(FIRST_USE_FREED, true);
	pinned_forget(address);
}

void first_use_enter(enum function function, const struct record *arguments)
{
	uint64_t signals;
	int saved_errno = errno;

	switch (uses.roles[function]) {
	case ROLE_COPY:
		if (arguments->has & RECORD_HAS_SRC && arguments->src)
			first_use_suspend(arguments->src, arguments->src + arguments->size_bytes);
		if (arguments->has & RECORD_HAS_DST && arguments->dst)
			end_range(arguments->dst, arguments->size_bytes, FIRST_USE_OVERWRITTEN,
				  true);
		break;
	case ROLE_WRITE:
		end_range(arguments->dst, arguments->size_bytes, FIRST_USE_OVERWRITTEN, true);
		break;
	case ROLE_PIN:
	case ROLE_USE:
		if (arguments->has & RECORD_HAS_DST)
			end_range(arguments->dst, arguments->size_bytes, FIRST_USE_GIVEN_UP, false);
		break;
	case ROLE_LAUNCH:
		first_use_end_reachable();
		break;
	case ROLE_OTHER_COPY:
		end_all(FIRST_USE_GIVEN_UP, true);
		break;
	case ROLE_UNPIN:
		lock_uses(&signals);
		forget_pinned(arguments->dst);
		unlock_uses(&signals);
		break;
	default:
		break;
	}
	errno = saved_errno;
}

void first_use_leave(void)
{
	end_all(FIRST_USE_FREED, true);
}

/* The handle of the stream that the call uses. */
static uint64_t stream_of(const struct record *arguments)
{
	bool is_per_thread = arguments->has & RECORD_IS_PER_THREAD;

	if (!(arguments->has & RECORD_HAS_STREAM) || !arguments->stream)
		return is_per_thread ? PER_THREAD : LEGACY;
	return arguments->stream;
}

/* False: not a copy to the host, or its destination cannot be watched (counted). */
static bool find_copy(const struct record *arguments, const CUpti_CallbackData *data,
		      struct first_use_copy *copy)
{
	const struct first_use_touch *touch = atomic_load(&uses.touch);
	struct pinned pinned = {0};
	enum memory_type type;
	uint64_t signals;

	if (arguments->copy_kind != COPY_TO_HOST && arguments->copy_kind != COPY_DEFAULT)
		return false;
	if (!memory_find_driver()) {
		give_up("the driver cannot report the type of memory");
		return false;
	}
	if (memory_stream_is_captured(stream_of(arguments)))
		return false;
	type = memory_type_of(arguments->dst);
	if (type == MEMORY_TYPE_DEVICE || (arguments->copy_kind == COPY_DEFAULT &&
					   memory_type_of(arguments->src) != MEMORY_TYPE_DEVICE))
		return false;
	*copy = (struct first_use_copy){
		.address = arguments->dst,
		.size_bytes = arguments->size_bytes,
		.context = data->contextUid,
		.correlation = data->correlationId,
		.stream = stream_of(arguments),
		.thread_id = first_use_thread_id(),
		.is_pageable = type == MEMORY_TYPE_PAGEABLE,
	};
	if (type == MEMORY_TYPE_UNKNOWN || (type == MEMORY_TYPE_PAGEABLE && !touch->has_free) ||
	    memory_is_on_stack(arguments->dst, arguments->size_bytes)) {
		losses_count(LOSS_FIRST_USE, 1);
		return false;
	}
	if (type == MEMORY_TYPE_PINNED) {
		lock_uses(&signals);
		pinned = pinned_find(arguments->dst);
		unlock_uses(&signals);
	}
	memory_find_pages(arguments->dst, arguments->size_bytes, type, &pinned, &copy->low,
			  &copy->high);
	if (copy->low >= copy->high) {
		losses_count(LOSS_FIRST_USE_SMALL, 1);
		return false;
	}
	copy->is_blocking = memory_stream_is_blocking(copy->stream);
	copy->is_reachable = type == MEMORY_TYPE_PAGEABLE && memory_heap_is_reachable();
	return true;
}

static void arm_watches(struct first_use_wait *wait, const CUpti_CallbackData *data)
{
	const struct first_use_touch *touch = atomic_load(&uses.touch);

	wait->time_ns = clock_now_ns();
	wait->context = data->contextUid;
	wait->thread_id = first_use_thread_id();
	if (!touch->guard()) {
		give_up("the program replaced the tracer's SIGSEGV handler");
		return;
	}
	first_use_arm(wait);
}

/* A copy into the heap, or without a stream argument, is done when its call returns. The latter has
 * also waited for all work before it in the default stream. */
static void after_copy(const CUpti_CallbackData *data, const struct record *arguments,
		       const struct caller *caller)
{
	bool is_synchronous = !(arguments->has & RECORD_HAS_STREAM);
	struct first_use_copy copy;
	uint64_t signals;

	if (atomic_load(&recorder_state) != RECORDER_ON || !find_copy(arguments, data, &copy))
		return;
	lock_uses(&signals);
	if (first_use_sites_include(caller)) {
		copy.serial = ++uses.serial;
		first_use_expect(&copy);
		if (is_synchronous)
			arm_watches(&(struct first_use_wait){.stream = copy.stream,
							     .stream_thread_id = copy.thread_id,
							     .serial = copy.serial},
				    data);
		else if (copy.is_pageable)
			arm_watches(&(struct first_use_wait){.correlation = copy.correlation},
				    data);
	}
	unlock_uses(&signals);
}

static struct event *event_at(uint64_t handle)
{
	return &uses.events[(hash_word(handle) >> 32) % EVENTS];
}

static void after_event_record(const CUpti_CallbackData *data, const struct record *arguments)
{
	*event_at(arguments->object) = (struct event){.handle = arguments->object,
						      .stream = stream_of(arguments),
						      .serial = ++uses.serial,
						      .context = data->contextUid,
						      .thread_id = first_use_thread_id()};
}

static void after_event_wait(const CUpti_CallbackData *data, const struct record *arguments)
{
	const struct event *event = event_at(arguments->object);

	if (event->handle == arguments->object)
		arm_watches(&(struct first_use_wait){.stream = event->stream,
						     .stream_thread_id = event->thread_id,
						     .serial = event->serial},
			    data);
}

static void after_call(enum function function, const CUpti_CallbackData *data,
		       const struct record *arguments)
{
	switch (uses.roles[function]) {
	case ROLE_STREAM_WAIT:
		arm_watches(&(struct first_use_wait){.stream = stream_of(arguments),
						     .stream_thread_id = first_use_thread_id(),
						     .serial = UINT64_MAX},
			    data);
		break;
	case ROLE_EVENT_WAIT:
		after_event_wait(data, arguments);
		break;
	case ROLE_DEVICE_WAIT:
		arm_watches(&(struct first_use_wait){.is_all = true, .serial = UINT64_MAX}, data);
		break;
	case ROLE_EVENT_RECORD:
		after_event_record(data, arguments);
		break;
	case ROLE_PIN:
		pinned_note((struct pinned){arguments->dst, arguments->size_bytes,
					    function_infos[function].class == CLASS_REGISTER});
		break;
	default:
		break;
	}
}

void first_use_exit(enum function function, const CUpti_CallbackData *data,
		    const struct record *arguments, const struct caller *caller)
{
	uint64_t signals;
	int saved_errno = errno;

	if (uses.roles[function] == ROLE_NONE || !atomic_load(&uses.touch))
		return;
	/* Also after a copy that failed. */
	if (uses.roles[function] == ROLE_COPY && arguments->has & RECORD_HAS_SRC) {
		lock_uses(&signals);
		first_use_resume(arguments->src, arguments->src + arguments->size_bytes);
		unlock_uses(&signals);
	}
	if (arguments->result) {
		errno = saved_errno;
		return;
	}
	if (uses.roles[function] == ROLE_COPY) {
		memory_queries_begin();
		after_copy(data, arguments, caller);
		memory_queries_end();
	} else {
		lock_uses(&signals);
		after_call(function, data, arguments);
		unlock_uses(&signals);
	}
	errno = saved_errno;
}

void first_use_stop(void)
{
	int saved_errno = errno;

	if (!uses.is_wanted)
		return;
	atomic_store(&first_use_on, false);
	first_use_close(FIRST_USE_NEVER);
	errno = saved_errno;
}

void first_use_after_fork(void)
{
	const struct first_use_touch *touch = atomic_load(&uses.touch);

	if (!uses.is_wanted)
		return;
	pthread_mutex_init(&mutex, NULL);
	first_use_forget();
	memset(uses.events, 0, sizeof(uses.events));
	pinned_forget_all();
	if (touch)
		touch->unguard();
	if (atomic_load(&first_use_on))
		first_use_open();
}

void first_use_store(struct store *store)
{
	if (uses.is_wanted)
		first_use_store_ended(store);
}

void first_use_describe(struct store *store)
{
	const char *obstacle = atomic_load(&uses.obstacle);

	if (uses.is_wanted)
		store_metadata(store, "first_use", obstacle ? obstacle : "on");
}
