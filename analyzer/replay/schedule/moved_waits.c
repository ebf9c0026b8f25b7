/*
 * Where the waits go that edits take away.
 *
 * A thread that has waited for an operation does not wait for it again: waits.c leaves that out.
 * With the first wait gone the later one is the one that counts.
 */
#include "base/memory.h"
#include "replay/schedule/building.h"

static bool is_sync(enum function_class class)
{
	return class == CLASS_DEVICE_SYNC || class == CLASS_STREAM_SYNC ||
	       class == CLASS_EVENT_SYNC;
}

/* Freeing memory waits for all work of the device. */
static bool is_free(const struct trace_call *call)
{
	enum function_class class = call->form->function->class;

	return !call->form->has_stream && call->form->dst &&
	       (class == CLASS_FREE || class == CLASS_HOST_FREE || class == CLASS_UNREGISTER);
}

static uint32_t next_of(const struct map *next, const struct trace_call *call)
{
	size_t found = map_find(next, call->form->thread_id);

	return found == MAP_NONE ? NO_CALL : (uint32_t)found;
}

uint32_t *timeline_move_waits(const struct timeline *timeline, const struct edits *edits)
{
	const struct trace *trace = timeline->model->trace;
	uint32_t *moved = memory_array(trace->call_count, sizeof(*moved));
	/* The threads' next calls, from the end, that wait as they did: for anything; for all. */
	struct map next_sync = {0}, next_device_sync = {0};

	for (size_t i = trace->call_count; i-- > 0;) {
		const struct trace_call *call = &trace->calls[i];
		enum function_class class = call->form->function->class;
		edit_mask edit = edits->calls[i] & (EDIT_NO_WAIT | EDIT_NARROW);
		bool is_changed = edit || edits->calls[i] & EDIT_GONE, is_for_all;

		moved[i] = NO_CALL;
		is_for_all = class == CLASS_DEVICE_SYNC || is_free(call);
		if (!is_changed && (is_sync(class) || is_for_all))
			map_set(&next_sync, call->form->thread_id, i);
		if (!is_changed && is_for_all)
			map_set(&next_device_sync, call->form->thread_id, i);
		if (!edit || class == CLASS_COPY)
			continue;
		/* What cannot be seen counts as needed: any later wait of the thread may be the one
		 * before it reads. With a narrowed wait, what is read has been waited for. */
		moved[i] = next_of(is_sync(class) && edit == EDIT_NO_WAIT ? &next_sync
									  : &next_device_sync,
				   call);
	}
	map_free(&next_sync);
	map_free(&next_device_sync);
	return moved;
}
