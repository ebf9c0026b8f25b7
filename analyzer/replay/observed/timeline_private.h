/*
 * A timeline from inside: for what builds it (timeline.c, waits.c, calibrate.c, joins.c, windows.c) and
 * for what replays it. Times are ns. One thread builds it; nothing but the pool changes afterwards.
 */
#ifndef STREAMTRACE_TIMELINE_PRIVATE_H
#define STREAMTRACE_TIMELINE_PRIVATE_H

#include "model/tool_cost.h"
#include "replay/edits/edits.h"

#define NO_CALL UINT32_MAX

/* A call that takes longer than this, and returns this soon after an operation's end, has waited
 * for it, whatever its class: a full launch queue, an allocation that makes the driver wait. Less
 * happens by chance: to 4 of the 49 launches of pageable_copy on an H100, which took 30 us or more
 * while the end of a staged copy was still under way. */
#define TIMELINE_SURPRISE_NS 20000

/* A call that returns no earlier than lag_ns after the end of an operation, or of a host function's
 * run. */
struct timeline_wait {
	uint32_t call;
	uint32_t operation; /* index in model.operations; a host function's run: behind them all,
			       model.operation_count plus its index */
	int64_t lag_ns;	    /* may be negative: a copy that returns when it is staged */
	bool is_of_stream;  /* it waits for all that was in the operation's stream by then */
};

struct timeline_call {
	uint32_t before; /* the call of the same thread before it; of any thread for its first */
	uint32_t joins;	 /* of the threads that ended before it, the first in timeline.joins */
	int64_t gap_ns;	 /* from that one's end to its start; negative between threads */
	int64_t own_ns;	 /* what it takes when it waits for nothing */
	/* What the tracer added: of own_ns, of gap_ns, and behind the call. */
	int64_t tool_ns, tool_gap_ns, tool_outside_ns;
};

/* A call that its thread made only when another thread had ended. */
struct timeline_join {
	uint32_t call;
	uint32_t ended; /* the last call of that thread to return */
};

struct timeline_operation {
	int64_t enqueue_lag_ns;	     /* from its call's start */
	int64_t order_lag_ns;	     /* from the end of what it runs after */
	int64_t release_ns, tail_ns; /* see struct schedule_work */
	/* Of the operation, which lies elsewhere. */
	int64_t duration_ns;
	uint32_t index;	 /* in trace.operations */
	uint32_t call;	 /* NO_CALL: none */
	uint32_t stream; /* index in trace.streams */
	uint32_t share, tail_share, engine;
	uint8_t kind; /* enum operation_kind */
	/* Which constraints the trace confirms: an operation that started before one had fallen did
	 * not wait for it. */
	bool has_order, has_barrier, has_needs, has_reuses;
};

struct timeline_host_function {
	int64_t lag_ns; /* from all that it waits for; 0 without a stream */
	bool has_order; /* as above */
};

struct replay_pool;  /* replay_pool.h */
struct replay_bases; /* replay_bases.h */

/* What a window of the recording took, from its first activity on; windows.c. */
struct timeline_window {
	int64_t start_ns, end_ns; /* since the timeline's origin; start > end: nothing happened */
};

/* Where an operation of a sample belongs to: twice its window's index, and one more in what runs up to the
 * part that counts. */
#define TIMELINE_NO_PART UINT32_MAX

/* Of a sample's window, in a replay: when the part that counts begins and when what runs up to it has ended;
 * and when all has ended. */
struct timeline_part_ends {
	int64_t counted_ns, run_up_ns, all_ns;
};

struct timeline {
	const struct model *model;
	int64_t origin_ns, end_ns;
	struct timeline_window *windows; /* by index in trace.windows; NULL: at most one */
	/* Of a sample: by index in model.operations, then by index in trace.host_functions. */
	uint32_t *parts;
	struct timeline_call *calls; /* by index in trace.calls */
	struct timeline_join *joins; /* by call, then the thread that ended last first */
	size_t join_count;
	/* By index in trace.functions: what its calls take that waited for nothing; -1 where all
	 * waited. */
	int64_t *baselines_ns;
	struct timeline_operation *operations;	       /* by index in model.operations */
	struct timeline_host_function *host_functions; /* by index in trace.host_functions */
	bool has_host_engine;			       /* the trace's host functions took turns */
	struct timeline_wait *waits;		       /* by operation */
	size_t wait_count;
	uint32_t *to_model; /* by index in trace.operations: the index in model.operations */
	uint32_t *given;    /* indexes in model.operations by their starts, then by themselves */
	const struct model_place *steps; /* the model's */
	size_t step_count;
	int64_t launch_lag_ns, order_lag_ns; /* of most operations */
	int64_t return_lag_ns; /* from the end of what a call waits for to its return, of most */
	struct tool_costs tool_costs;
	double tool_doubt; /* so large a share of what the tracer added may be more, or less */
	struct replay_pool *pool;
	struct replay_bases *bases;
};

static inline bool timeline_is_function(const struct timeline *timeline, uint32_t operation)
{
	return operation >= timeline->model->operation_count;
}

/* windows.c. Of several windows each begins when it did, whatever the one before it takes: between
 * them nothing is known. The run takes the sum of them. */
void timeline_find_windows(struct timeline *timeline);

/* The window that the time belongs to, by index in trace.windows; 0 without windows. */
size_t timeline_window_of(const struct timeline *timeline, int64_t time_ns);

/* The sum of what the windows take, which begin when they did and now end at these times since the
 * timeline's origin; NULL: when they did. */
int64_t timeline_sum_windows(const struct timeline *timeline, const int64_t *ends_ns);

/* The same of a sample: by weight. by_window: NULL, or where it goes what each takes, without weight. */
int64_t timeline_sum_sample(const struct timeline *timeline, const struct timeline_part_ends *ends,
			    int64_t *by_window);

/* Fills in what the calls wait for, and what they take by themselves. */
void timeline_find_waits(struct timeline *timeline);

/* The time that calls take by themselves. has_waited: by index in trace.calls. */
void timeline_find_own_times(struct timeline *timeline, const bool *has_waited);

/* Fills in return_lag_ns. */
void timeline_find_return_lag(struct timeline *timeline);

/* What the tracer added to the calls and between them, when the rest is known of them. */
void timeline_find_tool_time(struct timeline *timeline);

/* Fills in the joins, when the windows are known. */
void timeline_find_joins(struct timeline *timeline);

/* Whether the join, by index, is one of the call; the first is calls.joins, if there is any. */
static inline bool timeline_is_join_of(const struct timeline *timeline, size_t join, uint32_t call)
{
	return join < timeline->join_count && timeline->joins[join].call == call;
}

/* Fills in the operations. */
void timeline_calibrate(struct timeline *timeline);

#endif
