/*
 * Finds which streams wait for which events, from the calls that record events and wait for them.
 *
 * One pass over the calls in the order of their starts. A wait is for the event's last record
 * before it; if a record and a wait overlap in two threads, the one that began first counts as
 * first. Captured calls happen in no stream: their waits become edges of the graph.
 */
#include "trace/call_streams.h"

#include <string.h>

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
	const struct trace *trace;
	struct call_streams streams;
	VECTOR(struct event) records;
	struct map events;   /* handles to indexes into records */
	struct map captures; /* streams to the last capture that they took part in */
	VECTOR(bool) ended;  /* by capture */
};

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
		wanted->has_default |= call_streams_is_default(form);
		break;
	default:
		break;
	}
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
	uint32_t stream = call_streams_find(&pass->streams, call), capture;

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
	uint32_t stream = call_streams_find(&pass->streams, call);

	map_set(&pass->events, call->form->object, pass->records.count);
	*vector_add(&pass->records) = (struct event){
		.call = (size_t)(call - pass->trace->calls),
		.stream = stream,
		.capture = stream == NO_STREAM ? 0 : capture_of(pass, stream),
	};
}

static void pass_wait(struct pass *pass, const struct trace_call *call, pending_wait_vector *waits)
{
	uint32_t stream = call_streams_find(&pass->streams, call);
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
		.recording = &pass->trace->calls[event->call],
		.waiting = call,
		.recorder = event->stream,
		.waiter = stream,
	};
}

static void pass_call(struct pass *pass, const struct trace_call *call, pending_wait_vector *waits)
{
	call_streams_pass(&pass->streams, call);
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
	struct pass pass = {.trace = trace};
	struct wanted wanted = {0};

	for (size_t i = 0; i < CONNECTIONS_MOST; i++)
		forms_each(&trace->private->call_forms[i], look_at_form, &wanted);
	if (!wanted.is_any)
		return;
	pass.streams = call_streams_of(loader, wanted.has_default);
	*vector_add(&pass.ended) = true; /* capture 0 is none */
	for (size_t i = 0; i < trace->call_count; i++)
		pass_call(&pass, &trace->calls[i], waits);
	call_streams_free(&pass.streams);
	vector_free(&pass.records);
	vector_free(&pass.ended);
	map_free(&pass.events);
	map_free(&pass.captures);
}
