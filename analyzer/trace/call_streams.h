/*
 * Which streams calls name, while a trace is loaded: by the handle that the stream had then, and for the
 * default streams by the thread and the context that it worked in.
 *
 * Calls are passed in the order of their starts. One thread. Out of memory ends the program.
 */
#ifndef STREAMTRACE_TRACE_CALL_STREAMS_H
#define STREAMTRACE_TRACE_CALL_STREAMS_H

#include "trace/loader.h"
#include "trace/stream_handle.h"

#define NO_STREAM UINT32_MAX

struct stream_by_handle {
	uint64_t handle;
	int64_t created_ns;
	uint32_t stream; /* index in loader.streams */
};

struct call_streams {
	struct trace_loader *loader;
	bool has_default; /* also default streams are asked for, which depend on thread and context */
	VECTOR(struct stream_by_handle) handles; /* by handle, then by creation */
	struct map contexts;   /* by thread: the context of its last operation, or first */
	struct map per_thread; /* of a thread and a context: its own default stream */
};

static inline bool call_streams_is_default(const struct trace_call_form *form)
{
	return form->has_stream && (stream_handle_is_legacy(form->stream_handle) ||
				    form->stream_handle == STREAM_HANDLE_PER_THREAD);
}

/* Call after calls and operations are joined. has_default: some call that is asked for names a default
 * stream. Free by call_streams_free(). */
struct call_streams call_streams_of(struct trace_loader *loader, bool has_default);
void call_streams_free(struct call_streams *streams);

/* Passes the next call. */
void call_streams_pass(struct call_streams *streams, const struct trace_call *call);

/* Returns the stream that the call names, the last one passed: an index in loader.streams, where a
 * legacy default stream may be added; NO_STREAM: none, or unknown. */
uint32_t call_streams_find(struct call_streams *streams, const struct trace_call *call);

#endif
