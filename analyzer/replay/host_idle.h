/*
 * What the host did while a device was idle because of it: the pieces of IDLE_HOST_WORK
 * (idle_pieces.h), divided by what the looks at their threads found (model/host_record.h).
 *
 * A piece is of the thread whose call ends it, followed along its chains (model/host_chain.h).
 * Evidence: the looks in the piece. Inference: time between looks (HOST_BETWEEN_LOOKS) is divided like
 * the time that was seen between calls of the same two call sites, as a sample of it; where none was
 * seen, and where nobody looked, it belongs to the line of the call that ends it (HOST_ACTION_UNKNOWN),
 * or if that has none of the program's own to the row of HOST_NOT_SEEN. Rows add up to the pieces exactly.
 *
 * Times are the trace's ns; those called "of the run" are weighted in a sample. One thread.
 */
#ifndef STREAMTRACE_HOST_IDLE_H
#define STREAMTRACE_HOST_IDLE_H

#include "model/host_record.h"
#include "replay/idle_pieces.h"

/* A part of a piece, seen by looks. */
struct host_idle_part {
	struct span span;
	uint32_t row; /* in host_idle.rows */
	const struct trace_host_state *state;
	const struct trace_call *from, *call; /* of the piece */
};

/* What threads did, in any of its parts. */
struct host_idle_row {
	uint32_t doing;		   /* in host_record.doings; HOST_NOT_SEEN: not known */
	int64_t ns;		   /* of the run */
	int64_t seen_ns;	   /* the part of ns that looks saw, not inferred */
	int64_t ready_ns;	   /* of seen_ns, without a processor */
	double faults;		   /* page faults meanwhile, as far as they are known */
	uint32_t thread_id;	   /* of the first of the threads */
	uint32_t thread_count;	   /* at most 64 are told apart */
	uint64_t threads;	   /* a bit for each of them */
	struct host_others others; /* sorted; only of a wait for threads */
	double gap_count;	   /* in how many pieces it was seen; of a sample: weighted */
	size_t first, part_count;  /* its parts in host_idle.parts */
};

struct host_idle {
	struct host_idle_row *rows; /* longest first */
	size_t row_count;
	int64_t ns;		      /* of the run: the sum of the rows */
	struct host_idle_part *parts; /* by row, then by time */
	size_t part_count;
};

/* Divides the device's idle time in the span `run` as idle_walk_each() cuts it. NULL: the trace has
 * no host states. Free by host_idle_free(), which takes NULL, too. The model must outlive it. */
struct host_idle *host_idle_build(const struct idle_walk *walk, const struct model *model,
				  size_t device, struct span run);
void host_idle_free(struct host_idle *idle);

#endif
