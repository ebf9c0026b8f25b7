#include "trial/stream_marks.h"

#include "base/driver.h"
#include "first_use/memory_kind.h"

#include <pthread.h>
#include <string.h>

enum {
	LANES_MOST = MARK_STREAMS_MOST,
	MARKS_MOST = 2048, /* held blocks share most of theirs */
	NO_MARK = UINT16_MAX,
};
#define MANY_THREADS UINTPTR_MAX

struct mark {
	CUevent event; /* NULL: its context is gone */
	CUcontext context;
	uint32_t users; /* the lane and sets; 0: free */
};

/* A stream with its last work and mark. */
struct lane {
	CUstream stream; /* NULL: the lane is free, or the stream has ended */
	CUcontext context;
	uintptr_t thread; /* of CU_STREAM_PER_THREAD: whose it is, or MANY_THREADS */
	bool is_blocking;
	uint64_t work;	 /* number of its last work; 0: none */
	uint64_t marked; /* the mark is behind all work up to this number */
	uint16_t mark;	 /* or NO_MARK */
};

static struct {
	/* Read where streams are used that other threads may destroy, written to forget one. Taken before `lock`. */
	pthread_rwlock_t streams_lock;
	pthread_mutex_t lock;
	struct lane lanes[LANES_MOST];
	uint32_t lane_count; /* ever used */
	struct mark marks[MARKS_MOST];
	uint32_t mark_count; /* ever used */
	_Atomic uint64_t work;
	_Atomic bool is_due;	   /* the legacy default stream has work without a mark */
	_Atomic uint32_t obstacle; /* 1 plus an enum trial_refusal; 0: none */
} all = {.streams_lock = PTHREAD_RWLOCK_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER};

static void reset_marks(void)
{
	all.lane_count = all.mark_count = 0;
	atomic_store(&all.is_due, false);
	atomic_store(&all.obstacle, 0);
	pthread_rwlock_init(&all.streams_lock, NULL);
	pthread_mutex_init(&all.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
	trial_after_fork(reset_marks);
}

static void give_up(enum trial_refusal reason)
{
	uint32_t none = 0;

	atomic_compare_exchange_strong(&all.obstacle, &none, 1 + reason);
}

static bool has_functions(void)
{
	const struct driver *driver = driver_functions();

	return memory_find_driver() && driver->cuEventCreate && driver->cuEventDestroy_v2 &&
	       driver->cuEventQuery && driver->cuEventRecord && driver->cuEventSynchronize;
}

/* No two threads have one number, also if one has ended. */
static uintptr_t own_thread(void)
{
	static _Atomic uintptr_t threads;
	static __thread uintptr_t own __attribute__((tls_model("initial-exec")));

	if (!own)
		own = atomic_fetch_add(&threads, 1) + 1;
	return own;
}

static bool is_default(CUstream stream)
{
	return stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

/* The lock is held. */
static bool is_reached(uint16_t mark)
{
	return !all.marks[mark].event ||
	       !DRIVER_CALL(driver_functions(), cuEventQuery)(all.marks[mark].event);
}

/* The lock is held. */
static void drop_mark(uint16_t mark)
{
	if (mark == NO_MARK || --all.marks[mark].users || !all.marks[mark].event)
		return;
	DRIVER_CALL(driver_functions(), cuEventDestroy_v2)(all.marks[mark].event);
	all.marks[mark].event = NULL;
}

/* The lock is held. NO_MARK: there is no room. */
static uint16_t add_mark(CUevent event, CUcontext context)
{
	uint32_t i = 0;

	while (i < all.mark_count && all.marks[i].users)
		i++;
	if (i == MARKS_MOST)
		return NO_MARK;
	all.mark_count += i == all.mark_count;
	all.marks[i] = (struct mark){.event = event, .context = context, .users = 1};
	return (uint16_t)i;
}

/* The lock is held. NULL: there is none. The default streams of two contexts have one handle. */
static struct lane *find_lane(CUstream stream, CUcontext context)
{
	for (uint32_t i = 0; i < all.lane_count; i++)
		if (all.lanes[i].stream == stream &&
		    (!is_default(stream) || all.lanes[i].context == context))
			return &all.lanes[i];
	return NULL;
}

/* The lock is held. A place that is free, or whose stream has ended and done all work. */
static struct lane *find_place(void)
{
	for (uint32_t i = 0; i < all.lane_count; i++) {
		struct lane *lane = &all.lanes[i];

		if (lane->stream || (lane->mark != NO_MARK && !is_reached(lane->mark)))
			continue;
		drop_mark(lane->mark);
		return lane;
	}
	return all.lane_count < LANES_MOST ? &all.lanes[all.lane_count++] : NULL;
}

/* The lock is held. NULL: there is no place for it, and from now on no marks are made. */
static struct lane *add_lane(CUstream stream, CUcontext context, bool is_blocking)
{
	struct lane *lane = find_place();

	if (!lane)
		give_up(TRIAL_REFUSED_MANY_STREAMS);
	else
		*lane = (struct lane){.stream = stream,
				      .context = context,
				      .thread = own_thread(),
				      .is_blocking = is_blocking,
				      .mark = NO_MARK};
	return lane;
}

void stream_marks_made(CUstream stream)
{
	const CUcontext context = trial_context();
	const bool is_blocking =
		memory_find_driver() && memory_stream_is_blocking((uintptr_t)stream);

	pthread_mutex_lock(&all.lock);
	add_lane(stream, context, is_blocking);
	pthread_mutex_unlock(&all.lock);
}

/* Makes an event in the stream of this context. TRIAL_REFUSAL_COUNT: made. */
static enum trial_refusal record_event(CUstream stream, CUcontext context, CUevent *event)
{
	const struct driver *driver = driver_functions();
	const CUcontext current = trial_context();
	enum trial_refusal reason = TRIAL_REFUSED_NO_MEMORY;

	if (context != current && (!DRIVER_CALL(driver, cuCtxSetCurrent) ||
				   DRIVER_CALL(driver, cuCtxSetCurrent)(context)))
		return TRIAL_REFUSED_OTHER_CONTEXT;
	if (memory_stream_is_captured((uintptr_t)stream)) {
		reason = TRIAL_REFUSED_CAPTURED;
	} else if (!DRIVER_CALL(driver, cuEventCreate)(event, CU_EVENT_DISABLE_TIMING)) {
		if (!DRIVER_CALL(driver, cuEventRecord)(*event, stream))
			reason = TRIAL_REFUSAL_COUNT;
		else
			DRIVER_CALL(driver, cuEventDestroy_v2)(*event);
	}
	if (context != current)
		DRIVER_CALL(driver, cuCtxSetCurrent)(current);
	return reason;
}

/* The lock is held. */
static void share_mark(struct mark_set *set, uint16_t mark)
{
	all.marks[mark].users++;
	set->marks[set->count++] = mark;
}

/* The lock is held. The lane's mark from now on, behind its work up to that number. False: there is no room. */
static bool set_mark(struct lane *lane, CUevent event, uint64_t work, struct mark_set *set)
{
	const uint16_t mark = add_mark(event, lane->context);

	if (mark == NO_MARK)
		return false;
	drop_mark(lane->mark);
	lane->mark = mark;
	lane->marked = work;
	if (set)
		share_mark(set, mark);
	return true;
}

/* Makes a mark behind the lane's work, and shares it if there is a set. The caller holds streams_lock, or the stream is the
 * legacy default stream, which does not end. */
static enum trial_refusal mark_lane(struct lane *lane, struct mark_set *set)
{
	enum trial_refusal reason;
	CUcontext context;
	CUstream stream;
	uint64_t work;
	CUevent event;

	pthread_mutex_lock(&all.lock);
	stream = lane->stream;
	context = lane->context;
	work = lane->work;
	pthread_mutex_unlock(&all.lock);
	reason = record_event(stream, context, &event);
	if (reason != TRIAL_REFUSAL_COUNT)
		return reason;
	pthread_mutex_lock(&all.lock);
	if (!set_mark(lane, event, work, set))
		reason = TRIAL_REFUSED_MANY_HELD;
	pthread_mutex_unlock(&all.lock);
	if (reason != TRIAL_REFUSAL_COUNT)
		DRIVER_CALL(driver_functions(), cuEventDestroy_v2)(event);
	return reason;
}

/* The lock is held. Whether the stream's last work has no mark yet. */
static bool needs_mark(const struct lane *lane)
{
	return trial_page->has_unseen_work || lane->work > lane->marked;
}

void stream_marks_ends(CUstream stream)
{
	struct lane *lane;
	bool is_unmarked;

	pthread_rwlock_wrlock(&all.streams_lock);
	pthread_mutex_lock(&all.lock);
	lane = find_lane(stream, NULL);
	is_unmarked = lane && needs_mark(lane);
	pthread_mutex_unlock(&all.lock);
	if (is_unmarked && (!has_functions() || mark_lane(lane, NULL) != TRIAL_REFUSAL_COUNT))
		give_up(TRIAL_REFUSED_LOST_STREAM);
	pthread_mutex_lock(&all.lock);
	if (lane)
		lane->stream = NULL;
	pthread_mutex_unlock(&all.lock);
	pthread_rwlock_unlock(&all.streams_lock);
}

bool stream_marks_are_due(CUstream stream)
{
	return stream != CU_STREAM_LEGACY &&
	       atomic_load_explicit(&all.is_due, memory_order_relaxed);
}

/* The lock is held. */
static struct lane *find_due_lane(CUstream stream, CUcontext context)
{
	const struct lane *next = find_lane(stream, context);
	struct lane *legacy = find_lane(CU_STREAM_LEGACY, context);

	return legacy && next && next->is_blocking && legacy->work > legacy->marked ? legacy : NULL;
}

void stream_marks_before(CUstream stream)
{
	const CUcontext context = trial_context();
	struct lane *legacy;

	pthread_mutex_lock(&all.lock);
	legacy = find_due_lane(stream, context);
	pthread_mutex_unlock(&all.lock);
	if (legacy && has_functions() && mark_lane(legacy, NULL) == TRIAL_REFUSAL_COUNT)
		atomic_store(&all.is_due, false);
}

/* The lock is held. */
static void note_work(struct lane *lane)
{
	lane->work = atomic_fetch_add(&all.work, 1) + 1;
	if (lane->stream == CU_STREAM_LEGACY)
		atomic_store_explicit(&all.is_due, true, memory_order_relaxed);
	else if (lane->stream == CU_STREAM_PER_THREAD && lane->thread != own_thread())
		lane->thread = MANY_THREADS;
}

/* The runtime has not made the stream: it may end without a call that is seen. */
void stream_marks_note(CUstream stream)
{
	const CUcontext context = is_default(stream) ? trial_context() : NULL;
	struct lane *lane;

	pthread_mutex_lock(&all.lock);
	lane = find_lane(stream, context);
	if (!lane && is_default(stream))
		lane = add_lane(stream, context, true);
	if (lane)
		note_work(lane);
	else
		give_up(TRIAL_REFUSED_OTHER_STREAM);
	pthread_mutex_unlock(&all.lock);
}

uint64_t stream_marks_now(void)
{
	return atomic_load(&all.work);
}

/* The lock is held. Whether this thread cannot mark what the stream has done. */
static bool is_of_others(const struct lane *lane)
{
	return lane->stream == CU_STREAM_PER_THREAD && lane->thread != own_thread();
}

/* The lock is held. The legacy default stream of the context, which is behind all its blocking streams. */
static struct lane *find_barrier(CUcontext context)
{
	struct lane *lane = find_lane(CU_STREAM_LEGACY, context);

	return lane ? lane : add_lane(CU_STREAM_LEGACY, context, true);
}

/* Lanes whose work needs a new mark, each once. */
struct unmarked {
	struct lane *lanes[LANES_MOST];
	uint32_t count;
};

static void add_unmarked(struct unmarked *unmarked, struct lane *lane)
{
	for (uint32_t i = 0; i < unmarked->count; i++)
		if (unmarked->lanes[i] == lane)
			return;
	if (lane)
		unmarked->lanes[unmarked->count++] = lane;
}

/* The lock is held. Shares what has a mark, and finds the rest. */
static void find_unmarked(uint64_t since, struct mark_set *set, struct unmarked *unmarked)
{
	const bool is_unseen = trial_page->has_unseen_work;
	const uint32_t count = all.lane_count;

	for (uint32_t i = 0; i < count; i++) {
		struct lane *lane = &all.lanes[i];

		if (!is_unseen && lane->work <= since)
			continue;
		if (lane->stream && (is_unseen || lane->work > lane->marked))
			add_unmarked(unmarked,
				     is_of_others(lane) ? find_barrier(lane->context) : lane);
		else if (lane->mark != NO_MARK)
			share_mark(set, lane->mark);
	}
	if (is_unseen)
		add_unmarked(unmarked, find_barrier(trial_context()));
}

/* Marks the lanes, and shares their marks. The caller holds streams_lock. */
static enum trial_refusal mark_lanes(const struct unmarked *unmarked, struct mark_set *set)
{
	enum trial_refusal reason = TRIAL_REFUSAL_COUNT;

	for (uint32_t i = 0; i < unmarked->count && reason == TRIAL_REFUSAL_COUNT; i++)
		reason = mark_lane(unmarked->lanes[i], set);
	return reason;
}

enum trial_refusal stream_marks_take(uint64_t since, struct mark_set *set)
{
	struct unmarked unmarked = {.count = 0};
	enum trial_refusal reason = TRIAL_REFUSAL_COUNT;
	uint32_t obstacle;

	set->count = 0;
	if (!has_functions())
		return TRIAL_REFUSED_NO_DRIVER;
	pthread_rwlock_rdlock(&all.streams_lock);
	pthread_mutex_lock(&all.lock);
	if (!atomic_load(&all.obstacle))
		find_unmarked(since, set, &unmarked);
	obstacle = atomic_load(&all.obstacle);
	pthread_mutex_unlock(&all.lock);
	reason = obstacle ? (enum trial_refusal)(obstacle - 1) : mark_lanes(&unmarked, set);
	pthread_rwlock_unlock(&all.streams_lock);
	if (reason != TRIAL_REFUSAL_COUNT)
		stream_marks_release(set);
	return reason;
}

bool stream_marks_are_reached(const struct mark_set *set)
{
	bool are_reached = true;

	pthread_mutex_lock(&all.lock);
	for (uint32_t i = 0; i < set->count && are_reached; i++)
		are_reached = is_reached(set->marks[i]);
	pthread_mutex_unlock(&all.lock);
	return are_reached;
}

bool stream_marks_wait(const struct mark_set *set)
{
	for (uint32_t i = 0; i < set->count; i++) {
		CUevent event;

		pthread_mutex_lock(&all.lock);
		event = all.marks[set->marks[i]].event;
		pthread_mutex_unlock(&all.lock);
		if (event && DRIVER_CALL(driver_functions(), cuEventSynchronize)(event))
			return false;
	}
	return true;
}

void stream_marks_release(struct mark_set *set)
{
	pthread_mutex_lock(&all.lock);
	for (uint32_t i = 0; i < set->count; i++)
		drop_mark(set->marks[i]);
	pthread_mutex_unlock(&all.lock);
	set->count = 0;
}

void stream_marks_forget(CUcontext context)
{
	pthread_mutex_lock(&all.lock);
	for (uint32_t i = 0; i < all.mark_count; i++)
		if (all.marks[i].context == context)
			all.marks[i].event = NULL;
	for (uint32_t i = 0; i < all.lane_count; i++)
		if (all.lanes[i].context == context) {
			drop_mark(all.lanes[i].mark);
			all.lanes[i] = (struct lane){.mark = NO_MARK};
		}
	pthread_mutex_unlock(&all.lock);
}
