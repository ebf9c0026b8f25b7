/*
 * The recorder: takes each call from the wrappers and CUPTI's callbacks into the thread's ring.
 *
 *     call.caller = CALLER_HERE();
 *     start_ns = recorder_enter(&call, function);
 *     if (!start_ns)
 *             return real(...);                    // off, or inside another wrapped call
 *     result = real(...);
 *     record = recorder_leave(function, result, start_ns, &call);
 *     if (record) { ...fill in arguments...; recorder_commit(); }
 *
 * Runs on the program's threads: once a thread has its ring, no lock, no system call, no
 * allocation. errno is left alone. What cannot be recorded is counted (base/losses.h), and the
 * program's call goes on. The recorder knows nothing of CUDA, the file or the writer thread:
 * life/lifecycle.c connects the recorder to them by hooks and reads recorder_rings().
 */
#ifndef STREAMTRACE_RECORDER_H
#define STREAMTRACE_RECORDER_H

#include "base/hot.h"
#include "facts/facts.h"
#include "recorder/call_cost.h"
#include "recorder/record.h"
#include "recorder/ring.h"
#include "stack/caller.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum recorder_state {
	RECORDER_IDLE, /* no call yet: the first call starts the tracing */
	RECORDER_ON,
	RECORDER_PAUSED, /* between two windows (windows.h) */
	RECORDER_OFF	 /* not wanted, failed to start, or stopped */
};

extern _Atomic int recorder_state;

/* Callbacks for rare events. Any thread; several threads may call one at once. */
struct recorder_hooks {
	/* A call came in state RECORDER_IDLE. Must start the tracing (recorder_begin()), or wait
	 * until another thread has. May lock and allocate. */
	void (*first_call)(void);
	/* A thread got its ring, for its first record. Its call has returned, so CUDA is
	 * initialized. May lock and allocate. */
	void (*first_record)(void);
	/* A thread has filled RING_WAKE_SEGMENTS segments since the last time: the rings should be
	 * read. Also in signal handlers: no lock, no allocation; leaves errno alone. */
	void (*segments_filled)(void);
};

/* Call once, in the constructor; *hooks must stay valid. False: a constructor of another library
 * has made calls before; they are counted as lost. */
bool recorder_set_hooks(const struct recorder_hooks *hooks);

/* A thread's state between recorder_enter() and recorder_commit(). */
struct recorder_position {
	/* 0: outside of wrapped calls; 1: inside one (calls of the runtime into itself are not
	 * recorded); 2: its record is being filled in. */
	int depth;
	uint32_t correlation; /* first correlation id of an operation since recorder_enter(); 0:
			       * none */
	uint32_t other_correlation; /* first id of a driver call that makes no operation; 0: none */
	uint32_t context;	    /* the context of other_correlation's call; 0: none */
};

/* A running call, in its wrapper's stack frame. recorder_enter() sets the second and third. */
struct recorder_call {
	struct caller caller;
	struct recorder_position outer; /* position in the call around this one; depth 0: there is
					 * none */
	struct caller outer_caller;	/* caller of the call around this one, if outer.depth is not
					 * 0 */
};

/* The slow path of recorder_enter(): starts the tracing. True: the recorder is on now. */
COLD bool recorder_start(void);

/* Changes the state from idle to paused; for the first_call hook. False: the recorder was stopped
 * meanwhile, and stays off. */
bool recorder_begin(void);

/* Ends the recording for good. Returns whether the recorder was on or paused before. Any thread. */
bool recorder_stop(void);
/* Whether the recorder is on or paused. Any thread. */
static inline bool recorder_is_on(void)
{
	int state = atomic_load_explicit(&recorder_state, memory_order_relaxed);

	return state == RECORDER_ON || state == RECORDER_PAUSED;
}

/* Wakes the writer thread. Any thread, in signal handlers too. */
void recorder_wake_writer(void);
/* is_paused: changes the state from on to paused; false: from paused to on. No effect in other
 * states. Any thread. */
void recorder_pause(bool is_paused);

/* How often recorder_pause(false) was called. */
extern _Atomic uint32_t recorder_resumed;

/* Thread-local. Initial-exec: the library is loaded from the program's start. */
struct recorder_thread {
	struct ring *ring; /* NULL until the first record */
	struct recorder_position at;
	struct recorder_position outer; /* becomes `at` when the record is committed */
	struct caller
		caller; /* of the running wrapped call, while depth is 1; likewise these two */
	int64_t entered_ns;
	int function;
	uint64_t serial;	/* of the thread's next call record (record.h) */
	struct atom *arguments; /* of the running launch, for its record; or NULL */
	uint32_t numbers;	/* of the running call, for its record's numbers */
	bool is_in_driver_call; /* the running driver call will get a record of its own */
	bool makes_node;	/* the running call was captured into a graph, or makes a node */
	bool is_starting; /* in recorder_start(): a signal handler that interrupts it must not wait
			   * for it */
	/* When the tracer did extra work for the call whose record is being filled in; start 0:
	 * none. */
	int64_t overhead_start_ns, overhead_end_ns;
};

extern __thread struct recorder_thread recorder_thread __attribute__((tls_model("initial-exec")));

/* &recorder_thread, in a register: the compiler would calculate it for each use. */
static inline struct recorder_thread *recorder_self(void)
{
	struct recorder_thread *self = &recorder_thread;

	__asm__("" : "+r"(self));
	return self;
}

/* The notes (RING_NOTES_BYTES) of the calling thread's ring, which preload/content uses. The notes
 * may still hold what an earlier thread wrote that had the ring. NULL: the thread has no ring. */
static inline void *recorder_notes(void)
{
	return recorder_thread.ring ? recorder_thread.ring->notes : NULL;
}

/* recorder_enter() while the recorder is on or idle. */
HOT int64_t recorder_enter_on(struct recorder_call *call, int function);

/* Call before the real function, with call->caller filled in; function: enum function. Returns when the call begins, in ns of
 * CLOCK_REALTIME: record the call; the caller must then call recorder_leave(), and keep *call until
 * recorder_leave() returns. 0: do not record. */
static inline int64_t recorder_enter(struct recorder_call *call, int function)
{
	int state = atomic_load_explicit(&recorder_state, memory_order_relaxed);

	return state == RECORDER_ON || state == RECORDER_IDLE ? recorder_enter_on(call, function)
							      : 0;
}

/* Call right after the real function. Returns the call's record, complete but for the arguments:
 * fill them in, then call recorder_commit(). NULL: not recorded, since the ring is full (counted)
 * or the recorder was stopped; do not commit. */
HOT struct record *recorder_leave(int function, int result, int64_t start_ns,
				  const struct recorder_call *call);

/* Hands the record that recorder_leave() or recorder_driver_record() returned to the writer. */
HOT void recorder_commit(void);

/* The slow path of recorder_correlate(), for a wrapped call that has an id already. correlation:
 * the id of a further operation; 0: a further driver call. False: the thread has left the wrapped
 * call by longjmp() or an exception. */
bool recorder_correlate_more(uint32_t correlation);

/* For CUPTI's callbacks, at the entry of a driver call with this correlation id in this context.
 * is_of_operation: operations will have the id. True: the wrapped call around takes the id. False:
 * there is no wrapped call; when the driver call returns, take a record by
 * recorder_driver_record(). */
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

/* Call when a driver call without a wrapper around it has returned. caller: where the program made
 * the call. Returns a record or NULL, like recorder_leave(). */
struct record *recorder_driver_record(int function, int result, int64_t start_ns,
				      uint32_t correlation, uint32_t context,
				      const struct caller *caller);

/* Call while a record is filled in: notes that the tracer did extra work for that call between
 * these times, so that nobody takes the work for the program's. The call's cost is then not
 * measured. */
static inline void recorder_overhead(int64_t start_ns, int64_t end_ns)
{
	recorder_thread.overhead_start_ns = start_ns;
	recorder_thread.overhead_end_ns = end_ns;
	call_cost.since_ns = 0;
}

/* A graph node made by the running call of this thread. */
struct graph_node {
	uint64_t id, source_id; /* source_id: the node it was cloned from, or 0 */
	uint32_t graph_id;
	int kind; /* CUgraphNodeType */
};
/* Records the node. If there is no room, counts a loss. */
void recorder_graph_node(const struct graph_node *node);

/* An edge of a graph: the columns of graph_edges. */
struct graph_edge {
	uint64_t from_id, to_id;
	uint32_t kind, from_port;
};
/* Records the edge. If there is no room, counts a loss. */
void recorder_graph_edge(const struct graph_edge *edge);

/* A host function that has just ended on the calling thread. */
struct host_function_run {
	int64_t start_ns;
	uint64_t function, stream;
	uint32_t correlation; /* of the call that enqueued, captured or added the function */
};
/* Records the run, which ends now. If there is no room, counts a loss. */
void recorder_host_function(const struct host_function_run *run);

/* Records the begin or end of a range on this thread. False: the record was lost (counted), the
 * recorder is off, or no call was recorded yet, so that CUDA may not be initialized. */
bool recorder_range(const union range_record *range);

/* Records that the thread has read a clock; for clock_reads_tell() (base/clock_reads.h). */
void recorder_clock_read(uintptr_t return_address);

/* Records *filled, a record of another kind than a call (record.h), unless the recorder is off.
 * caller: where the stack to record begins; NULL: record no stack. If there is no room for the
 * record, counts a loss of kind `loss`. */
void recorder_beside(const struct record *filled, const struct caller *caller, enum loss loss);

/* In watch mode: when the last step began that is known, of CLOCK_REALTIME; 0: none. Any thread. */
extern _Atomic int64_t recorder_step_began_ns;
/* In watch mode: records that a step begins on this thread. by: enum watch_steps_by (facts/watch_page.h). */
void recorder_step(uint64_t number, int by);

/* What a thread that has been in one wrapped call for long is in. */
struct recorder_running {
	uint64_t serial; /* of the call, in its thread */
	int64_t entered_ns;
	struct caller caller;
	int function;
};

/* Whether the ring's thread is in a wrapped call now, which *running then describes. Where the call began a moment
 * ago, entered_ns can be of the call before. Writer thread. */
bool recorder_running(struct ring *ring, struct recorder_running *running);

/* Whether a range that begins now would be recorded: the recorder is on, and not paused. */
bool recorder_takes_ranges(void);

/* The list of all rings, newest first; follow ring->next. Any thread: a ring is never freed. */
struct ring *recorder_rings(void);

/* Call in a forked child: forgets the parent's rings. Unless the recorder was off, the child's
 * first call starts it. */
void recorder_after_fork(void);

#endif
