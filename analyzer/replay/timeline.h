/*
 * The trace as a schedule: how long the program would have taken without some constraints.
 *
 * Host threads are chains of calls and of the host's own work between them, which stays as it was.
 * A call enqueues operations and may wait for some; operations run on engines. The constraints:
 * enqueue, stream order and events, the legacy default stream's barrier, host waits, engines, true
 * dependences (model.h). What each constraint takes beyond the other's end (a launch's way to the
 * device, the change-over of an engine, a call's way back from a wait) is measured in the trace,
 * operation by operation and call by call: the unedited replay reproduces the trace, and the
 * difference is its error.
 *
 * What the tracer added to calls and between them (model/tool_cost.h) is a part of the trace, and
 * of no edited replay.
 */
#ifndef STREAMTRACE_TIMELINE_H
#define STREAMTRACE_TIMELINE_H

#include "replay/edits/edits.h"

struct timeline;

/* Both belong to the caller; the model must outlive the timeline. */
struct timeline *timeline_build(const struct model *model);
void timeline_free(struct timeline *timeline);

/* What evidence.h takes of it: it cannot be replayed. */
struct timeline *timeline_build_waits(const struct model *model);

/* Frees the working memory of the next replay: a third of all. */
void timeline_rest(const struct timeline *timeline);

/* From the first start to the last end, in the trace. */
int64_t timeline_measured_ns(const struct timeline *timeline);

/* That first start, by the trace's clock. */
int64_t timeline_begin_ns(const struct timeline *timeline);

/* Whether the trace says what the tracer added to it, and whether that includes CUPTI's part; so
 * large a share of it may be more, or less. */
bool timeline_knows_tool(const struct timeline *timeline);
bool timeline_knows_cupti(const struct timeline *timeline);
double timeline_tool_doubt(const struct timeline *timeline);

/* The same in a replay. NULL: of the run as it was traced. With edits, none among them or some: of
 * the run without the tracer, as far as the trace says what that added. -1 when the constraints form
 * a cycle: the trace is inconsistent. */
int64_t timeline_replay(const struct timeline *timeline, const struct edits *edits);

/* When everything happens in a replay, since its beginning. */
struct timeline_times {
	struct span *operations;     /* by index in trace.operations */
	struct span *calls;	     /* by index in trace.calls */
	int64_t *waited_ns;	     /* likewise: beyond what the call takes by itself */
	struct span *host_functions; /* by index in trace.host_functions; zeros without a stream */
	int64_t *windows;	     /* of a sample: how long each took; else NULL */
};

/* The same; fills in times, with zeros where it returns -1. */
int64_t timeline_replay_times(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times);
void timeline_times_free(struct timeline_times *times);

/* The same as timeline_replay_times() with a schedule of its own, for tests: the times have memory
 * already. */
int64_t timeline_replay_built(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times);

#endif
