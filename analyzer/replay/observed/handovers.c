/*
 * Chains calls across threads: a call behind a wait for another thread follows that thread's call.
 *
 * The program's thread and the framework's threads that serve it (model/host_chain.h): each waits
 * until another one hands it work or a result. Evidence: the call comes SEQUENCE_WORK_NS or more behind
 * its thread's call before, and its thread waited for a thread when another one's call ended; or it
 * comes right behind that call. Inference: it follows the last of these calls.
 *
 * Any threads. Evidence: looks found the thread waiting for another one. Inference: of the threads
 * that make calls, the one whose call ended last in the wait let it go on, if it worked for most of the
 * wait, and the call ended right before the wait did. Nobody is named where a thread without calls ran
 * for most of the wait: it may have been for that one.
 */
#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "model/model.h"
#include "replay/observed/timeline_private.h"

static void note_waiting(void *context, const struct host_piece *piece)
{
	*(bool *)context =
		piece->kind != HOST_IN_CALL &&
		(piece->kind != HOST_SEEN || host_is_wait_for_thread(piece->state->state));
}

static bool is_waiting_at(const struct model *model, uint32_t thread_id, int64_t time_ns)
{
	bool is_waiting = false;

	host_record_each(model->host, thread_id, (struct span){time_ns, time_ns + 1}, note_waiting,
			 &is_waiting);
	return is_waiting;
}

/* Whether the call follows the other one, the last to end before it. */
static bool is_handed_over(const struct timeline *timeline, uint32_t index, uint32_t other)
{
	const struct trace_call *calls = timeline->model->trace->calls, *call = &calls[index];
	const struct timeline_call *row = &timeline->calls[index];
	const uint32_t thread_id = call->form->thread_id;

	if (other == NO_CALL || row->before == NO_CALL || row->gap_ns < SEQUENCE_WORK_NS ||
	    calls[row->before].form->thread_id != thread_id ||
	    calls[other].form->thread_id == thread_id ||
	    calls[other].end_ns <= calls[row->before].end_ns ||
	    timeline_window_of(timeline, calls[other].start_ns) !=
		    timeline_window_of(timeline, call->start_ns))
		return false;
	return call->start_ns - calls[other].end_ns <= row->gap_ns / JOIN_BEHIND_PART ||
	       is_waiting_at(timeline->model, thread_id, calls[other].end_ns);
}

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

/* It ends no wait: a thread that only watches (watchers.c) makes queries. */
static bool is_query(enum function_class class)
{
	return class == CLASS_STREAM_QUERY || class == CLASS_EVENT_QUERY;
}

/* The call of another thread that ended last in the wait; NO_CALL: there is none. */
static uint32_t find_awaited(const struct awaiting *awaiting, uint32_t thread_id)
{
	const struct trace *trace = awaiting->timeline->model->trace;
	const struct trace_call *calls = trace->calls;
	size_t end = search(trace->call_count, i,
			    calls[awaiting->ends[i]].end_ns <= awaiting->wait.end_ns);

	while (end-- > 0 && calls[awaiting->ends[end]].end_ns > awaiting->wait.start_ns)
		if (calls[awaiting->ends[end]].form->thread_id != thread_id &&
		    !is_query(calls[awaiting->ends[end]].form->function->class))
			return awaiting->ends[end];
	return NO_CALL;
}

/* The call that ended the wait before the call of this index; NO_CALL: not known. */
static uint32_t find_waker(struct awaiting *awaiting, uint32_t index)
{
	const struct timeline *timeline = awaiting->timeline;
	const struct trace_call *calls = timeline->model->trace->calls, *call = &calls[index];
	const struct timeline_call *row = &timeline->calls[index];
	uint32_t waker;

	if (!timeline->model->host || row->before == NO_CALL || row->gap_ns < AWAITED_LEAST_NS ||
	    calls[row->before].form->thread_id != call->form->thread_id)
		return NO_CALL;
	awaiting->is_found = false;
	host_record_each(timeline->model->host, call->form->thread_id,
			 (struct span){calls[row->before].end_ns, call->start_ns}, note_own_piece,
			 awaiting);
	if (!awaiting->is_found)
		return NO_CALL;
	waker = find_awaited(awaiting, call->form->thread_id);
	if (waker == NO_CALL || waker >= index || !can_have_ended(awaiting, &calls[waker]) ||
	    timeline_window_of(timeline, calls[waker].start_ns) !=
		    timeline_window_of(timeline, call->start_ns) ||
	    has_other_cause(awaiting))
		return NO_CALL;
	return waker;
}

/* The ids of threads that were looked at and make no calls. */
static void find_idle(const struct model *model, struct map *idle)
{
	const struct trace *trace = model->trace;
	const struct host_record *host = model->host;
	struct map calling = {0};

	for (size_t i = 0; host && i < trace->call_count; i++)
		map_add(&calling, trace->calls[i].form->thread_id, 0);
	for (size_t i = 0; host && i < host_thread_count(host); i++)
		if (map_find(&calling, host_thread_id(host, i)) == MAP_NONE)
			map_add(idle, host_thread_id(host, i), 0);
	map_free(&calling);
}

static void follow_call(struct timeline *timeline, uint32_t index, uint32_t other)
{
	const struct trace_call *calls = timeline->model->trace->calls;

	timeline->calls[index].before = other;
	timeline->calls[index].gap_ns = calls[index].start_ns - calls[other].end_ns;
}

void timeline_chain_handovers(struct timeline *timeline, const uint32_t *ends)
{
	const struct trace_call *calls = timeline->model->trace->calls;
	const size_t count = timeline->model->trace->call_count;
	const struct host_chains *chains = timeline->model->host_chains;
	struct map idle = {0};
	struct awaiting awaiting = {.timeline = timeline, .ends = ends, .idle = &idle};
	uint32_t last = NO_CALL; /* to end, of the threads of chains */
	size_t ended = 0;

	find_idle(timeline->model, &idle);
	for (uint32_t i = 0; timeline->model->host && i < count; i++) {
		uint32_t other;

		for (; ended < count && calls[ends[ended]].end_ns <= calls[i].start_ns &&
		       ends[ended] < i;
		     ended++)
			if (chains && host_chains_has(chains, calls[ends[ended]].form->thread_id))
				last = ends[ended];
		if (chains && host_chains_has(chains, calls[i].form->thread_id) &&
		    is_handed_over(timeline, i, last))
			other = last;
		else
			other = find_waker(&awaiting, i);
		if (other != NO_CALL)
			follow_call(timeline, i, other);
	}
	map_free(&idle);
}
