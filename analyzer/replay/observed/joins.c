/*
 * Finds calls that waited for a thread's end. A program that starts threads for some work joins
 * them before it goes on, which no call shows. But if all calls of one thread lie between two calls
 * of another, and the later of these comes right after the last of them, it waited for that thread.
 * Other threads that began and ended in between count as joined, too: nothing shows the contrary.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "replay/observed/timeline_private.h"

#include <assert.h>
#include <stdlib.h>

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
	return search(thread->calls.count, i,
		      trace->calls[thread->calls.items[i]].start_ns < time_ns);
}

/* A call that comes behind all calls of another thread, as the call before it came before them. */
struct candidate {
	struct timeline_join join;
	int64_t end_ns;	    /* of that thread */
	int64_t between_ns; /* the two calls */
};
typedef VECTOR(struct candidate) candidates;

static void add_candidate(const struct timeline *timeline, const struct thread *joining,
			  const struct thread *ended, candidates *found)
{
	const struct trace *trace = timeline->model->trace;
	const struct trace_call *first = &trace->calls[ended->calls.items[0]];
	const struct trace_call *last = &trace->calls[ended->last], *before, *behind;
	size_t next = calls_before(trace, joining, last->end_ns);

	if (next == 0 || next == joining->calls.count)
		return;
	before = &trace->calls[joining->calls.items[next - 1]];
	behind = &trace->calls[joining->calls.items[next]];
	if (before->end_ns > first->start_ns ||
	    (timeline->windows && timeline_window_of(timeline, last->start_ns) !=
					  timeline_window_of(timeline, behind->start_ns)))
		return;
	*vector_add(found) = (struct candidate){.join = {joining->calls.items[next], ended->last},
						.end_ns = last->end_ns,
						.between_ns = behind->start_ns - before->end_ns};
}

/* By the call, the thread that ended last first. */
static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->join.call != y->join.call)
		return x->join.call < y->join.call ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns > y->end_ns ? -1 : 1;
	return (x->join.ended > y->join.ended) - (x->join.ended < y->join.ended);
}

/* Those of calls that come right behind the last of their threads. */
static void keep_joins(struct timeline *timeline, candidates *found)
{
	const struct trace *trace = timeline->model->trace;
	VECTOR(struct timeline_join) joins = {0};
	bool is_behind = false;

	vector_sort(found, compare_candidates);
	for (size_t i = 0; i < found->count; i++) {
		const struct candidate *candidate = &found->items[i];
		uint32_t call = candidate->join.call;

		if (i == 0 || call != found->items[i - 1].join.call)
			is_behind = trace->calls[call].start_ns - candidate->end_ns <=
				    candidate->between_ns / JOIN_BEHIND_PART;
		if (is_behind)
			*vector_add(&joins) = candidate->join;
	}
	vector_move(&joins, timeline->joins, timeline->join_count);
}

void timeline_find_joins(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	VECTOR(struct thread) threads = {0};
	candidates found = {0};
	struct map index = {0};

	for (size_t i = 0; i < trace->call_count && threads.count <= JOIN_MOST_THREADS; i++) {
		uint32_t id = trace->calls[i].form->thread_id;

		if (map_add(&index, id, threads.count))
			*vector_add(&threads) = (struct thread){0};
		assert(threads.items);
		note_call(trace, &threads.items[map_find(&index, id)], (uint32_t)i);
	}
	for (size_t i = 0; i < threads.count && threads.count <= JOIN_MOST_THREADS; i++)
		for (size_t k = 0; k < threads.count; k++)
			if (i != k)
				add_candidate(timeline, &threads.items[i], &threads.items[k],
					      &found);
	keep_joins(timeline, &found);
	for (size_t i = 0; i < threads.count; i++)
		vector_free(&threads.items[i].calls);
	vector_free(&threads);
	vector_free(&found);
	map_free(&index);
}
