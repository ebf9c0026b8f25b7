#include "replay/observed/polls.h"

/* cudaErrorNotReady and CUDA_ERROR_NOT_READY. */
enum { NOT_READY = 600 };

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

bool polls_are_same(const struct trace_call *query, const struct trace_call *other)
{
	return query->form->function == other->form->function &&
	       query->form->object == other->form->object &&
	       query->form->stream_handle == other->form->stream_handle;
}

const struct trace_call *polls_before(const struct polls *polls, const struct trace_call *call)
{
	size_t index;

	if (!polls_is_query(call))
		return NULL;
	index = map_find(&polls->last, call->form->thread_id);
	return index != MAP_NONE && index != TRACE_NO_CALL &&
			       polls_are_same(&polls->trace->calls[index], call)
		       ? &polls->trace->calls[index]
		       : NULL;
}

void polls_note(struct polls *polls, const struct trace_call *call)
{
	const uint32_t thread_id = call->form->thread_id;

	if (polls_is_query(call) && polls_is_pending(call))
		map_set(&polls->last, thread_id, (size_t)(call - polls->trace->calls));
	else if (polls->last.count && map_find(&polls->last, thread_id) != MAP_NONE)
		map_set(&polls->last, thread_id, TRACE_NO_CALL);
}
