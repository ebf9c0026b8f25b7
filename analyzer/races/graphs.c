#include "races/graphs.h"

#include "base/memory.h"

#include <string.h>

/* A pass over the calls. */
struct pass {
	const struct trace *trace;
	struct map capturing; /* threads: 1 while they capture */
	struct map streams;   /* of executable graphs: the stream of the first launch, plus one */
	struct map captured;  /* calls, while their threads captured */
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

/* It makes a node, or is captured as one, by which the graph and other streams wait for each other. */
static bool is_order_of_node(const struct pass *pass, const struct trace_call *call)
{
	switch (call->form->function->class) {
	case CLASS_GRAPH_BUILD:
		return is_named(call, "AddEvent") || is_named(call, "Semaphores") ||
		       is_named(call, "BatchMemOp");
	case CLASS_EVENT_RECORD:
		return is_named(call, "WithFlags") && is_capturing(pass, call);
	default:
		return false;
	}
}

static const char *judge_call(struct pass *pass, const struct trace_call *call)
{
	switch (call->form->function->class) {
	case CLASS_GRAPH_UPDATE:
		return "the program has updated graphs";
	case CLASS_GRAPH_LAUNCH:
		return is_in_second_stream(pass, call) ? "one graph was launched in several streams"
						       : NULL;
	case CLASS_GRAPH_CAPTURE:
		if (is_named(call, "BeginCapture"))
			map_set(&pass->capturing, call->form->thread_id, 1);
		else if (is_named(call, "EndCapture"))
			map_set(&pass->capturing, call->form->thread_id, 0);
		return NULL;
	default:
		if (is_capturing(pass, call))
			map_add(&pass->captured, (uintptr_t)call, 0);
		return is_order_of_node(pass, call) ? "graphs have nodes that order other streams"
						    : NULL;
	}
}

static bool was_captured(const struct pass *pass, const struct trace_call *call)
{
	return call && map_find(&pass->captured, (uintptr_t)call) != MAP_NONE;
}

/* A graph waits for an event from outside. */
static bool has_outer_wait(const struct pass *pass)
{
	for (size_t i = 0; i < pass->trace->event_wait_count; i++)
		if (was_captured(pass, pass->trace->event_waits[i].waiting) &&
		    !was_captured(pass, pass->trace->event_waits[i].recording))
			return true;
	return false;
}

const char *graphs_obstacle(const struct trace *trace)
{
	const char *events = trace_metadata(trace, "events"), *obstacle = NULL;
	struct pass pass = {.trace = trace};

	if (events && strcmp(events, "all") != 0)
		return "updates of graphs are not in the trace";
	for (size_t i = 0; !obstacle && i < trace->call_count; i++)
		if (!trace->calls[i].form->result)
			obstacle = judge_call(&pass, &trace->calls[i]);
	if (!obstacle && has_outer_wait(&pass))
		obstacle = "graphs have nodes that order other streams";
	map_free(&pass.capturing);
	map_free(&pass.streams);
	map_free(&pass.captured);
	return obstacle;
}
