#include "detectors/loops/beside_calls.h"

#include "base/memory.h"

/* Of the calls passed: the one that ends last, and the one of another thread that ends last; or
 * NULL. */
struct farthest {
	const struct trace_call *first, *second;
};

/* Of the two threads there the call is not: the one that the other thread has. */
static const struct trace_call *of_others(const struct farthest *farthest,
					  const struct trace_call *call)
{
	return farthest->first && farthest->first->form->thread_id == call->form->thread_id
		       ? farthest->second
		       : farthest->first;
}

static bool is_farther(const struct trace_call *call, const struct trace_call *other, bool by_end)
{
	return !other ||
	       (by_end ? call->end_ns > other->end_ns : call->start_ns <= other->start_ns);
}

static void pass_call(struct farthest *farthest, const struct trace_call *call, bool by_end)
{
	const bool is_same =
		farthest->first && farthest->first->form->thread_id == call->form->thread_id;

	if (is_farther(call, farthest->first, by_end)) {
		if (!is_same)
			farthest->second = farthest->first;
		farthest->first = call;
	} else if (!is_same && is_farther(call, farthest->second, by_end)) {
		farthest->second = call;
	}
}

uint32_t *beside_calls(const struct trace *trace, const bool *is_one)
{
	uint32_t *beside = memory_array(trace->call_count, sizeof(*beside));
	struct farthest before = {0}, behind = {0};

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i], *other = of_others(&before, call);

		beside[i] = other && other->end_ns > call->start_ns;
		if (is_one[i])
			pass_call(&before, call, true);
	}
	for (size_t i = trace->call_count; i-- > 0;) {
		const struct trace_call *call = &trace->calls[i], *other = of_others(&behind, call);

		beside[i] |= other && other->start_ns < call->end_ns;
		if (is_one[i])
			pass_call(&behind, call, false);
	}
	return beside;
}
