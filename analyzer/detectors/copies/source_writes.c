#include "detectors/copies/source_writes.h"

#include "base/search.h"
#include "base/thresholds.h"

void source_writes_note(struct source_writes *writes, uint64_t start, uint64_t end,
			const struct trace_operation *operation)
{
	if (start < end)
		extents_set(&writes->writers, start, end,
			    operation ? (uint32_t)(operation - writes->trace->operations) + 1 : 0);
}

/* Whether a host function ran between these times. */
static bool has_function(const struct trace *trace, int64_t start_ns, int64_t end_ns)
{
	size_t low =
		search(trace->host_function_count, i, trace->host_functions[i].start_ns <= end_ns);

	return low && trace->host_functions[low - 1].end_ns > start_ns;
}

bool source_writes_come_later(const struct source_writes *writes,
			      const struct trace_operation *sent)
{
	const uint64_t start = sent->call->form->src, end = start + sent->form->size_bytes;
	const struct extent *extent;
	uint64_t cursor = 0;
	int pieces = 0;

	while ((extent = extents_next(&writes->writers, start, end, &cursor)))
		if (++pieces > PIECES_MOST ||
		    (extent->value &&
		     writes->trace->operations[extent->value - 1].end_ns > sent->call->end_ns))
			return true;
	return has_function(writes->trace, sent->call->start_ns, sent->start_ns);
}

/* Of all that the copy to the host wrote there. */
static bool is_last_writer(const struct source_writes *writes,
			   const struct trace_operation *fetched)
{
	const uint64_t start = fetched->call->form->dst, end = start + fetched->form->size_bytes;
	uint64_t cursor = 0;
	const struct extent *extent = extents_next(&writes->writers, start, end, &cursor);

	return extent && extent->value == (uint32_t)(fetched - writes->trace->operations) + 1 &&
	       extent->start <= start && extent->end >= end;
}

const struct trace_operation *source_writes_last(const struct source_writes *writes,
						 const struct trace_operation *sent)
{
	const uint64_t start = sent->call->form->src, end = start + sent->form->size_bytes;
	uint64_t cursor = 0;
	const struct extent *extent = extents_next(&writes->writers, start, end, &cursor);
	const struct trace_operation *last;

	if (!extent || !extent->value)
		return NULL;
	last = &writes->trace->operations[extent->value - 1];
	return last->form->kind == OPERATION_COPY && last->form->engine == ENGINE_D2H &&
			       last->call && last->call->form->dst == start &&
			       last->form->size_bytes == sent->form->size_bytes &&
			       is_last_writer(writes, last)
		       ? last
		       : NULL;
}

bool source_writes_are_untouched(const struct source_writes *writes,
				 const struct trace_operation *sent,
				 const struct trace_operation *fetched)
{
	return fetched && fetched->end_ns > sent->call->end_ns &&
	       fetched->call->form->dst == sent->call->form->src &&
	       !has_function(writes->trace, sent->call->start_ns, sent->start_ns) &&
	       is_last_writer(writes, fetched);
}

bool source_writes_are_as_fetched(const struct source_writes *writes,
				  const struct trace_operation *fetched,
				  const struct trace_operation *sent)
{
	return is_last_writer(writes, fetched) &&
	       !has_function(writes->trace, fetched->end_ns, sent->call->start_ns);
}

void source_writes_free(struct source_writes *writes)
{
	extents_free(&writes->writers);
}
