/*
 * The stream handles that mean a default stream.
 *
 * Handle 0 is the default stream of the translation unit's mode: cudaStreamLegacy or
 * cudaStreamPerThread.
 */
#ifndef STREAMTRACE_STREAM_HANDLE_H
#define STREAMTRACE_STREAM_HANDLE_H

#include "trace/trace.h"

#define STREAM_HANDLE_DEFAULT	 0
#define STREAM_HANDLE_LEGACY	 1 /* cudaStreamLegacy */
#define STREAM_HANDLE_PER_THREAD 2 /* cudaStreamPerThread */

/* Whether the handle means the calling thread's default stream. call: the call that has the handle
 * as its stream. */
static inline bool stream_handle_is_per_thread(uint64_t handle, const struct trace_call *call)
{
	return handle == STREAM_HANDLE_PER_THREAD ||
	       (handle == STREAM_HANDLE_DEFAULT && call->form->per_thread_stream);
}

/* Whether the handle means the legacy default stream. Call only if stream_handle_is_per_thread() is
 * false. */
static inline bool stream_handle_is_legacy(uint64_t handle)
{
	return handle <= STREAM_HANDLE_LEGACY;
}

#endif
