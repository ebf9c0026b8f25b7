#include "trial/dropped_wait.h"

#include "base/driver.h"
#include "base/loaded.h"
#include "first_use/memory_kind.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

enum { LANES_MOST = 64 }; /* an event takes 1 us: with more of them nothing would be won */
#define STREAM_ENDED UINTPTR_MAX

/* A stream of the program. Its place stays, also when the stream has ended: its events are kept for the next one there. */
struct lane {
	uintptr_t stream; /* result of identify_stream(), or STREAM_ENDED; 0: never used */
	CUstream handle;
	CUcontext context;
	CUevent covered; /* behind what the last dropped wait covered; of a stream that has ended: behind all its work */
	uint64_t number; /* of the last dropped wait that covered the stream; 0: none */
	uint64_t behind; /* this stream's next work is behind all waits up to this number */
	CUevent visible; /* behind the last work that the host can see */
	bool is_visible; /* that may be under way */
};

static struct {
	/* Read where streams are used that other threads may destroy or capture, written before that. Taken before `lock`. */
	pthread_rwlock_t streams_lock;
	pthread_mutex_t lock;
	struct lane lanes[LANES_MOST];
	_Atomic uint64_t dropped, made_up; /* numbers of waits */
	_Atomic uint32_t stopped;	   /* 1 plus an enum trial_refusal; 0: waits are dropped */
	_Atomic uintptr_t thread; /* the first that put work into a stream, or waited; 0: none */
} waits = {.streams_lock = PTHREAD_RWLOCK_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER};

static void reset_waits(void)
{
	memset(waits.lanes, 0, sizeof(waits.lanes));
	atomic_store(&waits.dropped, 0);
	atomic_store(&waits.made_up, 0);
	atomic_store(&waits.stopped, 0);
	atomic_store(&waits.thread, 0);
	pthread_rwlock_init(&waits.streams_lock, NULL);
	pthread_mutex_init(&waits.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
	trial_after_fork(reset_waits);
}

static bool has_functions(void)
{
	const struct driver *driver = driver_functions();

	return memory_find_driver() && driver->cuEventCreate && driver->cuEventQuery &&
	       driver->cuEventRecord && driver->cuEventSynchronize && driver->cuStreamWaitEvent;
}

/* The first reason stays. */
static void stop_dropping(enum trial_refusal reason)
{
	uint32_t none = 0;

	atomic_compare_exchange_strong(&waits.stopped, &none, 1 + reason);
}

void dropped_wait_stop(enum trial_refusal reason)
{
	pthread_rwlock_wrlock(&waits.streams_lock);
	stop_dropping(reason);
	pthread_rwlock_unlock(&waits.streams_lock);
}

/* Each thread has a stream behind CU_STREAM_PER_THREAD. No two threads have one number, also if one has ended. */
static uintptr_t identify_stream(CUstream stream)
{
	static _Atomic uintptr_t threads;
	static __thread uintptr_t own __attribute__((tls_model("initial-exec")));

	if (stream != CU_STREAM_PER_THREAD)
		return (uintptr_t)stream;
	if (!own)
		own = atomic_fetch_add(&threads, 2) + (uintptr_t)CU_STREAM_PER_THREAD + 1;
	return own; /* odd, as no handle is */
}

/* Another thread may rely on a wait of this one, by means that are not seen: no wait is dropped from the second thread on. */
static void note_thread(void)
{
	const uintptr_t own = identify_stream(CU_STREAM_PER_THREAD);
	uintptr_t first = atomic_load_explicit(&waits.thread, memory_order_relaxed);

	if (first == own ||
	    (!first && atomic_compare_exchange_strong(&waits.thread, &first, own)) ||
	    atomic_load(&waits.stopped))
		return;
	dropped_wait_stop(TRIAL_REFUSED_OTHER_THREAD);
	dropped_wait_make_up();
}

/* The lock is held. Whether work that the host can see may be under way. */
static bool is_seen(struct lane *lane)
{
	if (lane->is_visible && !DRIVER_CALL(driver_functions(), cuEventQuery)(lane->visible))
		lane->is_visible = false;
	return lane->is_visible;
}

/* The lock is held. Whether a stream has ended, and its work is done. */
static bool is_over(struct lane *lane)
{
	return lane->stream == STREAM_ENDED && !is_seen(lane) &&
	       !DRIVER_CALL(driver_functions(), cuEventQuery)(lane->covered);
}

/* The lock is held. NULL: there is none. */
static struct lane *find_place(void)
{
	for (int i = 0; i < LANES_MOST; i++)
		if (!waits.lanes[i].stream || is_over(&waits.lanes[i]))
			return &waits.lanes[i];
	return NULL;
}

static bool make_events(struct lane *lane)
{
	const struct driver *driver = driver_functions();

	return (lane->covered ||
		!DRIVER_CALL(driver, cuEventCreate)(&lane->covered, CU_EVENT_DISABLE_TIMING)) &&
	       (lane->visible ||
		!DRIVER_CALL(driver, cuEventCreate)(&lane->visible, CU_EVENT_DISABLE_TIMING));
}

/* The lock is held. Default streams of two contexts have one handle. */
static bool has_other_context(void)
{
	const CUcontext context = trial_context();

	for (int i = 0; i < LANES_MOST; i++)
		if (waits.lanes[i].stream && waits.lanes[i].context != context)
			return true;
	return false;
}

/* The lock is held. The stream's lane, made if there is none; NULL: it cannot be made, and no wait is dropped from now on. */
static struct lane *find_lane(CUstream stream)
{
	const uintptr_t wanted = identify_stream(stream);
	struct lane *lane;

	if (has_other_context()) {
		stop_dropping(TRIAL_REFUSED_OTHER_CONTEXT);
		return NULL;
	}
	for (int i = 0; i < LANES_MOST; i++)
		if (waits.lanes[i].stream == wanted)
			return &waits.lanes[i];
	lane = find_place();
	if (!lane || !make_events(lane)) {
		stop_dropping(lane ? TRIAL_REFUSED_NO_MEMORY : TRIAL_REFUSED_MANY_STREAMS);
		return NULL;
	}
	lane->stream = wanted;
	lane->handle = stream;
	lane->context = trial_context();
	lane->number = lane->behind = 0;
	lane->is_visible = false;
	return lane;
}

/* Whether the wait of the call covers the work of the lane. */
static bool is_covered(const struct lane *lane, const struct trial_call *call)
{
	if (call->function == FUNCTION_cudaDeviceSynchronize)
		return lane->stream != 0;
	if (call->stream == CU_STREAM_LEGACY)
		return lane->stream && (lane->stream == STREAM_ENDED ||
					memory_stream_is_blocking((uintptr_t)lane->handle));
	return lane->stream == identify_stream(call->stream);
}

/* The lock is held. Why the wait must stay; TRIAL_REFUSAL_COUNT: it need not. Work that the host can see may be in a stream that
 * the call does not name: streams wait for each other. */
static enum trial_refusal find_reason(const struct trial_call *call)
{
	const uint32_t stopped = atomic_load(&waits.stopped);

	if (stopped)
		return (enum trial_refusal)(stopped - 1);
	/* They may share memory, and tell each other when it is ready. */
	if (atomic_load(&trial_page->processes) > 1)
		return TRIAL_REFUSED_OTHER_PROCESS;
	for (int i = 0; i < LANES_MOST; i++) {
		struct lane *lane = &waits.lanes[i];

		if (lane->stream && is_seen(lane))
			return TRIAL_REFUSED_VISIBLE;
	}
	return TRIAL_REFUSAL_COUNT;
}

/* The lanes that the wait covers. */
struct covered_lanes {
	struct lane *items[LANES_MOST];
	int count;
};

/* Finds them, or why the wait must stay; TRIAL_REFUSAL_COUNT: it need not. */
static enum trial_refusal find_covered(const struct trial_call *call, struct covered_lanes *covered)
{
	enum trial_refusal reason;

	covered->count = 0;
	if (memory_stream_is_captured((uintptr_t)call->stream))
		return TRIAL_REFUSED_CAPTURED;
	pthread_mutex_lock(&waits.lock);
	find_lane(call->stream); /* only a library may have put work into it */
	reason = find_reason(call);
	for (int i = 0; i < LANES_MOST && reason == TRIAL_REFUSAL_COUNT; i++)
		if (is_covered(&waits.lanes[i], call))
			covered->items[covered->count++] = &waits.lanes[i];
	pthread_mutex_unlock(&waits.lock);
	return reason;
}

static bool mark_lane(const struct lane *lane)
{
	return lane->stream == STREAM_ENDED ||
	       !DRIVER_CALL(driver_functions(), cuEventRecord)(lane->covered, lane->handle);
}

/* The lock is held. */
static void note_dropped(const struct covered_lanes *covered)
{
	const uint64_t number = atomic_load(&waits.dropped) + 1;

	for (int i = 0; i < covered->count; i++)
		covered->items[i]->number = number;
	atomic_store(&waits.dropped, number);
}

/* Records the events, which may take until there is room in the streams, and then lets others wait for them. */
static bool mark_covered(const struct covered_lanes *covered)
{
	bool applies;

	for (int i = 0; i < covered->count; i++)
		if (!mark_lane(covered->items[i]))
			return false;
	pthread_mutex_lock(&waits.lock);
	/* A turn that ends meanwhile has made up what was dropped, or waits for this lock to do so. */
	applies = trial_applies();
	if (applies)
		note_dropped(covered);
	pthread_mutex_unlock(&waits.lock);
	return applies;
}

bool dropped_wait_drop(const struct trial_call *call, struct trial_site *site)
{
	struct covered_lanes covered;
	enum trial_refusal reason;
	bool is_marked;

	if (!trial_context() || !has_functions())
		return false;
	note_thread();
	pthread_rwlock_rdlock(&waits.streams_lock);
	reason = find_covered(call, &covered);
	is_marked = reason == TRIAL_REFUSAL_COUNT && mark_covered(&covered);
	pthread_rwlock_unlock(&waits.streams_lock);
	if (is_marked)
		planned_applied(site);
	else if (reason != TRIAL_REFUSAL_COUNT)
		planned_refuse(site, reason);
	return is_marked;
}

/* The lock is held. Stores the events of waits after the number `since`, but those of the stream itself. */
static int find_events(uint64_t since, uintptr_t stream, CUevent events[LANES_MOST])
{
	const uint64_t made_up = atomic_load(&waits.made_up);
	int found = 0;

	for (int i = 0; i < LANES_MOST; i++)
		if (waits.lanes[i].number > since && waits.lanes[i].number > made_up &&
		    waits.lanes[i].stream != stream)
			events[found++] = waits.lanes[i].covered;
	return found;
}

/* Work that another thread puts into the stream meanwhile is behind the events, too, or waits for them itself. */
static void wait_for_events(CUstream stream, const CUevent *events, int count, struct lane *lane,
			    uint64_t until)
{
	for (int i = 0; i < count; i++)
		DRIVER_CALL(driver_functions(), cuStreamWaitEvent)(stream, events[i], 0);
	pthread_mutex_lock(&waits.lock);
	if (lane->behind < until)
		lane->behind = until;
	pthread_mutex_unlock(&waits.lock);
}

void dropped_wait_order(CUstream stream)
{
	CUevent events[LANES_MOST];
	struct lane *lane;
	uint64_t until;
	int found = 0;

	if (!has_functions())
		return;
	note_thread();
	pthread_mutex_lock(&waits.lock);
	lane = find_lane(stream);
	until = atomic_load(&waits.dropped);
	if (lane && lane->behind < until)
		found = find_events(lane->behind, lane->stream, events);
	pthread_mutex_unlock(&waits.lock);
	if (!lane)
		dropped_wait_make_up();
	else if (found && !memory_stream_is_captured((uintptr_t)stream))
		wait_for_events(stream, events, found, lane, until);
}

/* Whether the host may see the copy, and when it is done. A copy that its call waits for is done. */
static bool is_visible_copy(const struct trial_call *call)
{
	const enum memory_type from = memory_type_of((uintptr_t)call->src),
			       to = memory_type_of((uintptr_t)call->dst);

	if (!call->is_flat)
		return strstr(function_infos[call->function].name, "Async") != NULL;
	return !call->waits && (from == MEMORY_TYPE_PINNED || from == MEMORY_TYPE_UNKNOWN ||
				to == MEMORY_TYPE_PINNED || to == MEMORY_TYPE_UNKNOWN);
}

static bool is_visible(const struct trial_call *call)
{
	switch (function_infos[call->function].class) {
	case CLASS_COPY:
		return is_visible_copy(call);
	case CLASS_SET:
		return memory_type_of((uintptr_t)call->dst) != MEMORY_TYPE_DEVICE;
	case CLASS_HOST_FUNCTION:
	case CLASS_GRAPH_LAUNCH:
		return true;
	default:
		return false;
	}
}

void dropped_wait_note_visible(const struct trial_call *call)
{
	struct lane *lane;

	if (!has_functions() || !is_visible(call) ||
	    memory_stream_is_captured((uintptr_t)call->stream))
		return;
	pthread_mutex_lock(&waits.lock);
	lane = find_lane(call->stream);
	pthread_mutex_unlock(&waits.lock);
	if (!lane)
		return;
	if (DRIVER_CALL(driver_functions(), cuEventRecord)(lane->visible, call->stream))
		stop_dropping(TRIAL_REFUSED_VISIBLE);
	pthread_mutex_lock(&waits.lock);
	lane->is_visible = true;
	pthread_mutex_unlock(&waits.lock);
}

bool dropped_wait_is_pending(void)
{
	return atomic_load_explicit(&waits.dropped, memory_order_acquire) !=
	       atomic_load_explicit(&waits.made_up, memory_order_acquire);
}

void dropped_wait_make_up(void)
{
	CUevent events[LANES_MOST];
	uint64_t until;
	int count;

	pthread_mutex_lock(&waits.lock);
	until = atomic_load(&waits.dropped);
	count = find_events(0, 0, events);
	pthread_mutex_unlock(&waits.lock);
	/* An error is for the program's next call. */
	for (int i = 0; i < count; i++)
		DRIVER_CALL(driver_functions(), cuEventSynchronize)(events[i]);
	pthread_mutex_lock(&waits.lock);
	if (atomic_load(&waits.made_up) < until)
		atomic_store(&waits.made_up, until);
	pthread_mutex_unlock(&waits.lock);
}

void dropped_wait_make_up_alone(void)
{
	const int saved_errno = errno;

	if (!dropped_wait_is_pending() || !trial_begin())
		return;
	memory_queries_begin();
	dropped_wait_make_up();
	memory_queries_end();
	trial_end();
	errno = saved_errno;
}

void dropped_wait_stream_made(CUstream stream)
{
	pthread_mutex_lock(&waits.lock);
	find_lane(stream);
	pthread_mutex_unlock(&waits.lock);
}

/* Whether it is a library by which others use the device's memory past the runtime: processes, devices, graphics. */
static bool shares_memory(const struct loaded *library, void *data)
{
	static const char *const stems[] = {
		"libmpi",    "libcufile",	"libibverbs",	    "libucp",
		"libgdrapi", "libnccl",		"libvulkan",	    "libGL",
		"libEGL",    "libnvshmem_host", "libnvidia-encode",
	};

	for (size_t i = 0; i < sizeof(stems) / sizeof(*stems); i++)
		if (!strncmp(library->file, stems[i], strlen(stems[i])))
			return true;
	return false;
}

void dropped_wait_begin(void)
{
	if (!has_functions())
		stop_dropping(TRIAL_REFUSED_NO_DRIVER);
	else if (loaded_each(shares_memory, NULL))
		stop_dropping(TRIAL_REFUSED_SHARED);
	else if (memory_heap_is_reachable())
		stop_dropping(TRIAL_REFUSED_COHERENT);
	else
		dropped_wait_stream_made(CU_STREAM_LEGACY);
}

/* The lane of the stream. NULL: it has none. */
static struct lane *look_up(CUstream stream)
{
	const uintptr_t wanted = identify_stream(stream);
	struct lane *found = NULL;

	pthread_mutex_lock(&waits.lock);
	for (int i = 0; i < LANES_MOST && !found; i++)
		if (waits.lanes[i].stream == wanted)
			found = &waits.lanes[i];
	pthread_mutex_unlock(&waits.lock);
	return found;
}

/* Records the event, which may take until there is room in the stream, and then locks. */
void dropped_wait_stream_ends(CUstream stream)
{
	struct lane *lane = has_functions() ? look_up(stream) : NULL;

	if (!lane)
		return;
	if (!mark_lane(lane))
		stop_dropping(TRIAL_REFUSED_LOST_STREAM);
	pthread_rwlock_wrlock(&waits.streams_lock);
	pthread_mutex_lock(&waits.lock);
	lane->stream = STREAM_ENDED;
	pthread_mutex_unlock(&waits.lock);
	pthread_rwlock_unlock(&waits.streams_lock);
}

void dropped_wait_forget(CUcontext context)
{
	pthread_mutex_lock(&waits.lock);
	for (int i = 0; i < LANES_MOST; i++)
		if (waits.lanes[i].context == context)
			waits.lanes[i] = (struct lane){0};
	atomic_store(&waits.made_up, atomic_load(&waits.dropped));
	pthread_mutex_unlock(&waits.lock);
}
