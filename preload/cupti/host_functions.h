/*
 * Host functions: functions of the program that CUDA runs in the order of a stream, timed.
 *
 * CUDA is given one of the two functions below, and a struct host_function as its argument. On
 * CUDA's thread it runs the program's function between two readings of the clock and tells the
 * recorder. It works as well when the tracing has stopped meanwhile, and then only calls.
 *
 * One for a call outside of a capture runs once and is used again from then on; one in a graph may
 * run any number of times, in any number of graphs, or never, and is kept for ever (64 bytes).
 */
#ifndef STREAMTRACE_HOST_FUNCTIONS_H
#define STREAMTRACE_HOST_FUNCTIONS_H

#include <cuda.h>

#include <stdbool.h>
#include <stdint.h>

struct host_function {
	uint64_t function, argument; /* the program's */
	uint64_t stream;	     /* handle that the call was given */
	uint32_t correlation;	     /* of the call */
	bool is_kept;
	uint32_t index;
	_Atomic uint32_t next; /* of the free ones: index + 1, 0 at the end */
};

enum host_function_use {
	HOST_FUNCTION_ENQUEUED, /* kept only when the stream is being captured */
	HOST_FUNCTION_IN_GRAPH	/* kept */
};

/* Replaces the function and the argument that `wanted` names (its first four fields) in the call to
 * CUDA. NULL: the call stays as it is, which is counted. is_per_thread: handle 0 means the
 * per-thread default stream. No lock; allocates memory or searches libcuda once in a while. Any
 * thread; errno and CUDA's last error are left alone. */
struct host_function *host_function_wrap(const struct host_function *wanted,
					 enum host_function_use use, bool is_per_thread);

/* CUDA refused it: it will never run. */
void host_function_take_back(struct host_function *function);

/* Both take a struct host_function as their argument: for cuLaunchHostFunc() and host nodes, and
 * for cuStreamAddCallback(). */
void CUDA_CB host_function_run(void *function);
void CUDA_CB host_function_run_callback(CUstream stream, CUresult status, void *function);

#endif
