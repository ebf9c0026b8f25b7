/* When the streams of a run at new times (retimed.h) are created and destroyed. */
#ifndef STREAMTRACE_STREAM_LIVES_H
#define STREAMTRACE_STREAM_LIVES_H

#include "trace/trace.h"

/* after has the streams of before first, at their old times, and its calls at the new ones; new_calls:
 * by index in before->calls, the index there. A stream's life begins and ends with the calls in which
 * it did; where there is none the stream was there all the time. */
void stream_lives_move(struct trace *after, const struct trace *before, const uint32_t *new_calls);

#endif
