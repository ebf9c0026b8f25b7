/*
 * The trace as a schedule: what the program would have taken with some constraints out.
 *
 * Host threads are chains of calls and of the host's own work between them, which stays as it was.
 * A call enqueues operations and may wait for some; operations run on engines. The constraints:
 * enqueue, stream order and events, the legacy default stream's barrier, host waits, engines, true
 * dependences (model.h). What each constraint takes beyond the other's end (a launch's way to the
 * device, the change-over of an engine, a call's way back from a wait) is measured in the trace,
 * operation by operation and call by call: the unedited replay lands on the trace, and says by how
 * much it does not.
 */
#ifndef STREAMTRACE_TIMELINE_H
#define STREAMTRACE_TIMELINE_H

#include "model/model.h"
#include "model/order.h"

enum operation_edit {
	EDIT_PIN = 1 << 0,	    /* it runs at the rate of copies of pinned memory */
	EDIT_DOUBLE_BUFFER = 1 << 1 /* what it writes has a buffer of its own:
				       model_operation.reuses falls away */
};

enum call_edit {
	EDIT_NO_WAIT = 1 << 0, /* it waits for nothing, and takes what it takes when idle */
	EDIT_NARROW = 1 << 1,  /* it waits for edits.narrowed alone */
	EDIT_GONE = 1 << 2     /* it is not made: it takes no time */
};

enum host_function_edit {
	EDIT_TO_THREAD = 1 << 0 /* its stream does not wait for it */
};

/* What fixes change. */
struct edits {
	uint8_t *operations;	 /* enum operation_edit, by index in trace.operations */
	uint8_t *calls;		 /* enum call_edit, by index in trace.calls */
	uint32_t *narrowed;	 /* likewise: index in trace.operations */
	uint8_t *host_functions; /* enum host_function_edit, by index in trace.host_functions */
	/* By index in model.operations: where it goes; an index in trace.streams, or
	 * trace.stream_count plus an index in added. */
	uint32_t *streams;
	struct order_added *added;
	size_t added_count, added_capacity;
};

struct edits *edits_create(const struct model *model);

/* A stream that takes over work of its parent, for edits.streams. */
uint32_t edits_add_stream(struct edits *edits, const struct model *model, uint32_t parent,
			  enum stream_flag flag);

void edits_pin(struct edits *edits, const struct model *model,
	       const struct trace_operation *operation);
void edits_double_buffer(struct edits *edits, const struct model *model,
			 const struct trace_operation *operation);
/* A dropped wait of a synchronize moves to the thread's next one that stays: somewhere the host has
 * to wait before it reads. What a free waited for moves to a wait for the whole device. */
void edits_drop_wait(struct edits *edits, const struct model *model, const struct trace_call *call);

/* The call waits for the operation only. */
void edits_narrow_wait(struct edits *edits, const struct model *model,
		       const struct trace_call *call, const struct trace_operation *operation);

/* The call is not made. */
void edits_drop_call(struct edits *edits, const struct model *model, const struct trace_call *call);

/* Whether they change the same things to the same. */
bool edits_equal(const struct edits *a, const struct edits *b, const struct model *model);

void edits_free(struct edits *edits);

struct timeline;

/* Both belong to the caller; the model must outlive the timeline. */
struct timeline *timeline_build(const struct model *model);
void timeline_free(struct timeline *timeline);

/* Gives back the memory that the next replay would work in: a third of all there is. */
void timeline_rest(const struct timeline *timeline);

/* From the first start to the last end, in the trace. */
int64_t timeline_measured_ns(const struct timeline *timeline);

/* The same with the edits, NULL for none. -1 when the constraints form a
 * circle, which says that the trace is not what it seems. */
int64_t timeline_replay(const struct timeline *timeline, const struct edits *edits);

/* When everything happens in a replay, since its beginning. */
struct timeline_times {
	struct span *operations;     /* by index in trace.operations */
	struct span *calls;	     /* by index in trace.calls */
	int64_t *waited_ns;	     /* likewise: beyond what the call takes by itself */
	struct span *host_functions; /* by index in trace.host_functions; zeros without a stream */
};

/* The same; fills in times, with zeros where it returns -1. */
int64_t timeline_replay_times(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times);
void timeline_times_free(struct timeline_times *times);

#endif
