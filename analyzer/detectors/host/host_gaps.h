/*
 * The times in which the GPU was idle because a thread did something between two calls. Any
 * thread.
 */
#ifndef STREAMTRACE_HOST_GAPS_H
#define STREAMTRACE_HOST_GAPS_H

#include "replay/idle_pieces.h"

/* Calls piece(context, ...) for each such time, as a piece of IDLE_HOST_WORK with from and call
 * SEQUENCE_WORK_NS or more apart: from is the call's thread's call before, or the one that handed it work
 * (timeline_call_before()); calls of NCCL do not count. All GPUs were idle. Behind the
 * GPUs' last operation they idle for the thread that makes the run's last call: piece->operation is
 * NULL then. Pieces of one gap follow each other. */
void host_gaps_each(const struct observed *observed, idle_function piece, void *context);

#endif
