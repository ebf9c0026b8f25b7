#include "recorder/recorder.h"

#include "base/clock.h"
#include "base/clock_reads.h"
#include "base/losses.h"
#include "base/short_sleep.h"
#include "stack/sites.h"
#include "stack/thread_stack.h"
#include "stack/walk.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A shorter call did not wait, so a clock reading after it measures no wait. */
#define READ_AFTER_NS 2000

#define OWNER_PAUSE_NS 10000 /* the writer looks for less */

READ_MOSTLY _Atomic int recorder_state = RECORDER_IDLE;
_Atomic uint32_t recorder_resumed;
__thread struct recorder_thread recorder_thread;

static _Atomic(struct ring *) rings;
static pthread_key_t ring_key;
static pthread_once_t ring_key_once = PTHREAD_ONCE_INIT;
static bool ring_key_ok;

static _Atomic bool has_early_call;

static void note_early_call(void)
{
	atomic_store(&has_early_call, true);
	losses_count(LOSS_EARLY_CALL, 1);
}

static void no_hook(void)
{
}

static const struct recorder_hooks no_hooks = {note_early_call, no_hook, no_hook};
READ_MOSTLY static _Atomic(const struct recorder_hooks *) hooks = &no_hooks;

bool recorder_set_hooks(const struct recorder_hooks *set)
{
	atomic_store(&hooks, set);
	return !atomic_load(&has_early_call);
}

bool recorder_start(void)
{
	struct recorder_thread *self = &recorder_thread;
	int saved_errno = errno, cancel_state;

	if (self->is_starting) {
		losses_count(LOSS_EARLY_CALL, 1);
		return false;
	}
	self->is_starting = true;
	atomic_signal_fence(memory_order_seq_cst);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	if (atomic_load(&recorder_state) != RECORDER_OFF)
		atomic_load(&hooks)->first_call();
	pthread_setcancelstate(cancel_state, NULL);
	atomic_signal_fence(memory_order_seq_cst);
	self->is_starting = false;
	errno = saved_errno;
	return atomic_load(&recorder_state) == RECORDER_ON;
}

bool recorder_begin(void)
{
	int expected = RECORDER_IDLE;

	return atomic_compare_exchange_strong(&recorder_state, &expected, RECORDER_PAUSED);
}

bool recorder_stop(void)
{
	int state = atomic_exchange(&recorder_state, RECORDER_OFF);

	return state == RECORDER_ON || state == RECORDER_PAUSED;
}

void recorder_wake_writer(void)
{
	atomic_load(&hooks)->segments_filled();
}

void recorder_pause(bool is_paused)
{
	int expected = is_paused ? RECORDER_ON : RECORDER_PAUSED;

	/* Before the state: a thread that sees the new state also sees the new number. */
	if (!is_paused)
		atomic_fetch_add(&recorder_resumed, 1);
	atomic_compare_exchange_strong(&recorder_state, &expected,
				       is_paused ? RECORDER_PAUSED : RECORDER_ON);
}

/* Whether the thread has left its wrapped call by longjmp() or an exception: later calls have
 * overwritten the call's return address, or `frame` lies above it. Only the thread's own stack is
 * read, because any other may be gone; a signal handler's own stack proves nothing. */
static bool has_left(const struct caller *caller, uint64_t frame)
{
	return thread_stack_contains(caller->cfa) &&
	       (((const uint64_t *)caller->cfa)[-1] != caller->return_address ||
		(frame >= caller->cfa && thread_stack_contains(frame)));
}

/* If the thread has left its wrapped call, resets the thread's position. */
static bool notice_left(uint64_t frame)
{
	struct recorder_thread *self = &recorder_thread;

	if (self->at.depth != 1 || !has_left(&self->caller, frame))
		return false;
	self->at = (struct recorder_position){0};
	losses_count(LOSS_LEFT_CALL, 1);
	return true;
}

/* recorder_enter() inside a wrapped call. False: a call of the runtime into itself. True: the
 * program's own call, from a signal handler, or after siglongjmp() or an exception left the outer
 * call. */
static COLD bool enter_again(struct recorder_call *call)
{
	if (notice_left(call->caller.cfa))
		return true;
	if (walk_is_left_out(call->caller.return_address))
		return false;
	/* A record being filled in must not be overwritten. */
	if (recorder_thread.at.depth == 2) {
		losses_count(LOSS_HANDLER_CALL, 1);
		return false;
	}
	call->outer = recorder_thread.at;
	call->outer_caller = recorder_thread.caller;
	return true;
}

int64_t recorder_enter_on(struct recorder_call *call, int function)
{
	struct recorder_thread *self = recorder_self();

	if (__builtin_expect(atomic_load_explicit(&recorder_state, memory_order_relaxed) !=
				     RECORDER_ON,
			     0) &&
	    !recorder_start())
		return 0;
	call->outer = (struct recorder_position){0};
	if (__builtin_expect(self->at.depth, 0) && !enter_again(call))
		return 0;
	call_cost_begin();
	self->at = (struct recorder_position){.depth = 1};
	self->caller = call->caller;
	self->arguments = NULL;
	self->numbers = 0;
	self->makes_node = false;
	self->function = function;
	/* Between two calls the program uses the caches: what the end of this one needs comes while the real call runs. */
	sites_foresee();
	if (__builtin_expect(self->ring != NULL, 1))
		ring_foresee(self->ring);
	return self->entered_ns = clock_now_ns();
}

/* A moment of the writer, which reads the thread-local memory: it is gone after this. */
static void forget_owner(struct ring *ring)
{
	atomic_store(&ring->owner, NULL);
	while (atomic_load(&ring->is_looked_at))
		short_sleep(OWNER_PAUSE_NS);
}

/* A thread that ended without destructors has taken its memory with it, perhaps. */
static bool is_alive(const struct ring *ring)
{
	return !syscall(SYS_tgkill, getpid(), ring->thread_id, 0);
}

/* What the thread changes meanwhile gives a call that is not the same at the next look. */
__attribute__((noinline, no_sanitize("thread"))) bool
recorder_running(struct ring *ring, struct recorder_running *running)
{
	const struct recorder_thread *owner;
	bool is_running = false;

	atomic_store(&ring->is_looked_at, true);
	owner = atomic_load(&ring->owner);
	if (owner && is_alive(ring)) {
		const volatile struct recorder_thread *now = owner;

		*running = (struct recorder_running){
			.serial = now->serial,
			.entered_ns = now->entered_ns,
			.caller = {now->caller.return_address, now->caller.cfa},
			.function = now->function};
		is_running = now->at.depth == 1 && now->serial == running->serial;
	}
	atomic_store(&ring->is_looked_at, false);
	return is_running;
}

/* Called at a thread's end: the records in its ring still belong to the trace. Destructors that run
 * later and call CUDA get another ring. */
static void ring_abandon(void *memory)
{
	struct ring *ring = memory;

	recorder_thread.ring = NULL;
	forget_owner(ring);
	ring->ended = thread_times_read(ring->thread_id);
	atomic_store_explicit(&ring->state, RING_ORPHANED, memory_order_release);
}

static void ring_key_create(void)
{
	ring_key_ok = pthread_key_create(&ring_key, ring_abandon) == 0;
}

static struct ring *ring_take(void)
{
	struct ring *ring;

	for (ring = atomic_load(&rings); ring; ring = ring->next) {
		int expected = RING_FREE;

		if (!atomic_compare_exchange_strong(&ring->state, &expected, RING_OWNED))
			continue;
		if (ring_begin(ring))
			return ring;
		ring_free(ring);
		return NULL;
	}
	ring = ring_create();
	if (!ring)
		return NULL;
	atomic_store(&ring->state, RING_OWNED);
	return ring;
}

static void ring_publish(struct ring *ring)
{
	struct ring *first = atomic_load(&rings);

	do
		ring->next = first;
	while (!atomic_compare_exchange_weak(&rings, &first, ring));
}

/* Prepares a thread for its first record. CUDA is initialized by now: the program's call
 * returned. */
static COLD bool thread_join(struct recorder_thread *self)
{
	int saved_errno = errno, cancel_state;
	uint32_t thread_id = (uint32_t)syscall(SYS_gettid);
	struct ring *ring;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	pthread_once(&ring_key_once, ring_key_create);
	ring = ring_key_ok ? ring_take() : NULL;
	if (ring) {
		bool is_new = ring->thread_id == 0;

		ring->thread_id = thread_id;
		ring->begun = thread_times_read(thread_id);
		atomic_store_explicit(&ring->has_begun, true, memory_order_release);
		if (is_new)
			ring_publish(ring);
		pthread_setspecific(ring_key, ring);
		thread_stack_find();
		self->ring = ring;
		atomic_store(&ring->owner, self);
		atomic_load(&hooks)->first_record();
	}
	pthread_setcancelstate(cancel_state, NULL);
	errno = saved_errno;
	return ring != NULL;
}

/* A record of the thread to be filled in; NULL: there is no room. */
static inline struct record *record_reserve(struct recorder_thread *self)
{
	if (__builtin_expect(!self->ring, 0) && !thread_join(self))
		return NULL;
	return ring_reserve(self->ring);
}

static COLD void count_lost(struct recorder_thread *self)
{
	if (self->ring)
		ring_drop(self->ring);
	else
		losses_count(LOSS_RING_OVERFLOW, 1);
}

/* Hands the reserved record over. No ring: a signal handler has forked meanwhile, and the call is
 * the parent's. */
static inline __attribute__((always_inline)) void commit_record(struct recorder_thread *self)
{
	if (__builtin_expect(!self->ring, 0))
		return;
	if (ring_commit(self->ring))
		atomic_load_explicit(&hooks, memory_order_relaxed)->segments_filled();
}

/* The record of a call that has just returned and cannot be recorded, or belongs to no window. */
static COLD struct record *leave_unrecorded(struct recorder_thread *self,
					    const struct recorder_call *call, bool is_lost)
{
	if (is_lost) {
		count_lost(self);
		self->serial++;
	}
	self->arguments = NULL;
	self->numbers = 0;
	if (call->outer.depth)
		self->caller = call->outer_caller;
	self->at = call->outer;
	return NULL;
}

/* The record of a call that has just returned. The depth stays 2 until the commit, so that a signal
 * handler that calls CUDA does not fill in the same record. */
static inline __attribute__((always_inline)) struct record *
record_call(int function, int result, int64_t start_ns, uint32_t correlation, uint32_t context,
	    const struct recorder_call *call)
{
	struct recorder_thread *self = recorder_self();
	int64_t end_ns = clock_now_ns();
	/* From here on a signal handler's launch may leave others there. */
	struct atom *arguments = self->arguments;
	uint32_t numbers = self->numbers;
	struct record *record;

	self->at.depth = 2;
	atomic_signal_fence(memory_order_seq_cst);
	/* A call belongs to the window in which it began. */
	if (__builtin_expect(!recorder_is_on(), 0))
		return leave_unrecorded(self, call, false);
	record = record_reserve(self);
	if (__builtin_expect(!record, 0))
		return leave_unrecorded(self, call, true);
	if (__builtin_expect(call->outer.depth, 0))
		self->caller = call->outer_caller;
	self->outer = call->outer;
	record->function = (uint16_t)function;
	record->kind = RECORD_CALL;
	record->result = result;
	record->start_ns = start_ns;
	record->end_ns = end_ns;
	record->has = correlation ? RECORD_HAS_CORRELATION : 0;
	record->correlation = correlation;
	record->arguments = arguments;
	record->numbers = numbers;
	record->context = context;
	record->serial = self->serial++;
	self->arguments = NULL; /* not for the next call */
	self->numbers = 0;
	clock_read_is_awaited = end_ns - start_ns >= READ_AFTER_NS;
	record->site = sites_capture(&call->caller, end_ns - start_ns);
	return record;
}

struct record *recorder_leave(int function, int result, int64_t start_ns,
			      const struct recorder_call *call)
{
	const struct recorder_thread *self = recorder_self();
	uint32_t correlation = self->at.correlation;

	if (!correlation)
		correlation = self->at.other_correlation;
	return record_call(function, result, start_ns, correlation, self->at.context, call);
}

/* Pushes a record of another kind than a call. Raises the depth, so that a signal handler that
 * calls CUDA does not fill in the same record; refuses inside such a handler. */
static bool push_with_caller(const struct record *filled, const struct caller *caller,
			     enum loss loss)
{
	struct recorder_thread *self = &recorder_thread;
	struct record *record;
	int depth = self->at.depth;

	if (depth == 2) {
		losses_count(loss, 1);
		return false;
	}
	self->at.depth = 2;
	atomic_signal_fence(memory_order_seq_cst);
	record = record_reserve(self);
	if (!record) {
		losses_count(loss, 1);
	} else {
		*record = *filled;
		if (caller)
			record->site = sites_capture(caller, filled->end_ns - filled->start_ns);
		commit_record(self);
	}
	atomic_signal_fence(memory_order_seq_cst);
	self->at.depth = depth;
	return record != NULL;
}

static bool push_beside_calls(const struct record *filled, enum loss loss)
{
	return push_with_caller(filled, NULL, loss);
}

void recorder_beside(const struct record *filled, const struct caller *caller, enum loss loss)
{
	if (recorder_is_on())
		push_with_caller(filled, caller, loss);
}

static COLD void push_overhead(struct recorder_thread *self)
{
	const struct record record = {.kind = RECORD_OVERHEAD,
				      .start_ns = self->overhead_start_ns,
				      .end_ns = self->overhead_end_ns};

	self->overhead_start_ns = 0;
	push_beside_calls(&record, LOSS_OVERHEAD);
}

void recorder_commit(void)
{
	struct recorder_thread *self = recorder_self();

	if (__builtin_expect(call_cost_is_measured(), 0) && self->ring)
		call_cost_note(ring_reserve(self->ring));
	commit_record(self);
	atomic_signal_fence(memory_order_seq_cst);
	self->at = self->outer;
	if (__builtin_expect(self->overhead_start_ns != 0, 0))
		push_overhead(self);
}

bool recorder_correlate_more(uint32_t correlation)
{
	struct recorder_thread *self = &recorder_thread;

	if (notice_left((uint64_t)__builtin_frame_address(0))) {
		self->is_in_driver_call = true;
		self->makes_node = false;
		return false;
	}
	if (correlation)
		push_beside_calls(&(struct record){.kind = RECORD_CORRELATION,
						   .correlation = correlation,
						   .serial = self->serial},
				  LOSS_CORRELATION);
	return true;
}

struct record *recorder_driver_record(int function, int result, int64_t start_ns,
				      uint32_t correlation, uint32_t context,
				      const struct caller *caller)
{
	const struct recorder_call call = {.caller = *caller};

	recorder_thread.is_in_driver_call = false;
	return record_call(function, result, start_ns, correlation, context, &call);
}

/* The call's own record will be this thread's next, with the current serial. */
void recorder_graph_node(const struct graph_node *node)
{
	const struct recorder_thread *self = &recorder_thread;
	/* Between windows calls have no record, and may not be seen to return. */
	bool has_call = self->at.depth ||
			(self->is_in_driver_call && atomic_load(&recorder_state) == RECORDER_ON);

	push_beside_calls(
		&(struct record){
			.kind = RECORD_GRAPH_NODE,
			.object = node->id,
			.src = node->source_id,
			.correlation = node->graph_id,
			.result = node->kind,
			.serial = has_call ? self->serial : RECORD_NO_CALL,
		},
		LOSS_CORRELATION);
}

void recorder_graph_edge(const struct graph_edge *edge)
{
	push_beside_calls(&(struct record){.kind = RECORD_GRAPH_EDGE,
					   .object = edge->from_id,
					   .src = edge->to_id,
					   .size_bytes = edge->kind,
					   .numbers = edge->from_port},
			  LOSS_GRAPH_EDGES);
}

void recorder_host_function(const struct host_function_run *run)
{
	int64_t end_ns = clock_now_ns();

	/* The writer decides whether it belongs to a window. */
	if (!recorder_is_on())
		return;
	push_beside_calls(
		&(struct record){
			.kind = RECORD_HOST_FUNCTION,
			.start_ns = run->start_ns,
			.end_ns = end_ns,
			.object = sites_word(run->function, 0),
			.stream = run->stream,
			.correlation = run->correlation,
		},
		LOSS_HOST_FUNCTION);
}

/* A ring's first record arms the exit handler, which must be registered after CUDA's. */
static bool has_ring(void)
{
	return recorder_thread.ring || atomic_load(&rings);
}

bool recorder_takes_ranges(void)
{
	return atomic_load_explicit(&recorder_state, memory_order_relaxed) == RECORDER_ON &&
	       has_ring();
}

bool recorder_range(const union range_record *range)
{
	return recorder_is_on() && has_ring() && push_beside_calls(&range->record, LOSS_RANGE);
}

_Atomic int64_t recorder_step_began_ns;

/* What the kernel has counted of this thread: page faults are among its reads. By system call: libstrace_touch.so interposes
 * libc's function. */
static void add_counts(struct record *step)
{
	const uint64_t block_bytes = 512; /* of ru_inblock */
	const int saved_errno = errno;
	struct rusage usage;

	if (syscall(SYS_getrusage, RUSAGE_THREAD, &usage)) {
		errno = saved_errno;
		return;
	}
	step->has = RECORD_HAS_SIZE;
	step->size_bytes = (uint64_t)usage.ru_inblock * block_bytes;
	step->numbers = (uint32_t)usage.ru_nivcsw;
}

void recorder_step(uint64_t number, int by)
{
	struct record step = {.kind = RECORD_STEP,
			      .copy_kind = (uint8_t)by,
			      .start_ns = clock_now_ns(),
			      .object = number};

	/* Steps are told before the first record, too: a program may have no call that a wrapper sees. */
	if (atomic_load_explicit(&recorder_state, memory_order_relaxed) != RECORDER_ON)
		return;
	add_counts(&step);
	atomic_store_explicit(&recorder_step_began_ns, step.start_ns, memory_order_relaxed);
	push_beside_calls(&step, LOSS_RANGE);
}

void recorder_clock_read(uintptr_t return_address)
{
	const struct recorder_thread *self = &recorder_thread;

	/* Clock readings by CUDA inside a call are not the program's. */
	if (self->at.depth || self->is_in_driver_call || !self->ring || !recorder_is_on())
		return;
	push_beside_calls(&(struct record){.kind = RECORD_CLOCK_READ,
					   .start_ns = clock_now_ns(),
					   .object = sites_word(return_address, 1)},
			  LOSS_CLOCK_READ);
}

struct ring *recorder_rings(void)
{
	return atomic_load(&rings);
}

void recorder_after_fork(void)
{
	if (atomic_load(&recorder_state) != RECORDER_OFF)
		atomic_store(&recorder_state, RECORDER_IDLE);
	atomic_store(&rings, NULL);
	rings_after_fork();
	/* The writer that may have looked at it is not here: ring_abandon() would wait for it. */
	if (recorder_thread.ring)
		atomic_store(&recorder_thread.ring->is_looked_at, false);
	recorder_thread.ring = NULL;
	recorder_thread.at.depth = 0;
}
