/*
 * Cuts the times in which a device was idle into pieces with one cause each.
 *
 * A gap belongs to the operation that ends it. The gap is explained backwards from that operation's
 * start: the time after the operation's call had returned, the call, and what the call's thread did
 * before, in calls and between them. If that thread had made no call since the gap began, another
 * thread may have started it or given it the work. From there on, the thread whose operation ran
 * last before the gap counts.
 *
 * Times are the trace's, in ns. Pieces do not overlap, and together they fill the gaps. Time and
 * memory are linear in the trace. One thread.
 */
#ifndef STREAMTRACE_IDLE_PIECES_H
#define STREAMTRACE_IDLE_PIECES_H

#include "model/model.h"
#include "replay/observed/evidence.h"
#include "replay/timeline.h"

enum idle_cause {
#define IDLE_CAUSE(symbol, word, text) IDLE_##symbol,
#include "replay/idle_causes.def"
	IDLE_CAUSE_COUNT
};

struct idle_piece {
	struct span span;
	enum idle_cause cause;
	/* Only IDLE_HOST_WORK: the call before the work; NULL: the thread had made none. */
	const struct trace_call *from;
	/* The call during which the piece passed or, if it passed between calls, the call after it.
	 * NULL: IDLE_END, and IDLE_START between calls. */
	const struct trace_call *call;
	const struct trace_operation *operation; /* that ends the gap; NULL: none (IDLE_END) */
};

struct idle_walk;

/* Of a run (observed.h): its model, its timeline or NULL, and its evidence, which must outlive the walk.
 * Free by idle_walk_free(). */
struct idle_walk *idle_walk_create(const struct model *model, const struct timeline *timeline,
				   const struct evidence *evidence);
void idle_walk_free(struct idle_walk *walk);

#define IDLE_ALL_DEVICES SIZE_MAX

/* Calls piece(context, ...) for each piece of the span `run` in which the device (an index in
 * model.device_ids) was idle; with IDLE_ALL_DEVICES: in which all devices were idle at once. Gaps
 * come in order of time, the pieces of a gap from its end to its start. *piece is valid during the
 * call only. */
typedef void (*idle_function)(void *context, const struct idle_piece *piece);
void idle_walk_each(const struct idle_walk *walk, size_t device, struct span run,
		    idle_function piece, void *context);

#endif
