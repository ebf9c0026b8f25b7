/*
 * Threads that only watch: they ask whether work is done, and give the device and other threads
 * nothing to do. NCCL's watchdog is one. The time between their calls is a timer's, not work. So
 * where a fix makes the run shorter, their calls keep to the threads that work, and end with them.
 */
#include "base/vector.h"
#include "replay/observed/timeline_private.h"

/* Whether a thread that watches makes calls of the class. */
static bool is_watching(enum function_class class)
{
	switch (class) {
	case CLASS_STREAM_QUERY:
	case CLASS_EVENT_QUERY:
	case CLASS_EVENT_CREATE:
	case CLASS_EVENT_DESTROY:
	case CLASS_EVENT_ELAPSED:
	case CLASS_OTHER:
		return true;
	default:
		return false;
	}
}

/* Adds the ids of threads that do more than watch. A thread whose end another one awaits is among
 * them: that one's next call says how long the thread took. */
static void find_working(const struct timeline *timeline, struct map *working)
{
	const struct trace *trace = timeline->model->trace;

	for (size_t i = 0; i < trace->call_count; i++)
		if (!is_watching(trace->calls[i].form->function->class))
			map_add(working, trace->calls[i].form->thread_id, i);
	for (size_t i = 0; i < timeline->join_count; i++)
		map_add(working, trace->calls[timeline->joins[i].ended].form->thread_id, i);
}

/* The last call of a thread that works, by its end. */
static size_t last_working(const struct trace *trace, const uint32_t *ends,
			   const struct map *working)
{
	for (size_t i = trace->call_count; i-- > 0;)
		if (map_find(working, trace->calls[ends[i]].form->thread_id) != MAP_NONE)
			return ends[i];
	return MAP_NONE;
}

/* Lets the call follow a call of a thread that works, and its own thread's call before it. */
static void follow_working(struct timeline_call *row, const struct trace_call *calls, size_t call,
			   size_t working)
{
	bool has_last = row->before != NO_CALL &&
			calls[row->before].end_ns <= calls[call].start_ns &&
			calls[row->before].form->thread_id == calls[call].form->thread_id;

	row->is_watching = true;
	row->watched_last = has_last ? row->before : NO_CALL;
	row->before = (uint32_t)working;
	row->gap_ns = calls[call].start_ns - calls[working].end_ns;
}

void timeline_chain_watchers(struct timeline *timeline, const uint32_t *ends)
{
	const struct trace *trace = timeline->model->trace;
	const struct trace_call *calls = trace->calls;
	struct map working = {0};
	size_t ended = 0, before = MAP_NONE, last;

	find_working(timeline, &working);
	last = last_working(trace, ends, &working);
	for (size_t i = 0; i < trace->call_count && last != MAP_NONE; i++) {
		struct timeline_call *row = &timeline->calls[i];

		for (; ended < trace->call_count &&
		       calls[ends[ended]].end_ns <= calls[i].start_ns && ends[ended] < i;
		     ended++)
			if (map_find(&working, calls[ends[ended]].form->thread_id) != MAP_NONE)
				before = ends[ended];
		if (before == MAP_NONE ||
		    map_find(&working, calls[i].form->thread_id) != MAP_NONE ||
		    timeline_window_of(timeline, calls[before].start_ns) !=
			    timeline_window_of(timeline, calls[i].start_ns))
			continue;
		follow_working(row, calls, i, before);
		if (calls[i].start_ns < calls[last].end_ns)
			row->tool_gap_ns = row->gap_ns;
	}
	map_free(&working);
}
