/*
 * The functions by which a program opens and closes windows, and tells its steps: those of streamtrace.h, and
 * cudaProfilerStart() and cudaProfilerStop(). Calls that bypass these wrappers (static cudart,
 * driver API) are seen in CUPTI's callback (cupti/listener.c).
 */
#include "api/cudarts.h"
#include "api/resolve.h"
#include "base/interpose.h"
#include "base/options.h"
#include "facts/watch_page.h"
#include "recorder/recorder.h"
#include "recorder/windows.h"

#include <cuda_profiler_api.h>

#include <stdatomic.h>

EXPORT void streamtrace_start(void);
EXPORT void streamtrace_stop(void);
EXPORT void streamtrace_step(void);

void streamtrace_start(void)
{
	windows_open(WINDOW_CALL);
}

void streamtrace_stop(void)
{
	windows_close(WINDOW_CALL);
}

/* The first thread that comes has the steps. */
void streamtrace_step(void)
{
	static _Atomic(const struct recorder_thread *) stepping;
	static uint64_t steps;
	const struct recorder_thread *none = NULL;

	if (!options_is_watch() ||
	    (!atomic_compare_exchange_strong(&stepping, &none, &recorder_thread) &&
	     none != &recorder_thread))
		return;
	recorder_step(steps++, WATCH_STEPS_CALLED);
}

static cudaError_t call_real(enum cudart cudart, enum symbol symbol)
{
	void *found = atomic_load(&cudart_functions[cudart][symbol]);
	cudaError_t (*real)(void) =
		(cudaError_t(*)(void))(found ? found : resolve_function(cudart, symbol));

	return real ? real() : cudaErrorInitializationError;
}

#define PROFILER_CALLS(id, node, ...)                                                              \
	CUDART_EXPORT(id, node, cudaProfilerStart)                                                 \
	__typeof__(cudaProfilerStart) CUDART_WRAPPER(id, cudaProfilerStart);                       \
	EXPORT cudaError_t CUDART_WRAPPER(id, cudaProfilerStart)(void)                             \
	{                                                                                          \
		cudaError_t result = call_real(CUDART_##id, SYMBOL_cudaProfilerStart);             \
                                                                                                   \
		if (windows_follow_profiler())                                                     \
			windows_open(WINDOW_PROFILER);                                             \
		return result;                                                                     \
	}                                                                                          \
	CUDART_EXPORT(id, node, cudaProfilerStop)                                                  \
	__typeof__(cudaProfilerStop) CUDART_WRAPPER(id, cudaProfilerStop);                         \
	EXPORT cudaError_t CUDART_WRAPPER(id, cudaProfilerStop)(void)                              \
	{                                                                                          \
		if (windows_follow_profiler())                                                     \
			windows_close(WINDOW_PROFILER);                                            \
		return call_real(CUDART_##id, SYMBOL_cudaProfilerStop);                            \
	}
CUDARTS(PROFILER_CALLS, )
