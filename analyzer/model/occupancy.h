/*
 * How much of its device an operation takes: of a kernel, its blocks against the number of them
 * that can be resident at once.
 *
 * That number follows from the limits of a multiprocessor (warps, blocks, registers, shared memory)
 * and from the pieces in which it gives them out, by the rules of CUDA's occupancy calculator
 * (cuda_occupancy.h of the CUDA Toolkit): registers to each warp in pieces of 256, from one of its
 * sub-partitions; shared memory in pieces of 128 bytes (256 below compute capability 8.0), and 1 KB
 * more a block that the driver reserves from 8.0 on. What is left out: a multiprocessor that is
 * configured for less shared memory than it has, and clusters.
 */
#ifndef STREAMTRACE_OCCUPANCY_H
#define STREAMTRACE_OCCUPANCY_H

#include "trace/trace.h"

/* Shares are in millionths, 1 to OCCUPANCY_WHOLE. */
#define OCCUPANCY_WHOLE 1000000u

struct occupancy {
	uint32_t share; /* from its start on */
	/* A kernel of more blocks than there is room for runs in waves, each of which takes the
	 * whole device, up to the last one: from tail_ns before its end on it takes tail_share.
	 * 0 <= tail_ns < its duration; with 0 it takes `share` to its end. */
	uint32_t tail_share;
	int64_t tail_ns;
};

/* The whole engine for what is no kernel, and for a kernel where the trace lacks the limits. */
struct occupancy occupancy_of(const struct trace *trace, const struct trace_operation *operation);

#endif
