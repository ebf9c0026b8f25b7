/*
 * The traced program of the preload tests: `preload_app SCENARIO`. A scenario prints what it did,
 * so that the test can ask the trace for the same.
 *
 * One line a call, in the order of the thread: `call NAME CLASS STREAM OBJECT DST SRC SIZE RESULT
 * PER_THREAD THREAD`; `-` is NULL in the trace, `?` is not compared.
 */
#ifndef PRELOAD_APP_H
#define PRELOAD_APP_H

#include <stddef.h>
#include <stdint.h>

#include "fake_cuda.h"

/* What the columns of `calls` should hold beside the name and the class. */
struct expected {
	int64_t stream, object, dst, src, size;
};
#define NONE	 INT64_MIN	 /* NULL */
#define ANY	 (INT64_MIN + 1) /* not compared */
#define VALUE(v) ((int64_t)(uintptr_t)(v))

/* Prints the line of a call that returned `result`; returns it. */
cudaError_t made(const char *name, const char *class, struct expected expected, int per_thread,
		 cudaError_t result);

/* `call` is evaluated first where an expected value is written by it. */
#define CALL(name, class, call, stream, object, dst, src, size)                                    \
	do {                                                                                       \
		const cudaError_t result_ = (call);                                                \
		made(#name, class, (struct expected){stream, object, dst, src, size}, PER_THREAD,  \
		     result_);                                                                     \
	} while (0)

/* A kernel that takes args[0] ns and does nothing. */
void idle_kernel(void **args);

void scenario_per_thread(void);

#endif
