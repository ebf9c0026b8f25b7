#include "base/minmax.h"
#include "base/search.h"
#include "model/host_record_private.h"

#include <math.h>
#include <stdlib.h>

static const struct trace_call *call_at(const struct host_record *work, size_t position)
{
	return &work->trace->calls[work->index->calls.rows[position].index];
}

static bool is_call_of(const struct host_record *work, size_t position, uint32_t thread_id)
{
	return position < work->index->calls.count &&
	       work->index->calls.rows[position].key == thread_id;
}

/* The call that the thread is in when it comes to the position in its calls; NULL: none before. */
static const struct trace_call *call_before(const struct host_record *work, size_t position,
					    uint32_t thread_id)
{
	return position > 0 && is_call_of(work, position - 1, thread_id)
		       ? call_at(work, work->index->last_end[position - 1])
		       : NULL;
}

static void note_last_ends(struct host_record *work)
{
	struct host_record_index *index = work->index;

	index->last_end = memory_array(index->calls.count, sizeof(*index->last_end));
	for (size_t i = 0; i < index->calls.count; i++) {
		const struct trace_call *before =
			call_before(work, i, (uint32_t)index->calls.rows[i].key);

		index->last_end[i] = before && before->end_ns > call_at(work, i)->end_ns
					     ? index->last_end[i - 1]
					     : i;
	}
}

static void note_sites(struct host_record *work)
{
	const struct trace *trace = work->trace;

	work->index->sites = memory_array(trace->site_count, sizeof(*work->index->sites));
	for (size_t i = 0; i < trace->site_count; i++)
		work->index->sites[i] =
			(struct host_site){host_frames_doing(&trace->sites[i]),
					   site_has_own_code(&trace->sites[i]), HOST_NOT_SEEN};
}

bool host_site_is_own(const struct host_record *work, const struct trace_site *site)
{
	return site && work->index->sites[site - work->trace->sites].is_own;
}

enum host_frame_doing host_site_doing(const struct host_record *work, const struct trace_site *site)
{
	return site ? work->index->sites[site - work->trace->sites].doing : HOST_FRAME_NOTHING;
}

static bool calls_from_own_code(const struct host_record *work, uint32_t thread_id)
{
	size_t position = thread_calls_from(work->trace, &work->index->calls, thread_id, INT64_MIN);

	for (; is_call_of(work, position, thread_id); position++)
		if (host_site_is_own(work, call_at(work, position)->form->site))
			return true;
	return false;
}

static void note_threads(struct host_record *work)
{
	const struct trace *trace = work->trace;
	struct host_record_index *index = work->index;

	for (size_t i = 0; i < trace->host_state_count; i++) {
		const struct trace_host_state *state = &trace->host_states[i];
		struct host_thread *thread;

		if (!i || state->thread_id != state[-1].thread_id)
			*vector_add(&index->threads) = (struct host_thread){
				state->thread_id, calls_from_own_code(work, state->thread_id), i,
				0};
		thread = &index->threads.items[index->threads.count - 1];
		thread->count++;
		thread->has_own_code |= host_site_is_own(work, state->site);
	}
}

static const struct host_thread *thread_of(const struct host_record *work, uint32_t thread_id)
{
	const struct host_record_index *index = work->index;
	size_t thread = search(index->threads.count, i, index->threads.items[i].id < thread_id);

	return thread < index->threads.count && index->threads.items[thread].id == thread_id
		       ? &index->threads.items[thread]
		       : NULL;
}

bool host_has_own_code(const struct host_record *work, uint32_t thread_id)
{
	const struct host_thread *thread = thread_of(work, thread_id);

	return thread ? thread->has_own_code : calls_from_own_code(work, thread_id);
}

const struct trace_call *host_next_call(const struct host_record *work, uint32_t thread_id,
					int64_t time_ns)
{
	size_t position = thread_calls_from(work->trace, &work->index->calls, thread_id, time_ns);

	return is_call_of(work, position, thread_id) ? call_at(work, position) : NULL;
}

/* Whether the outermost frame that is left of a stack is in a library that the whole one goes through. */
static bool is_rest_of(const struct trace_site *cut, const struct trace_site *whole)
{
	if (!cut || !cut->depth || cut->python_depth)
		return false;
	for (int i = 0; i < whole->depth; i++)
		if (whole->frames[i].module == cut->frames[cut->depth - 1].module)
			return true;
	return false;
}

/* The state's stack, if that is whole; else that of the state before or after it, which is told, if both
 * lie between the same calls. */
static const struct trace_site *told_beside(const struct host_record *work, size_t index,
					    size_t beside)
{
	const struct trace_host_state *state = &work->trace->host_states[index];
	const struct trace_host_state *other = &work->trace->host_states[beside];
	const struct trace_site *site = work->index->told[beside];

	if (site && state->thread_id == other->thread_id && is_rest_of(state->site, site) &&
	    host_next_call(work, state->thread_id, state->start_ns) ==
		    host_next_call(work, other->thread_id, other->start_ns))
		return site;
	return NULL;
}

static void note_told(struct host_record *work)
{
	const size_t count = work->trace->host_state_count;
	const struct trace_site **told = memory_array(count, sizeof(*told));

	work->index->told = told;
	for (size_t i = 0; i < count; i++) {
		const struct trace_site *site = work->trace->host_states[i].site;

		told[i] = host_site_is_own(work, site) && !site_is_in_call(site) ? site
			  : i ? told_beside(work, i, i - 1)
			      : NULL;
	}
	for (size_t i = count; i-- > 1;)
		if (!told[i - 1])
			told[i - 1] = told_beside(work, i - 1, i);
}

const struct trace_site *host_site_of(const struct host_record *work,
				      const struct trace_host_state *state)
{
	const struct trace_site *told = work->index->told[state - work->trace->host_states];
	const struct trace_call *next;

	if (told || !host_has_own_code(work, state->thread_id))
		return told ? told : state->site;
	next = host_next_call(work, state->thread_id, state->start_ns);
	return next && host_site_is_own(work, next->form->site) ? next->form->site : state->site;
}

static void note_looks_in_calls(struct host_record *work)
{
	const struct trace *trace = work->trace;

	for (size_t i = 0; i < trace->host_state_count; i++) {
		const struct trace_host_state *state = &trace->host_states[i];
		size_t position = thread_calls_from(trace, &work->index->calls, state->thread_id,
						    state->start_ns + 1);
		const struct trace_call *call = call_before(work, position, state->thread_id);

		/* A sample serves several looks. */
		work->index->are_of_calls[i] = (call && call->end_ns > state->start_ns) ||
					       (state->site && site_is_in_call(state->site));
	}
}

struct host_record *host_record_index(const struct trace *trace)
{
	struct host_record *work = memory_array(1, sizeof(*work));

	work->trace = trace;
	work->index = memory_array(1, sizeof(*work->index));
	work->index->calls = thread_calls_sort(trace);
	work->index->doings = memory_array(trace->host_state_count, sizeof(*work->index->doings));
	work->index->are_of_calls =
		memory_array(trace->host_state_count, sizeof(*work->index->are_of_calls));
	note_last_ends(work);
	note_sites(work);
	note_threads(work);
	note_told(work);
	note_looks_in_calls(work);
	return work;
}

void host_record_free(struct host_record *work)
{
	if (!work)
		return;
	arena_free(&work->index->texts);
	vector_free(&work->index->threads);
	free(work->index->told);
	free(work->index->are_of_calls);
	free(work->index->doings);
	free(work->index->sites);
	free(work->index->last_end);
	free(work->index->calls.rows);
	free(work->index);
	free(work->doings);
	free(work);
}

uint32_t host_doing_of(const struct host_record *work, const struct trace_host_state *state)
{
	return work->index->doings[state - work->trace->host_states];
}

uint32_t host_doing_of_call(const struct host_record *work, const struct trace_call *call)
{
	return call->form->site ? work->index->sites[call->form->site - work->trace->sites].of_call
				: HOST_NOT_SEEN;
}

size_t host_thread_count(const struct host_record *work)
{
	return work->index->threads.count;
}

uint32_t host_thread_id(const struct host_record *work, size_t thread)
{
	return work->index->threads.items[thread].id;
}

/* A thread's time, being cut. */
struct cutting {
	const struct host_record *work;
	size_t state, states_end; /* the next state, and behind the thread's last */
	host_piece_function piece;
	void *context;
};

static void cut_seen(const struct cutting *cutting, struct span span, size_t index)
{
	const struct host_record_index *work = cutting->work->index;
	struct host_piece piece = {.span = span,
				   .kind = HOST_SEEN,
				   .doing = work->doings[index],
				   .state = &cutting->work->trace->host_states[index],
				   .at = &cutting->work->trace->host_states[index]};

	if (work->are_of_calls[index]) {
		piece.kind = HOST_BETWEEN_LOOKS;
		piece.doing = HOST_NOT_SEEN;
	}
	cutting->piece(cutting->context, &piece);
}

static void cut_other(const struct cutting *cutting, struct span span,
		      const struct trace_call *call)
{
	struct host_piece piece = {.span = span,
				   .kind = call ? HOST_IN_CALL : HOST_UNSEEN,
				   .doing = HOST_NOT_SEEN,
				   .call = call};

	if (span.end_ns > span.start_ns)
		cutting->piece(cutting->context, &piece);
}

/* Between calls. */
static void cut_states(struct cutting *cutting, struct span span)
{
	const struct trace_host_state *states = cutting->work->trace->host_states;
	int64_t at_ns = span.start_ns;

	while (at_ns < span.end_ns) {
		const struct trace_host_state *state;
		int64_t until_ns;

		while (cutting->state < cutting->states_end &&
		       states[cutting->state].end_ns <= at_ns)
			cutting->state++;
		if (cutting->state == cutting->states_end)
			break;
		state = &states[cutting->state];
		if (state->start_ns >= span.end_ns)
			break;
		cut_other(cutting, (struct span){at_ns, state->start_ns}, NULL);
		at_ns = max_ns(at_ns, state->start_ns);
		until_ns = min_ns(state->end_ns, span.end_ns);
		cut_seen(cutting, (struct span){at_ns, until_ns}, cutting->state);
		at_ns = until_ns;
	}
	cut_other(cutting, (struct span){at_ns, span.end_ns}, NULL);
}

static void find_states(struct cutting *cutting, uint32_t thread_id, int64_t time_ns)
{
	const struct trace_host_state *states = cutting->work->trace->host_states;
	const struct host_thread *thread = thread_of(cutting->work, thread_id);

	if (!thread)
		return;
	cutting->states_end = thread->first + thread->count;
	cutting->state =
		search_from(thread->first, cutting->states_end, i, states[i].end_ns <= time_ns);
}

void host_record_each(const struct host_record *work, uint32_t thread_id, struct span span,
		      host_piece_function piece, void *context)
{
	struct cutting cutting = {.work = work, .piece = piece, .context = context};
	size_t position =
		thread_calls_from(work->trace, &work->index->calls, thread_id, span.start_ns + 1);
	int64_t at_ns = span.start_ns;

	find_states(&cutting, thread_id, at_ns);
	while (at_ns < span.end_ns) {
		const struct trace_call *call = call_before(work, position, thread_id);
		int64_t until_ns = span.end_ns;

		if (call && call->end_ns > at_ns) {
			until_ns = min_ns(until_ns, call->end_ns);
			cut_other(&cutting, (struct span){at_ns, until_ns}, call);
		} else {
			if (is_call_of(work, position, thread_id))
				until_ns = min_ns(until_ns, call_at(work, position)->start_ns);
			cut_states(&cutting, (struct span){at_ns, until_ns});
		}
		at_ns = until_ns;
		while (is_call_of(work, position, thread_id) &&
		       call_at(work, position)->start_ns <= at_ns)
			position++;
	}
}

static double share_of(const struct trace_host_state *state, struct span span)
{
	return (double)(span.end_ns - span.start_ns) / (double)(state->end_ns - state->start_ns);
}

int64_t host_ready_ns_in(const struct trace_host_state *state, struct span span)
{
	return min_ns(span.end_ns - span.start_ns,
		      (int64_t)((double)state->ready_ns * share_of(state, span)));
}

double host_faults_in(const struct trace_host_state *state, struct span span)
{
	return state->faults < 0 ? -1 : (double)state->faults * share_of(state, span);
}

double host_system_ns_in(const struct trace_host_state *state, struct span span)
{
	return state->system_ns < 0 ? -1 : (double)state->system_ns * share_of(state, span);
}

bool host_has_look_in(const struct trace_host_state *state, struct span span)
{
	const double apart_ns = (double)(state->end_ns - state->start_ns) / max_ns(1, state->looks);
	const double before = ((double)(span.start_ns - state->start_ns)) / apart_ns;
	const double first = before > 0 ? ceil(before) : 0;

	return first < state->looks &&
	       (double)state->start_ns + first * apart_ns < (double)span.end_ns;
}

int64_t host_thread_ready_ns(const struct host_record *work, uint32_t thread_id, struct span span)
{
	struct cutting cutting = {.work = work};
	int64_t ready_ns = 0;

	find_states(&cutting, thread_id, span.start_ns);
	for (size_t i = cutting.state; i < cutting.states_end; i++) {
		const struct trace_host_state *state = &work->trace->host_states[i];
		const struct span both = {max_ns(span.start_ns, state->start_ns),
					  min_ns(span.end_ns, state->end_ns)};

		if (both.start_ns >= both.end_ns)
			break;
		ready_ns += host_ready_ns_in(state, both);
	}
	return ready_ns;
}
