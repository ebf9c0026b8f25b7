/*
 * A timeline: the trace as a schedule, to compute how long the program would have taken without
 * some constraints.
 *
 * Host threads are chains of calls and of the host's own work between them, which stays as it was.
 * A call enqueues operations and may wait for some; operations run on engines. The constraints:
 * enqueueing, stream order and events, the legacy default stream's barrier, host waits, engines,
 * true dependences (model.h). How long each takes beyond its end (a launch's way to the device, an
 * engine's switching, a call's return from a wait) is measured in the trace, for each operation and
 * call. So the unedited replay reproduces the trace, and the difference is its error.
 *
 * What the tracer added to calls and between them (model/tool_cost.h) is part of the trace, but of
 * no edited replay. One thread builds it; replays may run in several threads at once.
 */
#ifndef STREAMTRACE_TIMELINE_H
#define STREAMTRACE_TIMELINE_H

#include "replay/edits/edits.h"

struct timeline;

/* Free by timeline_free(). The model must outlive it. */
struct timeline *timeline_build(const struct model *model);
void timeline_free(struct timeline *timeline);

/* Builds only what evidence.h needs: it cannot be replayed. */
struct timeline *timeline_build_waits(const struct model *model);

/* Frees the working memory kept for the next replay: a third of all. No replay may be running. */
void timeline_rest(const struct timeline *timeline);

/* From the first start to the last end in the trace. */
int64_t timeline_measured_ns(const struct timeline *timeline);

/* That first start, by the trace's clock. */
int64_t timeline_begin_ns(const struct timeline *timeline);

/* Whether the trace tells what the tracer added; whether including CUPTI's part; and the
 * uncertainty of it, as a fraction. */
bool timeline_knows_tool(const struct timeline *timeline);
bool timeline_knows_cupti(const struct timeline *timeline);
double timeline_tool_doubt(const struct timeline *timeline);

/* The duration of a replay with these edits. NULL: of the traced run. Edits, even without any
 * change: of the run without the tracer, as far as its cost is known. -1: the constraints form a
 * cycle, so the trace is inconsistent. Any thread. */
int64_t timeline_replay(const struct timeline *timeline, const struct edits *edits);

/* The times of a replay, since its beginning. */
struct timeline_times {
	struct span *operations;     /* by index in trace.operations */
	struct span *calls;	     /* by index in trace.calls */
	int64_t *waited_ns;	     /* by index in trace.calls: time beyond the call's own */
	struct span *host_functions; /* by index in trace.host_functions; zeros without a stream */
	int64_t *windows;	     /* only of a sample: each window's duration; otherwise NULL */
};

/* Like timeline_replay(); also fills in *times (zeros if it returns -1), to be freed by
 * timeline_times_free(). */
int64_t timeline_replay_times(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times);
void timeline_times_free(struct timeline_times *times);

/* For tests: like timeline_replay_times(), with a schedule of its own. *times must have memory
 * already. */
int64_t timeline_replay_built(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times);

#endif
