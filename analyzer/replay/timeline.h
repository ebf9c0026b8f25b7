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

#include "model.h"

/* What a fix changes: bits by index in model.operations and in trace.calls. */
enum edit {
	EDIT_FREE_STREAM = 1 << 0,  /* operation: only true dependences order it in its stream */
	EDIT_FREE_BARRIER = 1 << 1, /* operation: the default stream's barrier does not hold it */
	EDIT_PIN = 1 << 2,	    /* operation: runs at the pinned rate */
	EDIT_NO_WAIT = 1 << 3	    /* call: waits for nothing, and takes what it takes when idle */
};

struct edits {
	uint8_t *operations, *calls;
};

struct timeline;

/* Both belong to the caller; the model must outlive the timeline. */
struct timeline *timeline_build(const struct model *model);
void timeline_free(struct timeline *timeline);

/* From the first start to the last end, in the trace. */
int64_t timeline_measured_ns(const struct timeline *timeline);

/* The same with the edits, NULL for none: never more than without. -1 when the constraints form a
 * circle, which says that the trace is not what it seems. */
int64_t timeline_replay(const struct timeline *timeline, const struct edits *edits);

#endif
