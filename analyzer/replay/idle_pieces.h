/*
 * The times in which a device did nothing, cut into pieces with one cause each.
 *
 * A gap belongs to the operation that ends it. From its start back: what passed after its call had
 * returned, its call, and what the call's thread did before, in calls and between them. Where that
 * thread had made no call since the gap began, another one may have started it or handed it the
 * work: from there on the thread counts whose operation ran last before the gap.
 *
 * Times are the trace's, ns. Pieces are apart from each other, and together the gaps. A walk takes
 * time and memory linear in the trace. One thread.
 */
#ifndef STREAMTRACE_IDLE_PIECES_H
#define STREAMTRACE_IDLE_PIECES_H

#include "replay/observed.h"

enum idle_cause {
#define IDLE_CAUSE(symbol, word, text) IDLE_##symbol,
#include "replay/idle_causes.def"
	IDLE_CAUSE_COUNT
};

struct idle_piece {
	struct span span;
	enum idle_cause cause;
	/* IDLE_HOST_WORK: the call before it, NULL: the thread had made none. Else NULL. */
	const struct trace_call *from;
	/* The call that it passed in, or that the work came before. NULL: IDLE_END, and between the
	 * calls of IDLE_START. */
	const struct trace_call *call;
	const struct trace_operation *operation; /* that ends the gap; NULL: none does, IDLE_END */
};

struct idle_walk;

/* observed must outlive it. */
struct idle_walk *idle_walk_create(const struct observed *observed);
void idle_walk_free(struct idle_walk *walk);

#define IDLE_ALL_DEVICES SIZE_MAX

/* Each piece of the run in which the device (an index in model.device_ids) ran nothing, or with
 * IDLE_ALL_DEVICES no device ran anything. Gaps come in order, the pieces of one from its end to
 * its start. */
typedef void (*idle_function)(void *context, const struct idle_piece *piece);
void idle_walk_each(const struct idle_walk *walk, size_t device, struct span run,
		    idle_function piece, void *context);

#endif
