#include "trace/turns.h"

#include "base/minmax.h"

static const bool makes_operations[CLASS_COUNT] = {
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot)                               \
	[CLASS_##symbol] = (makes_operations),
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
};

/* Threads that hand work to each other make at least this many calls before it is the next one's
 * turn. */
#define CALLS_A_TURN 8

static void find_threads(struct turns *turns, const struct trace *trace)
{
	for (size_t i = 0; i < trace->call_count; i++)
		if (makes_operations[trace->calls[i].form->function->class])
			map_add(&turns->threads, trace->calls[i].form->thread_id, i);
}

/* Whether the threads are never in calls at once, and make many a turn. */
static bool take_turns(const struct turns *turns, const struct trace *trace)
{
	size_t count = 1, calls = 0;
	int64_t left_ns = INT64_MIN;
	uint32_t last = 0;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (!turns_has(turns, call->form->thread_id))
			continue;
		if (calls > 0 && call->form->thread_id != last) {
			count++;
			if (call->start_ns < left_ns)
				return false;
		}
		calls++;
		last = call->form->thread_id;
		left_ns = max_ns(left_ns, call->end_ns);
	}
	return count > 2 && calls / count >= CALLS_A_TURN;
}

struct turns turns_find(const struct trace *trace)
{
	struct turns turns = {{0}};

	find_threads(&turns, trace);
	if (!take_turns(&turns, trace)) {
		turns_free(&turns);
		turns = (struct turns){{0}};
	}
	return turns;
}

void turns_free(struct turns *turns)
{
	map_free(&turns->threads);
}
