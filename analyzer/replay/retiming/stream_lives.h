/* Moves the creation and destruction of streams to the times of a replayed run (retimed.h). One
 * thread. */
#ifndef STREAMTRACE_STREAM_LIVES_H
#define STREAMTRACE_STREAM_LIVES_H

#include "trace/trace.h"

/* Sets created_ns and destroyed_ns of the first streams of `after`, which are those of `before`.
 * Each stream begins and ends in the same calls as in `before`; without such a call it has no
 * beginning or no end. The calls of `after` must have their new times; new_calls: by index in
 * before->calls, the index in after->calls. */
void stream_lives_move(struct trace *after, const struct trace *before, const uint32_t *new_calls);

#endif
