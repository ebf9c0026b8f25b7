#include "model/queues.h"

static size_t number_of(struct queues *queues, const struct trace_operation_form *form)
{
	uint64_t key = (uint64_t)form->stream->context_id << 32 | form->channel_id;

	if (queues->last.count && key == queues->key)
		return queues->number;
	queues->key = key;
	if (map_add(&queues->numbers, key, queues->last.count))
		*vector_add(&queues->last) = NULL;
	return queues->number = map_find(&queues->numbers, key);
}

const struct trace_operation *queues_pass(struct queues *queues,
					  const struct trace_operation *operation)
{
	const struct trace_operation_form *form = operation->form;
	const struct trace_operation *before;
	size_t number;

	if (form->channel_id == NO_CHANNEL)
		return NULL;
	number = number_of(queues, form);
	before = queues->last.items[number];
	if (before || form->engine == ENGINE_COMPUTE)
		queues->last.items[number] = operation;
	return before && before->form->stream != form->stream ? before : NULL;
}

void queues_free(struct queues *queues)
{
	vector_free(&queues->last);
	map_free(&queues->numbers);
}

size_t queues_count(const struct queues *queues)
{
	size_t count = 0;

	for (size_t i = 0; i < queues->last.count; i++)
		count += queues->last.items[i] != NULL;
	return count;
}
