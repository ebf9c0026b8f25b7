/*
 * Finds calls before which their thread waited for another thread that makes calls, too.
 *
 * Evidence: looks found the thread waiting for another one (model/host_record.h). What it did behind
 * its last wait before the call is its own. Inference: of the threads that make calls, the one whose
 * call ended last in the wait let it go on, if it worked for most of the wait, and the call ended
 * right before the wait did. Nobody is named where a thread without calls ran for most of the wait:
 * it may have been for that one.
 *
 * So a replay moves the call with what it waited for, and the wait is no work of its thread.
 */
#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "model/model.h"
#include "replay/observed/timeline_private.h"

struct awaiting {
	const struct timeline *timeline;
	const uint32_t *ends;	/* all calls by their ends */
	const struct map *idle; /* threads of host_record that make no calls: their ids */
	bool is_found;	  /* looks found a wait between the call before and the call in question */
	struct span wait; /* the last such wait */
	int64_t look_ns;  /* how far its looks were apart */
	int64_t ran_ns;	  /* how long a thread without calls ran in it */
};

/* Keeps the last wait; looks in sequence can find it at several stacks. */
static void note_own_piece(void *context, const struct host_piece *piece)
{
	struct awaiting *awaiting = context;
	const struct trace_host_state *state = piece->state;

	if (piece->kind != HOST_SEEN || !host_is_wait_for_thread(state->state))
		return;
	if (!awaiting->is_found || awaiting->wait.end_ns != piece->span.start_ns)
		awaiting->wait.start_ns = piece->span.start_ns;
	awaiting->wait.end_ns = piece->span.end_ns;
	awaiting->look_ns = (state->end_ns - state->start_ns) / max_ns(1, (int64_t)state->looks);
	awaiting->is_found = true;
}

static void note_other_piece(void *context, const struct host_piece *piece)
{
	struct awaiting *awaiting = context;

	if (piece->kind == HOST_SEEN && !host_is_wait_for_thread(piece->state->state) &&
	    !host_is_outside(piece->state->state))
		awaiting->ran_ns += piece->span.end_ns - piece->span.start_ns;
}

/* Whether one thread without calls ran for most of the wait. */
static bool has_other_cause(struct awaiting *awaiting)
{
	const struct host_record *host = awaiting->timeline->model->host;
	const int64_t wait_ns = awaiting->wait.end_ns - awaiting->wait.start_ns;

	for (size_t i = 0; i < host_thread_count(host); i++) {
		if (map_find(awaiting->idle, host_thread_id(host, i)) == MAP_NONE)
			continue;
		awaiting->ran_ns = 0;
		host_record_each(host, host_thread_id(host, i), awaiting->wait, note_other_piece,
				 awaiting);
		if (2 * awaiting->ran_ns > wait_ns)
			return true;
	}
	return false;
}

static void note_working(void *context, const struct host_piece *piece)
{
	if (piece->kind == HOST_UNSEEN ||
	    (piece->state && (host_is_wait_for_thread(piece->state->state) ||
			      host_is_outside(piece->state->state))))
		return;
	*(int64_t *)context += piece->span.end_ns - piece->span.start_ns;
}

/* Whether the call's thread was in calls and at work between them for most of the wait, and the call
 * ended right before the wait did, as far as looks can tell. */
static bool can_have_ended(const struct awaiting *awaiting, const struct trace_call *call)
{
	const int64_t wait_ns = awaiting->wait.end_ns - awaiting->wait.start_ns;
	int64_t working_ns = 0;

	if (awaiting->wait.end_ns - call->end_ns >
	    max_ns(awaiting->look_ns, wait_ns / JOIN_BEHIND_PART))
		return false;
	host_record_each(awaiting->timeline->model->host, call->form->thread_id, awaiting->wait,
			 note_working, &working_ns);
	return 2 * working_ns > wait_ns;
}

/* The call of another thread that ended last in the wait; NO_CALL: there is none. */
static uint32_t find_awaited(const struct awaiting *awaiting, uint32_t thread_id)
{
	const struct trace *trace = awaiting->timeline->model->trace;
	const struct trace_call *calls = trace->calls;
	size_t end = search(trace->call_count, i,
			    calls[awaiting->ends[i]].end_ns <= awaiting->wait.end_ns);

	while (end-- > 0 && calls[awaiting->ends[end]].end_ns > awaiting->wait.start_ns)
		if (calls[awaiting->ends[end]].form->thread_id != thread_id)
			return awaiting->ends[end];
	return NO_CALL;
}

static void judge_call(struct awaiting *awaiting, struct timeline *timeline, uint32_t index)
{
	const struct trace_call *calls = timeline->model->trace->calls;
	struct timeline_call *row = &timeline->calls[index];
	const struct trace_call *call = &calls[index], *before = &calls[row->before];
	uint32_t awaited;

	awaiting->is_found = false;
	host_record_each(timeline->model->host, call->form->thread_id,
			 (struct span){before->end_ns, call->start_ns}, note_own_piece, awaiting);
	if (!awaiting->is_found)
		return;
	awaited = find_awaited(awaiting, call->form->thread_id);
	if (awaited == NO_CALL || awaited >= index || !can_have_ended(awaiting, &calls[awaited]) ||
	    timeline_window_of(timeline, calls[awaited].start_ns) !=
		    timeline_window_of(timeline, call->start_ns) ||
	    has_other_cause(awaiting))
		return;
	row->awaited = awaited;
	row->awaited_gap_ns = call->start_ns - calls[awaited].end_ns;
	row->awaited_ns = min_ns(row->gap_ns, awaiting->wait.end_ns - awaiting->wait.start_ns);
	row->gap_ns -= row->awaited_ns;
}

/* The ids of threads that were looked at and make no calls. */
static void find_idle(const struct trace *trace, const struct host_record *host, struct map *idle)
{
	struct map calling = {0};

	for (size_t i = 0; i < trace->call_count; i++)
		map_add(&calling, trace->calls[i].form->thread_id, 0);
	for (size_t i = 0; i < host_thread_count(host); i++)
		if (map_find(&calling, host_thread_id(host, i)) == MAP_NONE)
			map_add(idle, host_thread_id(host, i), 0);
	map_free(&calling);
}

void timeline_find_awaited(struct timeline *timeline, const uint32_t *ends)
{
	const struct trace *trace = timeline->model->trace;
	const struct host_record *host = timeline->model->host;
	struct map idle = {0};
	struct awaiting awaiting = {.timeline = timeline, .ends = ends, .idle = &idle};

	if (!host)
		return;
	find_idle(trace, host, &idle);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct timeline_call *row = &timeline->calls[i];

		if (row->before != NO_CALL &&
		    trace->calls[row->before].form->thread_id == trace->calls[i].form->thread_id &&
		    row->gap_ns >= AWAITED_LEAST_NS)
			judge_call(&awaiting, timeline, (uint32_t)i);
	}
	map_free(&idle);
}
