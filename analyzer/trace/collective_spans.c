#include "trace/collective_spans.h"

#include "base/search.h"
#include "trace/rows.h"

void collective_spans_add_group(struct collective_spans *spans, int64_t start_ns, int64_t end_ns)
{
	*vector_add(&spans->items) =
		(struct collective_span){.start_ns = start_ns, .end_ns = end_ns};
}

static size_t span_of_group(struct collective_spans *spans, struct trace_collective *collective,
			    int64_t group_id)
{
	size_t index = map_find(&spans->groups, (uint64_t)group_id);

	if (index == MAP_NONE)
		return NO_SPAN;
	spans->items.items[index].thread_id = collective->thread_id;
	spans->items.items[index].is_used = true;
	collective->enqueued_ns = spans->items.items[index].end_ns;
	return index;
}

void collective_spans_add(struct collective_spans *spans, const struct trace_collective *collective,
			  int64_t group_id)
{
	struct trace_collective *added = vector_add(&spans->collectives);
	size_t span = spans->items.count;

	*added = *collective;
	if (group_id != ROW_NULL)
		span = span_of_group(spans, added, group_id);
	else
		*vector_add(&spans->items) = (struct collective_span){
			.start_ns = collective->start_ns,
			.end_ns = collective->end_ns,
			.thread_id = collective->thread_id,
			.is_used = true,
		};
	*vector_add(&spans->span_of) = span;
}

void collective_spans_sort(struct collective_spans *spans)
{
	const size_t count = spans->items.count;
	struct sort_key *keys = memory_array(count, sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] =
			(struct sort_key){sort_signed(spans->items.items[i].start_ns), (uint32_t)i};
	sort_by_key_once(keys, count);
	for (size_t i = 0; i < count; i++)
		keys[i].key = spans->items.items[keys[i].index].thread_id;
	sort_by_key_once(keys, count);
	spans->sorted = keys;
}

/* The thread's last span that begins by then; a former thread's if it has none, NULL if there is
 * none at all. */
static const struct sort_key *last_begun(const struct collective_spans *spans, uint32_t thread_id,
					 int64_t time_ns)
{
	const struct collective_span *items = spans->items.items;
	const struct sort_key *sorted = spans->sorted;
	size_t low = search(spans->items.count, i,
			    items[sorted[i].index].thread_id < thread_id ||
				    (items[sorted[i].index].thread_id == thread_id &&
				     items[sorted[i].index].start_ns <= time_ns));

	return low ? &sorted[low - 1] : NULL;
}

size_t collective_spans_find(const struct collective_spans *spans, const struct trace_call *call)
{
	const struct sort_key *key = last_begun(spans, call->form->thread_id, call->start_ns);
	const struct collective_span *span = key ? &spans->items.items[key->index] : NULL;

	return span && span->is_used && span->thread_id == call->form->thread_id &&
			       call->start_ns <= span->end_ns
		       ? key->index
		       : NO_SPAN;
}

bool collective_spans_have(const struct collective_spans *spans, uint32_t thread_id)
{
	const struct sort_key *key = last_begun(spans, thread_id, INT64_MAX);

	return key && key->key == thread_id;
}

void collective_spans_free(struct collective_spans *spans)
{
	vector_free(&spans->items);
	vector_free(&spans->collectives);
	vector_free(&spans->span_of);
	map_free(&spans->groups);
	free(spans->sorted);
}
