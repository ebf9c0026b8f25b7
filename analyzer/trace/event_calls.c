/*
 * Finds which streams wait for which events, from the calls that record events and wait for them.
 *
 * One pass over the calls in the order of their starts. A wait is for the event's last record
 * before it; if a record and a wait overlap in two threads, the one that began first counts as
 * first. Captured calls happen in no stream: their waits become edges of the graph.
 */
#include "base/search.h"
#include "trace/loader.h"
#include "trace/stream_handle.h"

#include <stdlib.h>
#include <string.h>

#define NO_STREAM UINT32_MAX

struct handle {
	uint64_t handle;
	int64_t created_ns;
	uint32_t stream; /* index into loader.streams */
};

/* What the last record gave an event. */
struct event {
	size_t call;	  /* that recorded it, index into trace.calls */
	uint32_t stream;  /* NO_STREAM: unknown, or the event was made and not recorded since */
	uint32_t capture; /* 0: it was not captured */
};

/* What is among the calls. */
struct wanted {
	bool is_any;	  /* calls that tell of events */
	bool has_default; /* also a default stream, which depends on thread and context */
};

struct pass {
	struct trace_loader *loader;
	struct wanted wanted;
	VECTOR(struct handle) handles; /* by handle, then by creation */
	VECTOR(struct event) records;
	struct map contexts;   /* by thread: the context of its last operation, or first */
	struct map per_thread; /* of a thread and a context: its own default stream */
	struct map events;     /* handles to indexes into records */
	struct map captures;   /* streams to the last capture that they took part in */
	VECTOR(bool) ended;    /* by capture */
};

static uint64_t thread_key(uint32_t thread_id, size_t context_id)
{
	return (uint64_t)thread_id << 32 | (uint32_t)context_id;
}

static const struct trace_stream *stream_of_operation(const struct pass *pass,
						      const struct trace_operation *operation,
						      uint32_t *index)
{
	const struct trace_loader *loader = pass->loader;

	*index = trace_stream_of_row(loader, trace_row_form(operation));
	return &loader->streams.items[*index];
}

static bool is_default_stream(uint64_t handle)
{
	return stream_handle_is_legacy(handle) || handle == STREAM_HANDLE_PER_THREAD;
}

static void look_at_form(void *context, void *of_calls)
{
	const struct trace_call_form *form = of_calls;
	struct wanted *wanted = context;

	switch (form->function->class) {
	case CLASS_GRAPH_CAPTURE:
	case CLASS_EVENT_CREATE:
	case CLASS_EVENT_RECORD:
	case CLASS_STREAM_WAIT_EVENT:
		wanted->is_any = true;
		wanted->has_default |= form->has_stream && is_default_stream(form->stream_handle);
		break;
	default:
		break;
	}
}

/* Threads' first contexts, and their own default streams. */
static void read_threads(struct pass *pass)
{
	const struct trace *trace = pass->loader->trace;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		const struct trace_stream *stream;
		uint32_t index;

		if (!call->operation)
			continue;
		stream = stream_of_operation(pass, call->operation, &index);
		map_add(&pass->contexts, call->form->thread_id, stream->context_id);
		if (call->form->has_stream &&
		    stream_handle_is_per_thread(call->form->stream_handle, call))
			map_add(&pass->per_thread,
				thread_key(call->form->thread_id, stream->context_id), index);
	}
}

static int compare_handles(const void *a, const void *b)
{
	const struct handle *x = a, *y = b;

	if (x->handle != y->handle)
		return x->handle < y->handle ? -1 : 1;
	return (x->created_ns > y->created_ns) - (x->created_ns < y->created_ns);
}

static void read_handles(struct pass *pass)
{
	for (size_t i = 0; i < pass->loader->streams.count; i++) {
		const struct trace_stream *stream = &pass->loader->streams.items[i];

		if (stream->handle)
			*vector_add(&pass->handles) =
				(struct handle){stream->handle, stream->created_ns, (uint32_t)i};
	}
	vector_sort(&pass->handles, compare_handles);
}

/* The stream that had the handle then. */
static uint32_t stream_of_handle(const struct pass *pass, const struct trace_call *call)
{
	const struct handle wanted = {.handle = call->form->stream_handle,
				      .created_ns = call->start_ns};
	const struct handle *handles = pass->handles.items;
	size_t low = search(pass->handles.count, i, compare_handles(&handles[i], &wanted) <= 0);

	if (!low || handles[low - 1].handle != call->form->stream_handle ||
	    pass->loader->streams.items[handles[low - 1].stream].destroyed_ns < call->start_ns)
		return NO_STREAM;
	return handles[low - 1].stream;
}

/* A thread that makes no operation works in the only context, or in the first. */
static size_t context_of(const struct pass *pass, const struct trace_call *call)
{
	size_t context = call->form->context_id ? call->form->context_id
						: map_find(&pass->contexts, call->form->thread_id);

	if (context == MAP_NONE && pass->loader->trace->context_count)
		context = pass->loader->trace->contexts[0].id;
	return context;
}

static uint32_t stream_of(struct pass *pass, const struct trace_call *call)
{
	const struct trace *trace = pass->loader->trace;
	size_t context, found;

	if (!call->form->has_stream)
		return NO_STREAM;
	if (!is_default_stream(call->form->stream_handle))
		return stream_of_handle(pass, call);
	context = context_of(pass, call);
	if (stream_handle_is_per_thread(call->form->stream_handle, call)) {
		found = map_find(&pass->per_thread, thread_key(call->form->thread_id, context));
		return found == MAP_NONE ? NO_STREAM : (uint32_t)found;
	}
	found = map_find(&pass->loader->context_map, context);
	return found == MAP_NONE ? NO_STREAM
				 : trace_intern_stream(pass->loader, (int64_t)context,
						       trace->contexts[found].null_stream_id);
}

/* The capture that the stream takes part in; 0: none. */
static uint32_t capture_of(const struct pass *pass, uint32_t stream)
{
	size_t capture = map_find(&pass->captures, stream);

	return capture == MAP_NONE || pass->ended.items[capture] ? 0 : (uint32_t)capture;
}

/* Ending an invalid capture fails, but ends it nevertheless. */
static void pass_capture(struct pass *pass, const struct trace_call *call)
{
	uint32_t stream = stream_of(pass, call), capture;

	if (stream == NO_STREAM)
		return;
	if (strstr(call->form->function->name, "EndCapture")) {
		capture = capture_of(pass, stream);
		if (capture)
			pass->ended.items[capture] = true;
	} else if (!call->form->result && strstr(call->form->function->name, "BeginCapture")) {
		map_set(&pass->captures, stream, pass->ended.count);
		*vector_add(&pass->ended) = false;
	}
}

/* A new event may get an old handle: who waits for it before its first record waits for nothing. */
static void pass_create(struct pass *pass, const struct trace_call *call)
{
	if (map_find(&pass->events, call->form->object) == MAP_NONE)
		return;
	map_set(&pass->events, call->form->object, pass->records.count);
	*vector_add(&pass->records) = (struct event){.stream = NO_STREAM};
}

static void pass_record(struct pass *pass, const struct trace_call *call)
{
	uint32_t stream = stream_of(pass, call);

	map_set(&pass->events, call->form->object, pass->records.count);
	*vector_add(&pass->records) = (struct event){
		.call = (size_t)(call - pass->loader->trace->calls),
		.stream = stream,
		.capture = stream == NO_STREAM ? 0 : capture_of(pass, stream),
	};
}

static void pass_wait(struct pass *pass, const struct trace_call *call, pending_wait_vector *waits)
{
	uint32_t stream = stream_of(pass, call);
	size_t record = map_find(&pass->events, call->form->object);
	const struct event *event;

	if (stream == NO_STREAM || record == MAP_NONE)
		return;
	event = &pass->records.items[record];
	if (event->capture) {
		if (!pass->ended.items[event->capture])
			map_set(&pass->captures, stream, event->capture);
		return;
	}
	if (event->stream == NO_STREAM || capture_of(pass, stream))
		return;
	*vector_add(waits) = (struct pending_wait){
		.wait_ns = call->start_ns,
		.event = call->form->object,
		.recording = &pass->loader->trace->calls[event->call],
		.waiting = call,
		.recorder = event->stream,
		.waiter = stream,
	};
}

static void pass_call(struct pass *pass, const struct trace_call *call, pending_wait_vector *waits)
{
	uint32_t index;

	if (pass->wanted.has_default && call->operation)
		map_set(&pass->contexts, call->form->thread_id,
			stream_of_operation(pass, call->operation, &index)->context_id);
	if (call->form->result && call->form->function->class != CLASS_GRAPH_CAPTURE)
		return;
	switch (call->form->function->class) {
	case CLASS_GRAPH_CAPTURE:
		pass_capture(pass, call);
		break;
	case CLASS_EVENT_CREATE:
		pass_create(pass, call);
		break;
	case CLASS_EVENT_RECORD:
		pass_record(pass, call);
		break;
	case CLASS_STREAM_WAIT_EVENT:
		pass_wait(pass, call, waits);
		break;
	default:
		break;
	}
}

void trace_waits_of_calls(struct trace_loader *loader, pending_wait_vector *waits)
{
	const struct trace *trace = loader->trace;
	struct pass pass = {.loader = loader};

	for (size_t i = 0; i < CONNECTIONS_MOST; i++)
		forms_each(&trace->private->call_forms[i], look_at_form, &pass.wanted);
	if (!pass.wanted.is_any)
		return;
	*vector_add(&pass.ended) = true; /* capture 0 is none */
	if (pass.wanted.has_default)
		read_threads(&pass);
	read_handles(&pass);
	for (size_t i = 0; i < trace->call_count; i++)
		pass_call(&pass, &trace->calls[i], waits);
	vector_free(&pass.handles);
	vector_free(&pass.records);
	vector_free(&pass.ended);
	map_free(&pass.contexts);
	map_free(&pass.per_thread);
	map_free(&pass.events);
	map_free(&pass.captures);
}
