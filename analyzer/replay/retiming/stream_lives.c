#include "replay/retiming/stream_lives.h"

#include "base/memory.h"

#include <stdlib.h>

/* The beginning of a stream, or its end, in the run before. */
struct life {
	int64_t time_ns;
	uint32_t stream;
};

static int compare_lives(const void *a, const void *b)
{
	const struct life *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->stream > y->stream) - (x->stream < y->stream);
}

/* In the order of their times, which the streams then have no more; freed with free(). */
static struct life *take_lives(struct trace *after, const struct trace *before, bool is_end)
{
	struct life *lives = memory_array(before->stream_count, sizeof(*lives));

	for (size_t i = 0; i < before->stream_count; i++) {
		struct trace_stream *stream = &after->streams[i];
		int64_t *time_ns = is_end ? &stream->destroyed_ns : &stream->created_ns;

		lives[i] = (struct life){*time_ns, (uint32_t)i};
		*time_ns = is_end ? INT64_MAX : INT64_MIN;
	}
	if (before->stream_count)
		qsort(lives, before->stream_count, sizeof(*lives), compare_lives);
	return lives;
}

static void move_lives(struct trace *after, const struct trace *before, const uint32_t *new_calls,
		       enum function_class class, bool is_end)
{
	struct life *lives = take_lives(after, before, is_end);
	size_t next = 0;

	for (size_t i = 0; i < before->call_count; i++) {
		const struct trace_call *call = &before->calls[i];
		const struct trace_call *moved = &after->calls[new_calls[i]];

		if (call->form->function->class != class)
			continue;
		while (next < before->stream_count && lives[next].time_ns < call->start_ns)
			next++;
		for (size_t k = next; k < before->stream_count && lives[k].time_ns <= call->end_ns;
		     k++) {
			struct trace_stream *stream = &after->streams[lives[k].stream];

			if (is_end)
				stream->destroyed_ns = moved->end_ns;
			else
				stream->created_ns = moved->start_ns;
		}
	}
	free(lives);
}

void stream_lives_move(struct trace *after, const struct trace *before, const uint32_t *new_calls)
{
	move_lives(after, before, new_calls, CLASS_STREAM_CREATE, false);
	move_lives(after, before, new_calls, CLASS_STREAM_DESTROY, true);
}
