#include "detectors/copies/copies_ahead.h"

#include "base/memory.h"
#include "detectors/copies/pageable_copies.h"

#include <stdlib.h>

/* A run of copies, with which a step begins. */
struct step {
	const struct trace_operation *before; /* the stream's operation before it, or NULL */
	const struct trace_call *last;	      /* the call of its last copy; NULL: no such step */
};

/* A stream at the current operation of a pass over the model's. */
struct stream_steps {
	struct step now, before;
	const struct trace_operation *last; /* that stays in the stream */
	bool is_in_run;
	uint32_t added; /* the copies' stream, which not even the default stream stops; 0: none yet
			 */
};

static bool comes_ahead(const struct instance *instance)
{
	return pageable_copy_of(instance).is_kept && instance->operation->form->is_async;
}

/* The instances' copies, by index in trace.operations. */
static struct map find_copies(const struct trace *trace, const struct instance *instances,
			      size_t count)
{
	struct map copies = {0};

	for (size_t i = 0; i < count; i++)
		if (comes_ahead(&instances[i]))
			map_add(&copies, (uint64_t)(instances[i].operation - trace->operations), i);
	return copies;
}

static void begin_run(struct stream_steps *stream)
{
	if (stream->is_in_run)
		return;
	stream->before = stream->now;
	stream->now = (struct step){.before = stream->last};
	stream->is_in_run = true;
}

static void issue_ahead(const struct model *model, size_t index, uint32_t parent,
			struct stream_steps *stream, struct edits *edits)
{
	const struct trace_operation *copy = model->operations[index].operation;

	begin_run(stream);
	if (!stream->added)
		stream->added = edits_add_stream(edits, model, parent, STREAM_NON_BLOCKING);
	edits_move(edits, model, index, stream->added);
	edits_double_buffer(edits, model, copy);
	if (stream->before.last)
		edits_issue_ahead(edits, model, copy, stream->before.last);
	if (stream->before.last && stream->before.before)
		edits_issue_behind(edits, model, copy, stream->before.before);
	stream->now.last = copy->call;
}

void copies_ahead_apply(const struct model *model, const struct instance *instances, size_t count,
			struct edits *edits)
{
	const struct trace *trace = model->trace;
	struct map copies = find_copies(trace, instances, count);
	struct stream_steps *streams = memory_array(trace->stream_count, sizeof(*streams));

	for (size_t i = 0; copies.count && i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		uint32_t index = (uint32_t)(operation->form->stream - trace->streams);
		struct stream_steps *stream = &streams[index];

		if (map_find(&copies, (uint64_t)(operation - trace->operations)) != MAP_NONE &&
		    edits_stream_of(edits, model, i) == index) {
			issue_ahead(model, i, index, stream, edits);
			continue;
		}
		stream->last = operation;
		stream->is_in_run &= operation->form->kind != OPERATION_KERNEL;
	}
	free(streams);
	map_free(&copies);
}

uint64_t copies_ahead_bytes(const struct instance *instances, size_t count)
{
	uint64_t most_bytes = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = instances[i].operation->form->size_bytes;

		if (comes_ahead(&instances[i]) && bytes > most_bytes)
			most_bytes = bytes;
	}
	return most_bytes;
}
