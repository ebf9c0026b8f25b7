#include "trace/trace.h"

#include "base/minmax.h"

/* Threads that hand the work over to each other make many calls before the next one makes any. */
#define CALLS_A_TURN 8

bool trace_threads_take_turns(const struct trace *trace)
{
	size_t turns = 1;
	int64_t left_ns = INT64_MIN;

	for (size_t i = 0; i < trace->call_count; i++) {
		if (i > 0 &&
		    trace->calls[i].form->thread_id != trace->calls[i - 1].form->thread_id) {
			turns++;
			if (trace->calls[i].start_ns < left_ns)
				return false;
		}
		left_ns = max_ns(left_ns, trace->calls[i].end_ns);
	}
	return turns > 2 && trace->call_count / turns >= CALLS_A_TURN;
}
