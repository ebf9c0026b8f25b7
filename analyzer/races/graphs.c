#include "races/graphs.h"

#include "base/memory.h"

#include <string.h>

/* A pass over the calls. */
struct pass {
	struct map capturing; /* threads: 1 while they capture */
	size_t open_captures;
	struct map streams;    /* of executable graphs: the stream of the first launch, plus one */
	struct map recordings; /* events: 1 if their last record was captured */
};

static bool is_named(const struct trace_call *call, const char *part)
{
	return strstr(call->form->function->name, part);
}

static bool is_capturing(const struct pass *pass, const struct trace_call *call)
{
	return map_find(&pass->capturing, call->form->thread_id) == 1;
}

/* CUDA itself orders the launches of one graph: of streams alone no order of that kind is known. */
static bool is_in_second_stream(struct pass *pass, const struct trace_call *launch)
{
	const struct trace_call_form *form = launch->form;
	const uint64_t stream = form->per_thread_stream ? form->thread_id : form->stream_handle;
	const size_t known = map_find(&pass->streams, form->object);

	if (known == MAP_NONE)
		map_add(&pass->streams, form->object, stream + 1);
	return known != MAP_NONE && known != stream + 1;
}

static const char orders_others[] = "graphs have nodes that order other streams";

/* It makes a node by which the graph and other streams wait for each other, or may. */
static bool adds_order(const struct trace_call *call)
{
	return is_named(call, "AddEvent") || is_named(call, "GraphAddNode") ||
	       is_named(call, "Semaphores") || is_named(call, "BatchMemOp");
}

/* cudaEventRecordWithFlags() is captured as a node that others see, whichever thread calls it. */
static bool records_for_others(const struct pass *pass, const struct trace_call *call)
{
	return is_named(call, "WithFlags") && pass->open_captures;
}

/* Waits for an event whose last record is no part of a capture. */
static bool waits_for_others(const struct pass *pass, const struct trace_call *call)
{
	return is_capturing(pass, call) && map_find(&pass->recordings, call->form->object) != 1;
}

/* With several captures at once it is not known which calls belong to which. */
static bool is_capture_alone(struct pass *pass, const struct trace_call *call)
{
	const bool began_here = is_capturing(pass, call);

	if (is_named(call, "BeginCapture")) {
		map_set(&pass->capturing, call->form->thread_id, 1);
		return !pass->open_captures++;
	}
	if (!is_named(call, "EndCapture"))
		return true;
	map_set(&pass->capturing, call->form->thread_id, 0);
	pass->open_captures -= began_here;
	return began_here;
}

static const char *judge_call(struct pass *pass, const struct trace_call *call)
{
	switch (call->form->function->class) {
	case CLASS_GRAPH_LAUNCH:
		return is_in_second_stream(pass, call) ? "one graph was launched in several streams"
						       : NULL;
	case CLASS_GRAPH_CAPTURE:
		return is_capture_alone(pass, call) ? NULL : "several graphs were captured at once";
	case CLASS_GRAPH_BUILD:
		return adds_order(call) ? orders_others : NULL;
	case CLASS_EVENT_RECORD:
		map_set(&pass->recordings, call->form->object, is_capturing(pass, call));
		return records_for_others(pass, call) ? orders_others : NULL;
	case CLASS_STREAM_WAIT_EVENT:
		return waits_for_others(pass, call) ? orders_others : NULL;
	default:
		return NULL;
	}
}

const char *graphs_obstacle(const struct trace *trace)
{
	const char *events = trace_metadata(trace, "events"), *obstacle = NULL;
	struct pass pass = {0};

	if (events && strcmp(events, "all") != 0)
		return "updates of graphs are not in the trace";
	for (size_t i = 0; !obstacle && i < trace->call_count; i++)
		if (!trace->calls[i].form->result)
			obstacle = judge_call(&pass, &trace->calls[i]);
	map_free(&pass.capturing);
	map_free(&pass.streams);
	map_free(&pass.recordings);
	return obstacle;
}
