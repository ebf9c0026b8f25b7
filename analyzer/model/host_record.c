#include "model/host_record.h"

#include "base/minmax.h"
#include "base/mix.h"
#include "base/search.h"
#include "base/vector.h"
#include "model/host_callee.h"
#include "trace/thread_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The states [first, first + count) of the trace are the thread's. */
struct host_thread {
	uint32_t id;
	size_t first, count;
};

struct host_record_index {
	VECTOR(struct host_thread) threads;
	struct thread_calls calls;
	size_t *last_end;   /* by position in calls.rows: of the thread's up to it the one that ends
			     * last */
	uint32_t *doings;   /* by index in trace->host_states */
	bool *are_of_calls; /* by index in trace->host_states: the first look fell into a call */
	struct arena texts;
};

/* While it is made. */
struct interning {
	struct host_record *work;
	VECTOR(struct host_doing) doings;
	struct map by_look; /* of site, state and name */
	struct map by_text; /* of a line's text and the state */
	struct map lines;   /* of a line's text: struct host_doing.line */
};

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

static void note_threads(struct host_record *work)
{
	const struct trace *trace = work->trace;
	struct host_record_index *index = work->index;

	for (size_t i = 0; i < trace->host_state_count; i++) {
		if (!i || trace->host_states[i].thread_id != trace->host_states[i - 1].thread_id)
			*vector_add(&index->threads) =
				(struct host_thread){trace->host_states[i].thread_id, i, 0};
		index->threads.items[index->threads.count - 1].count++;
	}
}

static void note_looks_in_calls(struct host_record *work)
{
	const struct trace *trace = work->trace;

	for (size_t i = 0; i < trace->host_state_count; i++) {
		const struct trace_host_state *state = &trace->host_states[i];
		size_t position = thread_calls_from(trace, &work->index->calls, state->thread_id,
						    state->start_ns + 1);
		const struct trace_call *call = call_before(work, position, state->thread_id);

		work->index->are_of_calls[i] = call && call->end_ns > state->start_ns;
	}
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return mix(hash, 0);
}

static uint64_t mix_line(const struct host_doing *doing)
{
	uint64_t hash = mix_text(mix_text(0, doing->site.file), doing->site.module);

	hash = mix(hash, (uint64_t)doing->site.line);
	if (!doing->site.file)
		hash = mix_text(hash, doing->site.function);
	return mix_text(hash, doing->called);
}

static bool are_same_texts(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool are_same(const struct host_doing *a, const struct host_doing *b)
{
	return a->state == b->state && a->line == b->line && are_same_texts(a->name, b->name);
}

static bool are_of_line(const struct host_doing *a, const struct host_doing *b)
{
	return !site_compare(&a->site, &b->site) && are_same_texts(a->called, b->called) &&
	       (a->site.file || are_same_texts(a->site.function, b->site.function));
}

/* The number of the line, and in *doing, too. Texts of one hash that differ get the next ones. */
static void number_line(struct interning *interning, struct host_doing *doing)
{
	uint64_t key = mix_line(doing);
	size_t found;

	for (;; key++) {
		found = map_find(&interning->lines, key);
		if (found >= interning->doings.count) /* MAP_NONE, too */
			break;
		if (are_of_line(doing, &interning->doings.items[found])) {
			doing->line = interning->doings.items[found].line;
			return;
		}
	}
	doing->line = (uint32_t)interning->lines.count;
	map_add(&interning->lines, key, interning->doings.count);
}

static uint32_t intern_doing(struct interning *interning, struct host_doing doing)
{
	uint64_t key;
	size_t found;

	number_line(interning, &doing);
	key = mix_text(mix(mix(0, doing.line), doing.state), doing.name);
	for (;; key++) {
		found = map_find(&interning->by_text, key);
		if (found == MAP_NONE)
			break;
		if (are_same(&doing, &interning->doings.items[found]))
			return (uint32_t)found;
	}
	map_add(&interning->by_text, key, interning->doings.count);
	*vector_add(&interning->doings) = doing;
	return (uint32_t)interning->doings.count - 1;
}

static uint32_t intern_state(struct interning *interning, const struct trace_host_state *state)
{
	uint64_t key =
		mix(mix(mix(1, (uintptr_t)state->site), state->state), (uintptr_t)state->name);
	size_t found = map_find(&interning->by_look, key);

	if (found == MAP_NONE) {
		struct host_doing doing = {
			.state = state->state,
			.site = site_describe(interning->work->trace, state->site, NULL),
			.name = state->name};

		if (!doing.site.file)
			doing.site.offset = 0;
		doing.called = host_callee(state->site, doing.site.is_python,
					   &interning->work->index->texts);
		if (!doing.called)
			doing.called = framework_name(doing.site.framework);
		found = intern_doing(interning, doing);
		map_add(&interning->by_look, key, found);
	}
	return (uint32_t)found;
}

static void intern_states(struct host_record *work)
{
	const struct trace *trace = work->trace;
	struct interning interning = {.work = work};
	size_t count;

	for (size_t i = 0; i < trace->host_state_count; i++)
		work->index->doings[i] = intern_state(&interning, &trace->host_states[i]);
	vector_move(&interning.doings, work->doings, count);
	work->doing_count = (uint32_t)count;
	map_free(&interning.lines);
	map_free(&interning.by_text);
	map_free(&interning.by_look);
}

struct host_record *host_record_create(const struct trace *trace)
{
	struct host_record *work;

	if (!trace->host_state_count)
		return NULL;
	work = memory_array(1, sizeof(*work));
	work->trace = trace;
	work->index = memory_array(1, sizeof(*work->index));
	work->index->calls = thread_calls_sort(trace);
	work->index->doings = memory_array(trace->host_state_count, sizeof(*work->index->doings));
	work->index->are_of_calls =
		memory_array(trace->host_state_count, sizeof(*work->index->are_of_calls));
	note_last_ends(work);
	note_threads(work);
	note_looks_in_calls(work);
	intern_states(work);
	return work;
}

void host_record_free(struct host_record *work)
{
	if (!work)
		return;
	arena_free(&work->index->texts);
	vector_free(&work->index->threads);
	free(work->index->are_of_calls);
	free(work->index->doings);
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
				   .state = &cutting->work->trace->host_states[index]};

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
	const struct host_record_index *index = cutting->work->index;
	const struct trace_host_state *states = cutting->work->trace->host_states;
	size_t thread = search(index->threads.count, i, index->threads.items[i].id < thread_id);

	if (thread == index->threads.count || index->threads.items[thread].id != thread_id)
		return;
	cutting->states_end =
		index->threads.items[thread].first + index->threads.items[thread].count;
	cutting->state = search_from(index->threads.items[thread].first, cutting->states_end, i,
				     states[i].end_ns <= time_ns);
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
