/*
 * The recorder: what the wrappers and CUPTI's callbacks tell, once a call.
 *
 *     call.caller = CALLER_HERE();
 *     if (!recorder_enter(&call))
 *             return real(...);                    // off, or inside another wrapped call
 *     start_ns = clock_now_ns();
 *     result = real(...);
 *     record = recorder_leave(function, result, start_ns, &call);
 *     if (record) { ...fill in arguments...; recorder_commit(); }
 *
 * Runs on the program's threads: no lock, no system call, no allocation once a thread has its ring;
 * errno is left as it was. What cannot be recorded is counted (base/losses.h), and the program's
 * call goes on. It knows nothing of CUDA, of the file or of the writer thread: whoever owns those
 * sets hooks (life/lifecycle.c) and reads the rings through recorder_rings().
 */
#ifndef STREAMTRACE_RECORDER_H
#define STREAMTRACE_RECORDER_H

#include "facts/facts.h"
#include "recorder/call_cost.h"
#include "recorder/record.h"
#include "recorder/ring.h"
#include "stack/caller.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum recorder_state {
	RECORDER_IDLE, /* nothing happened yet: the first call starts the tracing */
	RECORDER_ON,
	RECORDER_PAUSED, /* between two windows: see windows.h */
	RECORDER_OFF	 /* not wanted, could not start, or stopped */
};

extern _Atomic int recorder_state;

/* What the recorder calls, outside the path of most calls. Any thread; several may ask at once. */
struct recorder_hooks {
	/* A call came while the recorder is idle. Starts the tracing (recorder_begin()), or waits
	 * until another thread has. May lock and allocate. */
	void (*first_call)(void);
	/* The first record of a thread. Its call has returned, so CUDA is initialized. May lock and
	 * allocate. */
	void (*first_record)(void);
	/* A thread has filled some segments since the last time: the rings are to be read. In signal
	 * handlers too: no lock, no allocation; leaves errno alone. */
	void (*segments_filled)(void);
};

/* Once, by the constructor; `hooks` must stay. False: another library's constructor has made calls
 * before, which are counted, not recorded. */
bool recorder_set_hooks(const struct recorder_hooks *hooks);

/* Where a thread stands between recorder_enter() and recorder_commit(). */
struct recorder_position {
	/* 1 inside a wrapped call: calls of the runtime into itself are not the program's; 2 while
	 * the record is filled in. */
	int depth;
	uint32_t correlation; /* first operation's correlation id since recorder_enter(), 0 none */
	uint32_t other_correlation; /* the same of a driver call that makes no operation */
	uint32_t context;	    /* in which that was made; 0 none */
};

/* A call under way, in its wrapper's frame. */
struct recorder_call {
	struct caller caller;
	struct recorder_position outer; /* of the call that this one was made inside of */
	struct caller outer_caller;	/* that call's, where outer.depth is not 0 */
};

/* The slow half of recorder_enter(): starts the tracing. True when the recorder is on then. */
bool recorder_start(void);

/* From idle to paused, by the first_call hook; false when it was stopped meanwhile. */
bool recorder_begin(void);

/* Ends the recording for good; true when it was under way until now. Any thread, one exchange. */
bool recorder_stop(void);
/* On or paused. */
static inline bool recorder_is_on(void)
{
	int state = atomic_load_explicit(&recorder_state, memory_order_relaxed);

	return state == RECORDER_ON || state == RECORDER_PAUSED;
}

/* Has the writer thread look for work. Any thread, in signal handlers too. */
void recorder_wake_writer(void);
/* From on to paused or back; no change in the other states. */
void recorder_pause(bool is_paused);

/* How often it was to go from paused to on. */
extern _Atomic uint32_t recorder_resumed;

/* One a thread. Initial-exec: the library is there from the program's start. */
struct recorder_thread {
	struct ring *ring; /* NULL until the first record */
	struct recorder_position at;
	struct recorder_position outer; /* what `at` becomes once the record is committed */
	struct caller caller;		/* of the wrapped call under way, while the depth is 1 */
	uint64_t serial;
	struct atom *arguments; /* of the launch under way, for its record; or NULL */
	uint32_t numbers;	/* likewise, as in the record */
	bool is_in_driver_call; /* that will have a record of its own */
	bool makes_node;	/* the call under way was captured into a graph, or makes one */
	/* What the tracer did for the call whose record is filled in, apart; start 0: nothing. */
	int64_t overhead_start_ns, overhead_end_ns;
};

extern __thread struct recorder_thread recorder_thread __attribute__((tls_model("initial-exec")));

/* RING_NOTES_BYTES for the content room, of which the thread that had the ring before has left what it
 * knew. NULL: the thread has no ring. */
static inline void *recorder_notes(void)
{
	return recorder_thread.ring ? recorder_thread.ring->notes : NULL;
}

/* Inside a wrapped call: false for the runtime's calls into itself. True for the program's own:
 * from a signal handler, or after siglongjmp() or an exception has left the call. */
bool recorder_enter_again(struct recorder_call *call);

/* True when the call is to be recorded; then recorder_leave() must follow. call->caller is filled
 * in before, and `call` stays until recorder_leave() has returned. */
static inline __attribute__((always_inline)) bool recorder_enter(struct recorder_call *call)
{
	int state = atomic_load_explicit(&recorder_state, memory_order_relaxed);

	if (__builtin_expect(state != RECORDER_ON, 0) &&
	    (state != RECORDER_IDLE || !recorder_start()))
		return false;
	call->outer = (struct recorder_position){0};
	if (__builtin_expect(recorder_thread.at.depth, 0) && !recorder_enter_again(call))
		return false;
	call_cost_begin();
	recorder_thread.at = (struct recorder_position){.depth = 1};
	recorder_thread.caller = CALLER_HERE();
	recorder_thread.arguments = NULL;
	recorder_thread.numbers = 0;
	recorder_thread.makes_node = false;
	return true;
}

/* The call has returned now: its record, complete but for the arguments, for recorder_commit().
 * NULL: the ring is full, which is counted, or the recorder was stopped meanwhile. */
struct record *recorder_leave(int function, int result, int64_t start_ns,
			      const struct recorder_call *call);

void recorder_commit(void);

/* The slow half of recorder_correlate(): the wrapped call has another operation's id, or with 0 another one of
 * a driver call. False: the thread has left that call, by longjmp() or an exception. */
bool recorder_correlate_more(uint32_t correlation);

/* CUPTI's side. The driver call under way on this thread, in this context, has this correlation id,
 * which operations will have or not. True when a wrapped call around it takes the id; false when the
 * driver call needs a record of its own, which recorder_driver_record() gives when it returns. */
static inline bool recorder_correlate(uint32_t correlation, uint32_t context, bool is_of_operation)
{
	struct recorder_thread *self = &recorder_thread;

	self->is_in_driver_call = self->at.depth == 0;
	if (self->is_in_driver_call) {
		self->makes_node = false;
		return false;
	}
	if (!is_of_operation && !self->at.other_correlation) {
		self->at.other_correlation = correlation;
		self->at.context = context;
	} else if (is_of_operation && !self->at.correlation) {
		self->at.correlation = correlation;
	} else {
		return recorder_correlate_more(is_of_operation ? correlation : 0);
	}
	return true;
}

struct record *recorder_driver_record(int function, int result, int64_t start_ns,
				      uint32_t correlation, uint32_t context,
				      const struct caller *caller);

/* While a record is filled in: the tracer was busy for its call between these times, which are not to
 * be taken for the program's. The call is not one of which the cost is measured then. */
static inline void recorder_overhead(int64_t start_ns, int64_t end_ns)
{
	recorder_thread.overhead_start_ns = start_ns;
	recorder_thread.overhead_end_ns = end_ns;
	call_cost.since_ns = 0;
}

/* A node of a graph that the call under way on this thread made. */
struct graph_node {
	uint64_t id, source_id; /* source_id: what it was cloned from, or 0 */
	uint32_t graph_id;
	int kind; /* CUgraphNodeType */
};
void recorder_graph_node(const struct graph_node *node);

/* A host function that has ended now, on the calling thread. */
struct host_function_run {
	int64_t start_ns;
	uint64_t function, stream;
	uint32_t correlation; /* of the call that enqueued, captured or added it */
};
void recorder_host_function(const struct host_function_run *run);

/* The begin or the end of a range, of this thread. False: it is lost, which is counted, or the recorder is
 * neither on nor paused, or no call has been recorded yet, so that CUDA may not be initialized. */
bool recorder_range(const union range_record *range);

/* The thread has read a clock: base/clock_reads.h. */
void recorder_clock_read(uintptr_t return_address);

/* A record beside those of calls, of kind, times and fields as record.h has them. caller: where its stack
 * begins; NULL: without one. Not while the recorder is off, nor before the tracing began. */
void recorder_beside(const struct record *filled, const struct caller *caller, enum loss loss);

/* Whether the recorder is on, and would take a range. */
bool recorder_takes_ranges(void);

/* Every ring there is, newest first; follow ring->next. Writer thread. */
struct ring *recorder_rings(void);

/* In a forked child: forgets the parent's rings; unless the recorder was off, the child's own first
 * call starts it. */
void recorder_after_fork(void);

#endif
