/*
 * A timeline with edits on its way to become a schedule: what replay.c, building.c and
 * building_steps.c share. One pass over what happened, in order, with streams as the edits have
 * them.
 */
#ifndef STREAMTRACE_BUILDING_H
#define STREAMTRACE_BUILDING_H

#include "replay/timeline_private.h"

#define NO_TASK UINT32_MAX

struct passing_context {
	uint32_t id;
	/* What the default stream's barrier makes the other side wait for. An operation of the
	 * default stream comes after the blocking ones before it, and so stands for them. Those
	 * are many, and mostly nothing comes that waits for them: they are joined then. */
	task_index legacy, *blocking;
	size_t blocking_count, blocking_capacity;
};

/* A stream as the pass has come to it; after the trace's come the added ones. */
struct passing_stream {
	task_index order; /* what its next operation runs after */
	task_index last;  /* its last operation */
	uint32_t sibling; /* the next added one with the same parent, 0 none */
	struct passing_context *context;
	enum stream_flag flag;
};

/* The tasks: a call's end each, then the model's nodes, then joins. */
struct building {
	const struct timeline *timeline;
	const struct edits *edits; /* NULL: none */
	struct schedule_task *tasks;
	struct schedule_edge *edges;
	size_t task_count, edge_count;
	struct passing_stream *streams;
	struct passing_context *contexts; /* room for one a stream of the trace */
	size_t context_count;
	task_index *snapshots;	    /* by event wait: what the event was recorded behind */
	task_index *host_functions; /* NO_TASK: without a stream */
	task_index *gates;	    /* by call: when its thread comes to it; 0 or NULL: no matter */
	uint32_t *moved;	    /* timeline_move_waits(); without edits not used */
	size_t next_wait;	    /* in timeline->waits */
};

static inline const struct trace *building_trace(const struct building *building)
{
	return building->timeline->model->trace;
}

static inline task_index building_node_task(const struct building *building, node_index node)
{
	return (task_index)(building_trace(building)->call_count + node);
}

/* building.c. From NO_TASK: no edge. */
void building_add_edge(struct building *building, task_index from, task_index to, int64_t lag_ns);
task_index building_add_task(struct building *building, struct schedule_task task);
/* A task behind both, either of which may be NO_TASK. */
task_index building_join(struct building *building, task_index first, task_index second);

void building_add_streams(struct building *building);
/* The other side of the legacy default stream's barrier. */
task_index building_barrier(struct building *building, const struct passing_stream *stream);
void building_extend_barrier(struct building *building, const struct passing_stream *stream,
			     task_index task, bool is_operation);

/* building_steps.c: what the host does, then what it enqueued. */
void building_add_touches(struct building *building);
void building_add_calls(struct building *building);
void building_add_needs(struct building *building);
void building_add_steps(struct building *building);

#endif
