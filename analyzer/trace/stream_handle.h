/*
 * The stream handles that name a default stream.
 *
 * 0 is the default stream of the mode that its translation unit was compiled for, cudaStreamLegacy
 * and cudaStreamPerThread say which.
 */
#ifndef STREAMTRACE_STREAM_HANDLE_H
#define STREAMTRACE_STREAM_HANDLE_H

#include "trace/trace.h"

#define STREAM_HANDLE_DEFAULT	 0
#define STREAM_HANDLE_LEGACY	 1 /* cudaStreamLegacy */
#define STREAM_HANDLE_PER_THREAD 2 /* cudaStreamPerThread */

/* The default stream of the calling thread. The call names a stream. */
static inline bool stream_handle_is_per_thread(uint64_t handle, const struct trace_call *call)
{
	return handle == STREAM_HANDLE_PER_THREAD ||
	       (handle == STREAM_HANDLE_DEFAULT && call->form->per_thread_stream);
}

/* The legacy default stream, when it is not the thread's own. */
static inline bool stream_handle_is_legacy(uint64_t handle)
{
	return handle <= STREAM_HANDLE_LEGACY;
}

#endif
