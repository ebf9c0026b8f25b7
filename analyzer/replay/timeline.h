/*
 * A timeline: the trace as a schedule, to compute how long the program would have taken without
 * some constraints.
 *
 * Host threads are chains of calls and of the host's own work between them, which stays as it was.
 * A call enqueues operations and may wait for some; operations run on engines. The constraints:
 * enqueueing, stream order and events, the legacy default stream's barrier, host waits, engines,
 * true dependences (model.h). The lag behind each constraint (a launch's way to the device, an
 * engine's switching, a call's return from a wait) is measured in the trace, for each operation and
 * call. So the unedited replay reproduces the trace, and the difference is its error.
 *
 * The time that the tracer added to calls and between them (model/tool_cost.h) is part of the
 * trace, but of no edited replay. Times are ns. One thread builds and frees a timeline; in between
 * replays may run in several threads at once.
 */
#ifndef STREAMTRACE_TIMELINE_H
#define STREAMTRACE_TIMELINE_H

#include "replay/edits/edits.h"

struct timeline;

/* Builds the timeline of a model, which must outlive it. Free by timeline_free(), which leaves the
 * model; no replay may then be running. */
struct timeline *timeline_build(const struct model *model);
void timeline_free(struct timeline *timeline);

/* Builds a timeline with only what evidence.h needs, which cannot be replayed. Free as above. */
struct timeline *timeline_build_waits(const struct model *model);

/* Frees the working memory that is kept for the next replay, which makes it anew: a third of a
 * report's memory. No replay may be running. */
void timeline_rest(const struct timeline *timeline);

/* The run's time in the trace: from the first start to the last end; with several windows the sum
 * of their times. */
int64_t timeline_measured_ns(const struct timeline *timeline);

/* The first start in the trace, by the trace's clock: the timeline's origin. */
int64_t timeline_begin_ns(const struct timeline *timeline);

/* The call that this one follows in replays: of its thread, or of one that handed it work or that its
 * thread may have been started by. The work before the call begins when that one returns. NULL: the
 * call is its thread's first, and nothing came before it. */
const struct trace_call *timeline_call_before(const struct timeline *timeline,
					      const struct trace_call *call);

/* Whether the trace tells what time the tracer added; whether CUPTI's part is known, too; and the
 * uncertainty of the added time, as a fraction of it. */
bool timeline_knows_tool(const struct timeline *timeline);
bool timeline_knows_cupti(const struct timeline *timeline);
double timeline_tool_doubt(const struct timeline *timeline);

/* Returns the duration of a replay with these edits. edits NULL: of the traced run. With edits,
 * even if they change nothing: of the run without the tracer, as far as the tracer's cost is known.
 * -1: the constraints form a cycle, so the trace is inconsistent. Any thread. */
int64_t timeline_replay(const struct timeline *timeline, const struct edits *edits);

/* The times of a replay, since the replay's beginning. */
struct timeline_times {
	struct span *operations;     /* by index in trace.operations */
	struct span *calls;	     /* by index in trace.calls */
	int64_t *waited_ns;	     /* by index in trace.calls: its time beyond its own time */
	struct span *host_functions; /* by index in trace.host_functions; zeros without a stream */
	int64_t *windows;	     /* only of a sample: each window's duration; otherwise NULL */
};

/* Like timeline_replay(); also fills in *times, with zeros if it returns -1. Free *times by
 * timeline_times_free() in both cases. */
int64_t timeline_replay_times(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times);
void timeline_times_free(struct timeline_times *times);

/* For tests: like timeline_replay_times(), with a schedule built for it alone. The arrays of *times
 * must have memory already, such as from timeline_replay_times(). */
int64_t timeline_replay_built(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times);

#endif
