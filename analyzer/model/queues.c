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

size_t queues_most_in_context(const struct queues *queues)
{
	struct map contexts = {0}; /* id to the queues seen so far */
	size_t most = 0;

	for (size_t i = 0; i < queues->last.count; i++) {
		const struct trace_operation *last = queues->last.items[i];
		size_t count;

		if (!last)
			continue;
		count = map_find(&contexts, last->form->stream->context_id);
		count = count == MAP_NONE ? 1 : count + 1;
		map_set(&contexts, last->form->stream->context_id, count);
		if (count > most)
			most = count;
	}
	map_free(&contexts);
	return most;
}
