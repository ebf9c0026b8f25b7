/*
 * Which share of its device an operation takes. For a kernel the share follows from its blocks and from
 * its room: the number of its blocks that can be resident at once.
 *
 * A kernel with r = blocks / room takes r (2 - r): the more blocks a multiprocessor has, the less of its
 * throughput is left, and the more they wait for each other. (Half of the room takes three quarters.
 * More than half of the occupancy rarely brings more: CUDA C++ Best Practices Guide. Measured in
 * samples/recordings/priority.fixed.db: kernels with r = 0.24, by this 0.42, take 0.63 from the kernel
 * beside them.) A kernel with fewer blocks than multiprocessors leaves the others alone, so its share is
 * at most blocks / multiprocessors.
 *
 * The room follows from a multiprocessor's limits (warps, blocks, registers, shared memory) and
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

/* Whether the kernel has blocks for more than half of the multiprocessors, or these are unknown. Two
 * kernels of which neither is wide have multiprocessors of their own. */
bool occupancy_is_wide(const struct trace *trace, const struct trace_operation *operation);

#endif
