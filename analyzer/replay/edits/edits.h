/*
 * What fixes change in a run: the detectors' apply() make edits, a replay (timeline.h) and a bound
 * (bound.h) honour them.
 *
 * Operations, calls and host functions are those of the model's trace. One thread.
 */
#ifndef STREAMTRACE_EDITS_H
#define STREAMTRACE_EDITS_H

#include "base/vector.h"
#include "model/model.h"
#include "model/order.h"

enum operation_edit {
	EDIT_PIN = 1 << 0, /* it runs at the rate of copies of pinned memory */
	/* It writes to a second buffer: it does not wait for earlier users of its buffer. */
	EDIT_DOUBLE_BUFFER = 1 << 1,
	EDIT_DROP = 1 << 2,	/* it does not run: see edits_drop_operation() */
	EDIT_DURATION = 1 << 3, /* it takes edits.operations_ns */
	/* It is a node of a graph: it starts so long after what it runs after, or as it did where
	 * that is later: edits.between_nodes_ns */
	EDIT_NODE = 1 << 4,
	EDIT_OWN_QUEUE = 1 << 5, /* its stream shares no hardware queue: no other one delays it */
	/* A kernel whose blocks come before those that wait for room: it needs none to begin. */
	EDIT_PREFER = 1 << 6,
	EDIT_BEHIND = 1 << 7 /* it starts behind the end of edits.behind, too */
};

enum call_edit {
	EDIT_NO_WAIT = 1 << 0, /* it waits for nothing and takes the time that it takes when idle */
	EDIT_NARROW = 1 << 1,  /* it waits for edits.narrowed alone */
	EDIT_GONE = 1 << 2,    /* it is not made: it takes no time */
	EDIT_OWN_TIME = 1 << 3, /* it takes edits.calls_ns, beside what it waits */
	/* Its thread makes it right after the call before it, without the work between. */
	EDIT_NO_WORK = 1 << 4,
	/* With EDIT_NO_WORK: another thread does that work, from the return of edits.ahead on. */
	EDIT_WORK_AHEAD = 1 << 5,
	EDIT_SET_WORK = 1 << 6, /* the work between takes edits.works_ns, where that is less */
	EDIT_LESS_WORK = 1 << 7 /* that work takes edits.less_work_ns less */
};

enum host_function_edit {
	EDIT_TO_THREAD = 1 << 0, /* its stream does not wait for it */
	EDIT_AT_ONCE = 1 << 1,	 /* CUDA's thread need not be woken for it */
	EDIT_NOT_RUN = 1 << 2	 /* it takes no time and keeps nothing waiting */
};

#define NO_RECORD UINT32_MAX /* it waits for no event */

struct edits {
	uint8_t *operations;	/* enum operation_edit, by index in trace.operations */
	uint8_t *calls;		/* enum call_edit, by index in trace.calls */
	uint32_t *narrowed;	/* likewise: index in trace.operations; NULL: no EDIT_NARROW */
	int64_t *operations_ns; /* by index in trace.operations; NULL: no EDIT_DURATION */
	int64_t *calls_ns;	/* by index in trace.calls; NULL: no EDIT_OWN_TIME */
	int64_t *less_work_ns;	/* likewise; NULL: no EDIT_LESS_WORK */
	int64_t *works_ns;	/* likewise; NULL: no EDIT_SET_WORK */
	uint32_t *ahead;	/* likewise, indexes there; NULL: no EDIT_WORK_AHEAD */
	uint32_t *behind; /* by index in trace.operations, indexes there; NULL: no EDIT_BEHIND */
	/* By index in trace.event_waits: whose record it waits for, an index there plus one, or
	 * NO_RECORD; 0: its own, and so are all where it is NULL. */
	uint32_t *records;
	int64_t between_nodes_ns;
	uint8_t *host_functions; /* enum host_function_edit, by index in trace.host_functions */
	/* By index in model.operations: where it goes; an index in trace.streams, or
	 * trace.stream_count plus an index in added. NULL: all stay; see edits_stream_of(). */
	uint32_t *streams;
	VECTOR(struct order_added) added;
	enum rate_end pinned_end; /* at which end of its range EDIT_PIN takes the rate */
	/* For a high end, what the trace leaves open comes out for the better: kernels fill what
	 * the last waves of others leave, delays that no constraint explains do not come again, and
	 * engines take operations in the better of the two orders of schedule.h. */
	bool is_best_case;
};

/* The model must outlive them. */
struct edits *edits_create(const struct model *model);
void edits_free(struct edits *edits);

/* Where the operation runs, by index in model.operations; and makes it run there. */
static inline uint32_t edits_stream_of(const struct edits *edits, const struct model *model,
				       size_t operation)
{
	return edits->streams ? edits->streams[operation]
			      : (uint32_t)(model->operations[operation].operation->form->stream -
					   model->trace->streams);
}
void edits_move(struct edits *edits, const struct model *model, size_t operation, uint32_t stream);

/* A stream that takes over work of its parent, for edits.streams. */
uint32_t edits_add_stream(struct edits *edits, const struct model *model, uint32_t parent,
			  enum stream_flag flag);

void edits_pin(struct edits *edits, const struct model *model,
	       const struct trace_operation *operation);
void edits_double_buffer(struct edits *edits, const struct model *model,
			 const struct trace_operation *operation);

/* The stream waits for the event as it was recorded for an earlier wait; NULL: not at all. */
void edits_wait_for_earlier(struct edits *edits, const struct model *model,
			    const struct trace_event_wait *wait,
			    const struct trace_event_wait *earlier);

void edits_own_queue(struct edits *edits, const struct model *model,
		     const struct trace_operation *operation);

/* Of a kernel that takes little of the device: what it takes from others is left out. */
void edits_prefer(struct edits *edits, const struct model *model,
		  const struct trace_operation *operation);

/* The operation is issued behind the other one, which must not depend on it. */
void edits_issue_behind(struct edits *edits, const struct model *model,
			const struct trace_operation *operation,
			const struct trace_operation *other);

/* The operation does not run. It takes no time and no engine; what depended on it depends on its
 * own dependences instead. Its call is still made: see edits_drop_call(). */
void edits_drop_operation(struct edits *edits, const struct model *model,
			  const struct trace_operation *operation);

/* The duration of the operation, >= 0, whatever else is edited. */
void edits_set_duration(struct edits *edits, const struct model *model,
			const struct trace_operation *operation, int64_t duration_ns);

/* A dropped wait of a synchronize moves to the thread's next synchronize that stays, because the
 * host has to wait before it reads. The wait of a free moves to the next wait for the whole
 * device. The call is still made, and takes its own time: see edits_drop_call(). */
void edits_drop_wait(struct edits *edits, const struct model *model, const struct trace_call *call);

/* The call waits for the operation only. */
void edits_narrow_wait(struct edits *edits, const struct model *model,
		       const struct trace_call *call, const struct trace_operation *operation);

/* The call is not made. What it enqueued still runs, and reaches the device at once. */
void edits_drop_call(struct edits *edits, const struct model *model, const struct trace_call *call);

/* The duration of the call without its waits, >= 0; with its way back from them. */
void edits_set_call_time(struct edits *edits, const struct model *model,
			 const struct trace_call *call, int64_t own_ns);

/* The work that the call's thread did since its call before is not done. */
void edits_drop_work(struct edits *edits, const struct model *model, const struct trace_call *call);

/* It takes so much less: >= 0, added to what other edits take off it, up to all of it or 10 s. */
void edits_shorten_work(struct edits *edits, const struct model *model,
			const struct trace_call *call, int64_t less_ns);
/* That work takes so long, >= 0, or as long as it did where that is less; of two edits the shorter. */
void edits_set_work(struct edits *edits, const struct model *model, const struct trace_call *call,
		    int64_t work_ns);

void edits_drop_host_function(struct edits *edits, const struct model *model,
			      const struct trace_host_function *function);

/* The host function runs right behind what it waits for. */
void edits_run_at_once(struct edits *edits, const struct model *model,
		       const struct trace_host_function *function);

/* That work is done by another thread, which begins when the other call has returned. */
void edits_work_ahead(struct edits *edits, const struct model *model, const struct trace_call *call,
		      const struct trace_call *after);

/* The operation is launched as a node of a graph, with so long from node to node in all graphs. */
void edits_make_node(struct edits *edits, const struct model *model,
		     const struct trace_operation *operation, int64_t between_ns);

/* A number that edits of other changes, or with other rates of pinned copies, do not have, but for a
 * chance of 2^-128; the same changes can have several. */
struct edits_key {
	uint64_t first, second;
};
struct edits_key edits_key_of(const struct edits *edits, const struct model *model);

/* The same for the streams that the edits choose, for which events and host functions streams wait, and for
 * is_best_case. */
struct edits_key edits_streams_key_of(const struct edits *edits, const struct model *model);

/* Whether both make the same changes. */
bool edits_equal(const struct edits *a, const struct edits *b, const struct model *model);

#endif
