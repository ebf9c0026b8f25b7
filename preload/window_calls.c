/*
 * The calls with which a program opens and closes windows: streamtrace.h's, which nobody else has,
 * and the CUDA runtime's. What comes past the wrappers (a static cudart, the driver API) is seen by
 * CUPTI's callback: cupti_source.c.
 */
#include "resolve.h"
#include "windows.h"

#include <cuda_profiler_api.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void streamtrace_start(void);
EXPORT void streamtrace_stop(void);

void streamtrace_start(void)
{
	windows_open(WINDOW_CALL);
}

void streamtrace_stop(void)
{
	windows_close(WINDOW_CALL);
}

static cudaError_t call_real(const char *name)
{
	cudaError_t (*real)(void) = (cudaError_t(*)(void))resolve_function(name);

	return real ? real() : cudaErrorInitializationError;
}

EXPORT cudaError_t cudaProfilerStart(void)
{
	cudaError_t result = call_real("cudaProfilerStart");

	if (windows_follow_profiler())
		windows_open(WINDOW_PROFILER);
	return result;
}

EXPORT cudaError_t cudaProfilerStop(void)
{
	if (windows_follow_profiler())
		windows_close(WINDOW_PROFILER);
	return call_real("cudaProfilerStop");
}
