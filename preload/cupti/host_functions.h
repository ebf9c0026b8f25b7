/*
 * Host functions: functions of the program that CUDA runs in stream order, timed.
 *
 * CUDA gets one of our two functions below, and a struct host_function as its argument. On CUDA's
 * thread, ours calls the program's function between two readings of the clock and tells the
 * recorder. If tracing has stopped, our function only calls the program's.
 *
 * The struct of a call that is not captured is used once, and then reused. A struct in a graph (40
 * bytes) is never freed: its function may run any number of times, in any number of graphs.
 */
#ifndef STREAMTRACE_HOST_FUNCTIONS_H
#define STREAMTRACE_HOST_FUNCTIONS_H

#include <cuda.h>

#include <stdbool.h>
#include <stdint.h>

struct host_function {
	uint64_t function, argument; /* of the program */
	uint64_t stream;	     /* the stream handle in the call */
	uint32_t correlation;	     /* of the enqueuing call */
	bool is_kept;		     /* may be in a graph: never reused */
	uint32_t index;
	_Atomic uint32_t next; /* in the list of free ones: index + 1; 0: the last */
};

enum host_function_use {
	HOST_FUNCTION_ENQUEUED, /* never reused if the stream is being captured */
	HOST_FUNCTION_IN_GRAPH	/* never reused */
};

/* Returns the struct to give to CUDA as argument of one of the two functions below, in place of
 * wanted->function and wanted->argument. Copies the first four fields of *wanted into it.
 * is_per_thread: stream handle 0 means the per-thread default stream. NULL: leave the call
 * unchanged, because wanted->function is 0, or there is no room (counted as a loss). No lock;
 * sometimes maps memory or looks up driver functions. Any thread; leaves errno and CUDA's last
 * error alone. */
struct host_function *host_function_wrap(const struct host_function *wanted,
					 enum host_function_use use, bool is_per_thread);

/* Call if CUDA refused the call, so that the function will never run: `function` can be reused. */
void host_function_take_back(struct host_function *function);

/* The functions to give to CUDA, with a struct host_function as argument: host_function_run() for
 * cuLaunchHostFunc() and host nodes, host_function_run_callback() for cuStreamAddCallback(). */
void CUDA_CB host_function_run(void *function);
void CUDA_CB host_function_run_callback(CUstream stream, CUresult status, void *function);

#endif
