#include "replay/polls.h"

/* cudaErrorNotReady and CUDA_ERROR_NOT_READY. */
#define NOT_READY 600

void polls_free(struct polls *polls)
{
	map_free(&polls->last);
}

bool polls_is_query(const struct trace_call *call)
{
	return call->form->function->class == CLASS_STREAM_QUERY ||
	       call->form->function->class == CLASS_EVENT_QUERY;
}

bool polls_is_pending(const struct trace_call *query)
{
	return query->form->result == NOT_READY;
}

const struct trace_call *polls_before(const struct polls *polls, const struct trace_call *call)
{
	const struct trace_call *before;
	size_t index;

	if (!polls_is_query(call))
		return NULL;
	index = map_find(&polls->last, call->form->thread_id);
	if (index == MAP_NONE)
		return NULL;
	before = &polls->trace->calls[index];
	return before->form->function == call->form->function &&
			       before->form->object == call->form->object &&
			       before->form->stream_handle == call->form->stream_handle
		       ? before
		       : NULL;
}

void polls_note(struct polls *polls, const struct trace_call *query)
{
	if (polls_is_pending(query))
		map_set(&polls->last, query->form->thread_id,
			(size_t)(query - polls->trace->calls));
}
