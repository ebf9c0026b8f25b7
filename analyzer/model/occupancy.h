/*
 * Which share of its device an operation takes: for a kernel, its blocks divided by the number of
 * its blocks that can be resident at once.
 *
 * That number follows from a multiprocessor's limits (warps, blocks, registers, shared memory) and
 * the units in which it allocates them, by the rules of CUDA's occupancy calculator
 * (cuda_occupancy.h of the CUDA Toolkit): registers per warp in units of 256, from one of its
 * sub-partitions; shared memory in units of 128 bytes (256 below compute capability 8.0), plus 1 KB
 * a block reserved by the driver from 8.0 on. Not considered: multiprocessors configured for less
 * shared memory than they have, and clusters. Any thread.
 */
#ifndef STREAMTRACE_OCCUPANCY_H
#define STREAMTRACE_OCCUPANCY_H

#include "trace/trace.h"

/* Shares are millionths of the engine, from 1 to OCCUPANCY_WHOLE. */
#define OCCUPANCY_WHOLE 1000000u

struct occupancy {
	uint32_t share; /* from the operation's start on */
	/* A kernel with more blocks than fit at once runs in waves. Each wave takes the whole
	 * device, but the last one may take less: from tail_ns before its end on, the kernel takes
	 * tail_share. 0 <= tail_ns < the duration; 0: the operation takes `share` to its end. */
	uint32_t tail_share;
	int64_t tail_ns;
};

/* The share of a kernel. Other operations take the whole engine, and so does a kernel if the trace
 * lacks the device's limits. */
struct occupancy occupancy_of(const struct trace *trace, const struct trace_operation *operation);

#endif
