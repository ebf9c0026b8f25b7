/*
 * The calls that sync_matrix measures, and what they work on. One thread.
 */
#ifndef STREAMTRACE_SAMPLES_SYNC_MATRIX_H
#define STREAMTRACE_SAMPLES_SYNC_MATRIX_H

#include <cuda_runtime.h>

/* Where a kernel is pending while a call is made. */
enum column {
	COLUMN_NONE,
	COLUMN_NON_BLOCKING,
	COLUMN_BLOCKING,
	COLUMN_LEGACY,
	COLUMN_PER_THREAD,
	COLUMN_SAME, /* in the stream that the call itself names */
	COLUMN_COUNT,
};

/* Which of them a call is measured with. */
enum call_kind {
	CALL_OTHER, /* with all but COLUMN_SAME: the call has another stream, or none */
	CALL_SAME,  /* with COLUMN_NONE and COLUMN_SAME */
	CALL_FIRST, /* once, with COLUMN_NON_BLOCKING: only a process's first one may wait */
	CALL_RESET, /* once each, with COLUMN_NONE and COLUMN_NON_BLOCKING */
};

/* A row of the matrix. Its functions return the error of what they call; cudaErrorNotReady is
 * none. */
struct sync_call {
	const char *name;
	cudaError_t (*call)();		/* this is timed */
	cudaError_t (*before)() = NULL; /* makes what the call takes, on an idle device */
	cudaError_t (*after)() = NULL;	/* clears up, on an idle device */
	enum call_kind kind = CALL_OTHER;
	int needs = 0; /* a cudaDeviceAttr that must not be 0 */
};

extern const struct sync_call sync_calls[];
extern const size_t sync_call_count;

/* The streams in which the pending kernel runs; `event` is recorded behind it in `same`. */
struct sync_streams {
	cudaStream_t non_blocking, blocking, same;
	cudaEvent_t event;
};
extern struct sync_streams sync_streams;

/* Makes the streams and everything that the calls work on: before the first call, and again after
 * a reset of the device. Returns the first error. */
cudaError_t sync_calls_open();

#endif
