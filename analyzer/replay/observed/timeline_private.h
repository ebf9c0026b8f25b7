/*
 * The inside of a timeline, for the modules that build it (timeline.c, waits.c, operation_lags.c,
 * joins.c, timeline_windows.c) or replay it. Times are ns. Once the timeline is built, only the
 * pool changes.
 *
 * timeline.c builds the timeline: first timeline_find_windows(); then timeline_find_joins() and
 * timeline_find_waits() on one thread, beside timeline_calibrate() on another; at last
 * timeline_find_tool_time(). timeline_build_waits() leaves out timeline_calibrate() and
 * timeline_find_tool_time().
 */
#ifndef STREAMTRACE_TIMELINE_PRIVATE_H
#define STREAMTRACE_TIMELINE_PRIVATE_H

#include "model/tool_cost.h"
#include "replay/edits/edits.h"

#define NO_CALL UINT32_MAX

/* A wait: the call returns no earlier than lag_ns after the end of an operation, or of a host
 * function's run. */
struct timeline_wait {
	uint32_t call;	    /* index in trace.calls */
	uint32_t operation; /* index in model.operations; for a host function: model.operation_count
			     * plus its index */
	int64_t lag_ns;	    /* may be negative: a copy that returns once it is staged */
	bool is_of_stream;  /* the call waits for everything in the operation's stream up to the
			     * operation */
};

struct timeline_call {
	uint32_t before; /* index of its thread's previous call; for a thread's first call, of the
			  * previous call of any thread; for a thread that only watches, of the
			  * previous call of those that work; NO_CALL: none */
	uint32_t joins;	 /* index in timeline.joins of its first join, if it has any */
	int64_t gap_ns; /* from the end of `before` to its start; may be negative if `before` is of another thread */
	int64_t own_ns; /* its duration if it waits for nothing */
	/* The time that the tracer added: to own_ns, to gap_ns, and after the call. */
	int64_t tool_ns, tool_gap_ns, tool_outside_ns;
	bool is_watching; /* the call's thread only watches (watchers.c) */
	/* If is_watching: the index of the thread's previous call, which the call also follows;
	 * NO_CALL: none. tool_gap_ns of such a call is all of gap_ns, so in replays with edits the
	 * call comes at once. After the last call of the threads that work tool_gap_ns is 0. */
	uint32_t watched_last;
};

/* A call that its thread made only after another thread had ended. Both members are indexes in
 * trace.calls. */
struct timeline_join {
	uint32_t call;
	uint32_t ended; /* the ended thread's call that returned last */
};

struct timeline_operation {
	int64_t enqueue_lag_ns;	     /* from its call's start until it can start */
	int64_t order_lag_ns;	     /* from the end of what it runs after until it can start */
	int64_t release_ns, tail_ns; /* as in struct schedule_work */
	/* A copy of the operation's duration, which is stored elsewhere. */
	int64_t duration_ns;
	uint32_t index;	 /* in trace.operations */
	uint32_t call;	 /* NO_CALL: none */
	uint32_t stream; /* index in trace.streams */
	uint32_t share, tail_share, engine;
	uint8_t kind; /* enum operation_kind */
	/* Which constraints the trace confirms: an operation that started before a constraint ended
	 * did not wait for it. */
	bool has_order, has_barrier, has_needs, has_reuses;
	/* Its call launches a graph, which is handed to the device when the tracer has prepared the
	 * records of its nodes. */
	bool is_of_graph;
	/* What came before it in its stream is the end of another call's graph. */
	bool is_behind_graph;
};

struct timeline_host_function {
	int64_t lag_ns; /* from the end of all that it waits for; 0 without a stream */
	bool has_order; /* as in struct timeline_operation */
};

struct replay_pool;  /* replay_pool.h */
struct replay_bases; /* replay_bases.h */

/* The time of a window of the recording, from its first activity; timeline_windows.c. */
struct timeline_window {
	int64_t start_ns, end_ns; /* since the timeline's origin; start > end: nothing happened */
};

/* The part of a sample that an operation belongs to. For window w (an index in trace.windows) part
 * 2 * w has the operations whose call counts, and part 2 * w + 1 those of the calls before
 * counted_call, which only run up to the counted calls. TIMELINE_NO_PART: the operation has no
 * call. */
#define TIMELINE_NO_PART UINT32_MAX

/* Of a sample's window in a replay: when the counted part begins, when what runs up to it has
 * ended, and when all has ended. */
struct timeline_part_ends {
	int64_t counted_ns, run_up_ns, all_ns;
};

struct timeline {
	const struct model *model;
	int64_t origin_ns, end_ns;
	struct timeline_window *windows; /* by index in trace.windows; NULL: at most one */
	/* Parts of a sample, by index in model.operations, then in trace.host_functions; otherwise
	 * NULL. */
	uint32_t *parts;
	struct timeline_call *calls; /* by index in trace.calls */
	struct timeline_join *joins; /* sorted by call, then the thread that ended last first */
	size_t join_count;
	/* By index in trace.functions: the typical duration of its calls that waited for nothing;
	 * -1: all waited. */
	int64_t *baselines_ns;
	struct timeline_operation *operations;	       /* by index in model.operations */
	struct timeline_host_function *host_functions; /* by index in trace.host_functions */
	bool has_host_engine;			       /* the trace's host functions ran one at a
						        * time */
	struct timeline_wait *waits;		       /* sorted by operation */
	size_t wait_count;
	uint32_t *to_model; /* by index in trace.operations: index in model.operations */
	uint32_t *given;    /* indexes in model.operations, sorted by start, then by index */
	const struct model_place *steps; /* owned by the model */
	size_t step_count;
	int64_t launch_lag_ns, order_lag_ns; /* typical enqueue_lag_ns and order_lag_ns */
	int64_t return_lag_ns; /* typical time from the end of what a call waits for to its
			        * return */
	double tool_doubt; /* uncertainty of what the tracer added, as a fraction of it */
	struct replay_pool *pool;
	struct replay_bases *bases;
};

/* Whether the index of a wait's `operation` stands for a host function. */
static inline bool timeline_is_function(const struct timeline *timeline, uint32_t operation)
{
	return operation >= timeline->model->operation_count;
}

/* timeline_windows.c. With several windows, each begins when it did, whatever the one before takes,
 * because nothing is known about the time between. The run's time is their sum. */
void timeline_find_windows(struct timeline *timeline);

/* The index in trace.windows of the time's window; 0 without windows. */
size_t timeline_window_of(const struct timeline *timeline, int64_t time_ns);

/* The sum of the windows' durations, if the windows end at these times since the timeline's origin;
 * ends_ns NULL: if they end as in the trace. */
int64_t timeline_sum_windows(const struct timeline *timeline, const int64_t *ends_ns);

/* Like timeline_sum_windows(), for a sample: weighted. by_window: receives each window's unweighted
 * duration; or NULL. */
int64_t timeline_sum_sample(const struct timeline *timeline, const struct timeline_part_ends *ends,
			    int64_t *by_window);

/* Finds what the calls wait for. Then calls timeline_find_own_times() and
 * timeline_find_return_lag(). */
void timeline_find_waits(struct timeline *timeline);

/* Sets own_ns of the calls, and baselines_ns. Only for timeline_find_waits(). has_waited: by index
 * in trace.calls, whether the call waited. */
void timeline_find_own_times(struct timeline *timeline, const bool *has_waited);

/* Sets return_lag_ns. Only for timeline_find_waits(), when the waits are sorted. */
void timeline_find_return_lag(struct timeline *timeline);

/* Finds the time that the tracer added to the calls and between them. Call when all else about the
 * calls is known. */
void timeline_find_tool_time(struct timeline *timeline);

/* Finds the joins. Call when the windows are known. */
void timeline_find_joins(struct timeline *timeline);

/* Lets calls behind waits for other threads follow the call that ended the wait. Call when each call has its thread's previous one. ends: as below. */
void timeline_chain_handovers(struct timeline *timeline, const uint32_t *ends);

/* Lets the calls of threads that only watch follow those of threads that work. Call when the joins
 * are known. ends: the indexes of all calls by their ends. */
void timeline_chain_watchers(struct timeline *timeline, const uint32_t *ends);

/* Whether the join (an index in timeline.joins) belongs to the call. To iterate over a call's
 * joins, start at calls[call].joins and go on while this is true. */
static inline bool timeline_is_join_of(const struct timeline *timeline, size_t join, uint32_t call)
{
	return join < timeline->join_count && timeline->joins[join].call == call;
}

/* Fills in the lags of operations and host functions, and the typical lags. Does not need the waits
 * of calls: it runs beside timeline_find_waits(). */
void timeline_calibrate(struct timeline *timeline);

#endif
