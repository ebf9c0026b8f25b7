/* How much of its device a kernel takes: its blocks against the number that can be resident at
 * once. Registers and shared memory are given out in pieces, which this leaves out: a kernel that
 * just fits by this may not fit. Where the trace lacks the limits, a kernel takes all. */
#ifndef STREAMTRACE_OCCUPANCY_H
#define STREAMTRACE_OCCUPANCY_H

#include "trace/trace.h"

/* In millionths, 1 to OCCUPANCY_WHOLE. */
#define OCCUPANCY_WHOLE 1000000u
uint32_t occupancy_share(const struct trace *trace, const struct trace_operation *operation);

/* A kernel runs in waves of as many blocks as there is room for; where its last one does not fill
 * the device, another kernel can use the rest of it. Returns that rest, in ns of the whole
 * device. */
int64_t occupancy_idle_tail_ns(const struct trace *trace, const struct trace_operation *operation);

#endif
