#include "detectors/evidence/time_reads.h"

#include "base/thresholds.h"
#include "base/vector.h"

/* No index in trace.calls. MAP_NONE cannot be the value of a map. */
#define NO_WAIT (MAP_NONE - 1)

/* Indexes in trace.calls. */
struct time_read {
	uint32_t wait, read;
};

typedef VECTOR(struct time_read) time_reads;

bool time_reads_exist(const struct trace *trace)
{
	for (size_t i = 0; i < trace->function_count; i++)
		if (trace->functions[i].class == CLASS_EVENT_ELAPSED)
			return true;
	return false;
}

static bool is_sync(enum function_class class)
{
	return class == CLASS_DEVICE_SYNC || class == CLASS_STREAM_SYNC ||
	       class == CLASS_EVENT_SYNC;
}

/* Without the event's end there is no time to read: the wait for it is for the time. */
static bool is_read_of(const struct trace_call *read, const struct trace_call *wait)
{
	return !read->form->result && wait->form->site &&
	       (wait->form->function->class != CLASS_EVENT_SYNC ||
		wait->form->object == read->form->object);
}

/* The wait behind which a thread has only read times, or no index. */
struct thread_state {
	uint32_t thread_id;
	size_t wait;
};

static void go_to_thread(struct map *waits, struct thread_state *state, uint32_t thread_id)
{
	size_t wait;

	if (state->thread_id == thread_id)
		return;
	map_set(waits, state->thread_id, state->wait);
	wait = map_find(waits, thread_id);
	*state = (struct thread_state){thread_id, wait == MAP_NONE ? NO_WAIT : wait};
}

static void collect_reads(const struct trace *trace, time_reads *reads)
{
	struct thread_state state = {0, NO_WAIT};
	struct map waits = {0}; /* of the other threads */

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		enum function_class class = call->form->function->class;

		go_to_thread(&waits, &state, call->form->thread_id);
		if (is_sync(class))
			state.wait = i;
		else if (class != CLASS_EVENT_ELAPSED)
			state.wait = NO_WAIT;
		else if (state.wait < i && is_read_of(call, &trace->calls[state.wait]))
			*vector_add(reads) = (struct time_read){(uint32_t)state.wait, (uint32_t)i};
	}
	map_free(&waits);
}

struct map time_reads_find(const struct trace *trace)
{
	struct map found = {0};
	time_reads reads = {0};
	uint32_t *counts; /* by call site */

	if (!time_reads_exist(trace))
		return found;
	collect_reads(trace, &reads);
	counts = memory_array(trace->site_count, sizeof(*counts));
	for (size_t i = 0; i < reads.count; i++)
		if (i == 0 || reads.items[i].wait != reads.items[i - 1].wait)
			counts[trace->calls[reads.items[i].wait].form->site - trace->sites]++;
	for (size_t i = 0; i < reads.count; i++) {
		const struct trace_call *wait = &trace->calls[reads.items[i].wait];

		if (counts[wait->form->site - trace->sites] >= LOOP_LEAST_TIMES)
			map_add(&found, reads.items[i].wait, reads.items[i].read);
	}
	vector_free(&reads);
	free(counts);
	return found;
}
