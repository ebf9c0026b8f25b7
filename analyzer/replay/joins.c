/*
 * Which calls came after a thread's end.
 *
 * A program that starts threads for some work joins them before it goes on: nothing shows the join.
 * But where all calls of one thread lie between two calls of another, and the later one comes right
 * behind the last of them, the wait for that thread is why. Of several threads the one counts that
 * ended last.
 */
#include "replay/timeline_private.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/vector.h"

#include <assert.h>
#include <stdlib.h>

/* Every pair of threads is looked at. */
#define MOST_THREADS 256

/* The later call comes so soon behind the end: in this part of the time between the two calls. */
#define BEHIND_PART 10

struct thread {
	VECTOR(uint32_t) calls; /* outermost ones, in order */
	uint32_t last;		/* the last to return */
};

/* A driver's call ends inside the runtime's, which is the one that counts. */
static void note_call(const struct trace *trace, struct thread *thread, uint32_t call)
{
	if (thread->calls.count && trace->calls[call].end_ns <= trace->calls[thread->last].end_ns)
		return;
	*vector_add(&thread->calls) = call;
	thread->last = call;
}

/* Index in its calls of the first that starts at or after the time. */
static size_t calls_before(const struct trace *trace, const struct thread *thread, int64_t time_ns)
{
	size_t low = 0, high = thread->calls.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->calls[thread->calls.items[middle]].start_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void join(const struct trace *trace, const struct thread *joining,
		 const struct thread *ended, uint32_t *joined)
{
	const struct trace_call *first = &trace->calls[ended->calls.items[0]];
	const struct trace_call *last = &trace->calls[ended->last], *before, *behind;
	size_t next = calls_before(trace, joining, last->end_ns);
	uint32_t *found;

	if (next == 0 || next == joining->calls.count)
		return;
	before = &trace->calls[joining->calls.items[next - 1]];
	behind = &trace->calls[joining->calls.items[next]];
	if (before->end_ns > first->start_ns ||
	    behind->start_ns - last->end_ns > (behind->start_ns - before->end_ns) / BEHIND_PART)
		return;
	found = &joined[joining->calls.items[next]];
	if (*found == NO_CALL || trace->calls[*found].end_ns < last->end_ns)
		*found = ended->last;
}

uint32_t *timeline_find_joins(const struct trace *trace)
{
	uint32_t *joined = memory_array(trace->call_count, sizeof(*joined));
	VECTOR(struct thread) threads = {0};
	struct map index = {0};

	for (size_t i = 0; i < trace->call_count; i++)
		joined[i] = NO_CALL;
	for (size_t i = 0; i < trace->call_count && threads.count <= MOST_THREADS; i++) {
		uint32_t id = trace->calls[i].thread_id;

		if (map_add(&index, id, threads.count))
			*vector_add(&threads) = (struct thread){0};
		assert(threads.items);
		note_call(trace, &threads.items[map_find(&index, id)], (uint32_t)i);
	}
	for (size_t i = 0; i < threads.count && threads.count <= MOST_THREADS; i++)
		for (size_t k = 0; k < threads.count; k++)
			if (i != k)
				join(trace, &threads.items[i], &threads.items[k], joined);
	for (size_t i = 0; i < threads.count; i++)
		vector_free(&threads.items[i].calls);
	vector_free(&threads);
	map_free(&index);
	return joined;
}
