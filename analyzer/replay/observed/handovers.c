/*
 * Chains calls across the program's thread and the framework's threads that serve it
 * (model/host_chain.h): each waits until another one hands it work or a result.
 *
 * Evidence: the call comes SEQUENCE_WORK_NS or more behind its thread's call before, and its thread
 * waited for a thread when another one's call ended; or it comes right behind that call. Inference: it
 * follows the last of these calls.
 */
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

void timeline_chain_handovers(struct timeline *timeline, const uint32_t *ends)
{
	const struct trace_call *calls = timeline->model->trace->calls;
	const size_t count = timeline->model->trace->call_count;
	const struct host_chains *chains = timeline->model->host_chains;
	uint32_t last = NO_CALL; /* to end, of these threads */
	size_t ended = 0;

	for (uint32_t i = 0; chains && i < count; i++) {
		for (; ended < count && calls[ends[ended]].end_ns <= calls[i].start_ns &&
		       ends[ended] < i;
		     ended++)
			if (host_chains_has(chains, calls[ends[ended]].form->thread_id))
				last = ends[ended];
		if (!host_chains_has(chains, calls[i].form->thread_id) ||
		    !is_handed_over(timeline, i, last))
			continue;
		timeline->calls[i].before = last;
		timeline->calls[i].gap_ns = calls[i].start_ns - calls[last].end_ns;
	}
}
