/*
 * The times in which the GPU was idle because a thread did something between two calls. Any
 * thread.
 */
#ifndef STREAMTRACE_HOST_GAPS_H
#define STREAMTRACE_HOST_GAPS_H

#include "replay/idle_pieces.h"

/* A piece of IDLE_HOST_WORK for each such time, with from and call SEQUENCE_WORK_NS or more apart: from
 * is the call's thread's call before, or the one that handed it work (timeline_call_before()); calls of
 * NCCL do not count. All GPUs were idle. Behind the GPUs' last operation they idle for the thread that
 * makes the run's last call: piece->operation is NULL then. Pieces of one gap follow each other. */
struct host_gaps {
	struct idle_piece *pieces;
	size_t count;
};

/* Finds them in a run: as for idle_walk_create(). What they point to belongs to the model's trace. Free
 * by host_gaps_free(). */
struct host_gaps host_gaps_find(const struct model *model, const struct timeline *timeline,
				const struct evidence *evidence);
void host_gaps_free(struct host_gaps gaps);

#endif
