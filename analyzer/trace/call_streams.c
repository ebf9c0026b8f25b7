#include "trace/call_streams.h"

#include "base/search.h"

#include <stdlib.h>

static uint64_t thread_key(uint32_t thread_id, size_t context_id)
{
	return (uint64_t)thread_id << 32 | (uint32_t)context_id;
}

static const struct trace_stream *stream_of_operation(const struct call_streams *streams,
						      const struct trace_operation *operation,
						      uint32_t *index)
{
	const struct trace_loader *loader = streams->loader;

	*index = trace_stream_of_row(loader, trace_row_form(operation));
	return &loader->streams.items[*index];
}

/* Threads' first contexts, and their own default streams. Of a graph the first operation may be in a
 * branch's stream. */
static void read_threads(struct call_streams *streams)
{
	const struct trace *trace = streams->loader->trace;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		const struct trace_stream *stream;
		uint32_t index;

		if (!call->operation)
			continue;
		stream = stream_of_operation(streams, call->operation, &index);
		map_add(&streams->contexts, call->form->thread_id, stream->context_id);
		if (call->form->has_stream && !trace_is_graph_launch(call) &&
		    stream_handle_is_per_thread(call->form->stream_handle, call))
			map_add(&streams->per_thread,
				thread_key(call->form->thread_id, stream->context_id), index);
	}
}

static int compare_handles(const void *a, const void *b)
{
	const struct stream_by_handle *x = a, *y = b;

	if (x->handle != y->handle)
		return x->handle < y->handle ? -1 : 1;
	return (x->created_ns > y->created_ns) - (x->created_ns < y->created_ns);
}

static void read_handles(struct call_streams *streams)
{
	for (size_t i = 0; i < streams->loader->streams.count; i++) {
		const struct trace_stream *stream = &streams->loader->streams.items[i];

		if (stream->handle)
			*vector_add(&streams->handles) = (struct stream_by_handle){
				stream->handle, stream->created_ns, (uint32_t)i};
	}
	vector_sort(&streams->handles, compare_handles);
}

/* The stream that had the handle then. */
static uint32_t stream_of_handle(const struct call_streams *streams, const struct trace_call *call)
{
	const struct stream_by_handle wanted = {.handle = call->form->stream_handle,
						.created_ns = call->start_ns};
	const struct stream_by_handle *handles = streams->handles.items;
	size_t low = search(streams->handles.count, i, compare_handles(&handles[i], &wanted) <= 0);

	if (!low || handles[low - 1].handle != call->form->stream_handle ||
	    streams->loader->streams.items[handles[low - 1].stream].destroyed_ns < call->start_ns)
		return NO_STREAM;
	return handles[low - 1].stream;
}

/* A thread that makes no operation works in the only context, or in the first. */
static size_t context_of(const struct call_streams *streams, const struct trace_call *call)
{
	size_t context = call->form->context_id
				 ? call->form->context_id
				 : map_find(&streams->contexts, call->form->thread_id);

	if (context == MAP_NONE && streams->loader->trace->context_count)
		context = streams->loader->trace->contexts[0].id;
	return context;
}

uint32_t call_streams_find(struct call_streams *streams, const struct trace_call *call)
{
	const struct trace *trace = streams->loader->trace;
	size_t context, found;

	if (!call->form->has_stream)
		return NO_STREAM;
	if (!call_streams_is_default(call->form))
		return stream_of_handle(streams, call);
	context = context_of(streams, call);
	if (stream_handle_is_per_thread(call->form->stream_handle, call)) {
		found = map_find(&streams->per_thread, thread_key(call->form->thread_id, context));
		return found == MAP_NONE ? NO_STREAM : (uint32_t)found;
	}
	found = map_find(&streams->loader->context_map, context);
	return found == MAP_NONE ? NO_STREAM
				 : trace_intern_stream(streams->loader, (int64_t)context,
						       trace->contexts[found].null_stream_id);
}

struct call_streams call_streams_of(struct trace_loader *loader, bool has_default)
{
	struct call_streams streams = {.loader = loader, .has_default = has_default};

	if (has_default)
		read_threads(&streams);
	read_handles(&streams);
	return streams;
}

void call_streams_free(struct call_streams *streams)
{
	vector_free(&streams->handles);
	map_free(&streams->contexts);
	map_free(&streams->per_thread);
}

void call_streams_pass(struct call_streams *streams, const struct trace_call *call)
{
	uint32_t index;

	if (streams->has_default && call->operation)
		map_set(&streams->contexts, call->form->thread_id,
			stream_of_operation(streams, call->operation, &index)->context_id);
}
