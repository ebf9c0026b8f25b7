#include "trace/thread_calls.h"

#include "base/memory.h"
#include "base/search.h"

struct thread_calls thread_calls_sort(const struct trace *trace)
{
	struct thread_calls calls = {memory_array(trace->call_count, sizeof(*calls.rows)),
				     trace->call_count};

	for (size_t i = 0; i < trace->call_count; i++)
		calls.rows[i] = (struct sort_key){trace->calls[i].form->thread_id, (uint32_t)i};
	sort_by_key_once(calls.rows, calls.count);
	return calls;
}

size_t thread_calls_from(const struct trace *trace, const struct thread_calls *calls,
			 uint32_t thread_id, int64_t time_ns)
{
	return search(calls->count, i,
		      calls->rows[i].key < thread_id ||
			      (calls->rows[i].key == thread_id &&
			       trace->calls[calls->rows[i].index].start_ns < time_ns));
}

const struct trace_call *thread_calls_before(const struct trace *trace,
					     const struct thread_calls *calls, uint32_t thread_id,
					     int64_t time_ns)
{
	size_t index = thread_calls_from(trace, calls, thread_id, time_ns);

	return index > 0 && calls->rows[index - 1].key == thread_id
		       ? &trace->calls[calls->rows[index - 1].index]
		       : NULL;
}

const struct trace_call *thread_calls_next(const struct trace *trace, uint32_t thread_id,
					   int64_t time_ns)
{
	size_t i = search(trace->call_count, k, trace->calls[k].start_ns < time_ns);

	while (i < trace->call_count && trace->calls[i].form->thread_id != thread_id)
		i++;
	return i < trace->call_count ? &trace->calls[i] : NULL;
}
