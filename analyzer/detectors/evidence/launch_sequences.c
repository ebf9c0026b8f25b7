#include "detectors/evidence/launch_sequences.h"

#include "base/minmax.h"
#include "base/mix.h"
#include "base/sort.h"
#include "base/thresholds.h"
#include "detectors/evidence/launch_periods.h"
#include "detectors/evidence/launch_ways.h"
#include "model/repeats.h"
#include "replay/observed/evidence.h"

#include <assert.h>
#include <stdlib.h>

/* In a thread: a launch, or what ends a sequence. */
struct step {
	size_t call; /* in by_thread */
	bool is_end;
	bool is_rare; /* it ends one by work that mostly is not there */
};

struct thread {
	const struct observed *observed;
	struct launch_sequences *sequences;
	struct launch_ways ways;
	VECTOR(struct step) steps;
	VECTOR(uint64_t) symbols; /* of the steps */
	VECTOR(int64_t) works;	  /* of the host's own, before each step */
};

enum role { ROLE_LAUNCH, ROLE_NONE, ROLE_END };

/* A node of a graph reads and writes pinned memory as any copy does; with pageable memory it cannot
 * be captured. */
static bool is_graph_copy(const struct trace_operation *operation)
{
	return operation && operation->form->src_kind && operation->form->dst_kind &&
	       !rates_is_pageable(operation);
}

/* Whether the call waited for the device; a launch's queue that is full is no wait for a graph. */
static bool has_waited(const struct observed *observed, const struct trace_call *call)
{
	struct evidence_split split = evidence_of(observed->evidence, call).split;

	return split.stream_ns + split.other_streams_ns + split.function_ns + split.copy_ns > 0;
}

static enum role role_of(const struct observed *observed, const struct trace_call *call)
{
	switch (call->form->function->class) {
	case CLASS_LAUNCH:
		return ROLE_LAUNCH;
	case CLASS_SET:
		return has_waited(observed, call) ? ROLE_END : ROLE_LAUNCH;
	case CLASS_COPY:
		return is_graph_copy(call->operation) && !has_waited(observed, call) ? ROLE_LAUNCH
										     : ROLE_END;
	case CLASS_OTHER:
	case CLASS_HOST_FUNCTION:
	case CLASS_STREAM_QUERY:
	case CLASS_EVENT_QUERY:
	case CLASS_EVENT_ELAPSED:
	case CLASS_EVENT_RECORD:
	case CLASS_STREAM_WAIT_EVENT:
		return has_waited(observed, call) ? ROLE_END : ROLE_NONE;
	default:
		return ROLE_END;
	}
}

/* What makes two launches the same node of a graph, but for their arguments. */
static uint64_t symbol_of(const struct trace_call *call)
{
	const struct trace_operation *operation = call->operation;
	uint64_t hash = mix(1, (uint64_t)(uintptr_t)call->form->function);

	if (!operation)
		return hash;
	hash = mix(hash, (uint64_t)(uintptr_t)operation->form->name);
	hash = mix(hash, (uint64_t)(uintptr_t)operation->form->stream);
	hash = mix(hash, operation->form->blocks);
	hash = mix(hash, operation->form->size_bytes);
	return mix(hash, operation->form->block_threads);
}

static void add_step(struct thread *thread, struct step step, uint64_t symbol, int64_t work_ns)
{
	*vector_add(&thread->steps) = step;
	*vector_add(&thread->works) = work_ns;
	*vector_add(&thread->symbols) = symbol;
}

static void note_work(void *context, size_t index, const struct trace_call *before, int64_t work_ns)
{
	struct thread *thread = context;

	launch_ways_note(
		&thread->ways, before,
		&thread->observed->model->trace->calls[thread->sequences->by_thread[index]],
		work_ns >= SEQUENCE_WORK_NS);
}

/* Nothing repeats itself across the slices of a sample: each end is another one. */
static void end_window(struct thread *thread, size_t index, const struct trace_call *before)
{
	const struct trace *trace = thread->observed->model->trace;
	uint32_t call = thread->sequences->by_thread[index];
	size_t window;

	if (!trace->is_sample || !before)
		return;
	window = trace_row_with(trace, call);
	if (window != trace_row_with(trace, (uint32_t)(before - trace->calls)))
		add_step(thread, (struct step){index, true, false}, mix(3, window), 0);
}

static void take_call(void *context, size_t index, const struct trace_call *before, int64_t work_ns)
{
	struct thread *thread = context;
	const struct trace_call *call =
		&thread->observed->model->trace->calls[thread->sequences->by_thread[index]];
	enum role role = role_of(thread->observed, call);

	end_window(thread, index, before);
	if (work_ns >= SEQUENCE_WORK_NS)
		add_step(thread,
			 (struct step){index, true,
				       launch_ways_is_rarely_long(&thread->ways, before, call)},
			 0, 0);
	if (role == ROLE_LAUNCH)
		add_step(thread, (struct step){index, false, false}, symbol_of(call), work_ns);
	else if (role == ROLE_END)
		add_step(thread, (struct step){index, true, false},
			 mix(2, (uint64_t)(uintptr_t)call->form->function), 0);
}

/* Its kernel's, or the host memory that a copy reads or writes. */
static uint64_t arguments_of_call(const struct trace_call *call)
{
	const struct trace_operation *operation = call->operation;
	uint64_t hash = (uint64_t)(uintptr_t)call->form->arguments;

	if (operation && operation->form->kind == OPERATION_COPY &&
	    operation->form->engine == ENGINE_H2D)
		hash = mix(hash, call->form->src);
	if (operation && operation->form->kind == OPERATION_COPY &&
	    operation->form->engine == ENGINE_D2H)
		hash = mix(hash, call->form->dst);
	return hash;
}

static uint64_t arguments_of(const struct thread *thread, size_t first, size_t end)
{
	const struct trace_call *calls = thread->observed->model->trace->calls;
	uint64_t hash = 0;

	for (size_t i = first; i < end; i++)
		hash = mix(
			hash,
			arguments_of_call(
				&calls[thread->sequences->by_thread[thread->steps.items[i].call]]));
	return hash;
}

/* The copies of what one repeat is made of. */
struct copies {
	struct thread *thread;
	const struct repeat *repeat;
	size_t begin;	      /* of the period: behind so many steps of the repeat */
	struct map kinds;     /* where in the period it begins and how long it is: its kind */
	struct map firsts;    /* of a kind, the first step of its first copy */
	struct map latest;    /* of a kind, the first step of its last copy so far */
	struct map arguments; /* hashes of kinds with their arguments that were seen */
};

static const struct trace_call *call_of(const struct thread *thread, size_t step)
{
	return &thread->observed->model->trace
			->calls[thread->sequences->by_thread[thread->steps.items[step].call]];
}

/* Whether the pointer is not where the graph has what `captured` pointed to: by *places, from captured
 * pointers to those of this copy. */
static bool is_moved(struct map *places, uint64_t captured, uint64_t pointer)
{
	size_t place = map_find(places, captured);

	map_set(places, captured, (size_t)pointer);
	return pointer != (place == MAP_NONE ? captured : place);
}

/* Whether the launch is given a pointer that a graph of the other does not have. */
static bool is_renewed(struct map *places, const struct trace_call *call,
		       const struct trace_call *captured)
{
	const struct trace_arguments *now = call->form->arguments;
	const struct trace_arguments *then = captured->form->arguments;
	bool is_renewed = false;

	if (!now || !then)
		return arguments_of_call(call) != arguments_of_call(captured) && !now == !then;
	for (size_t i = 0; i < now->count && i < then->count; i++)
		is_renewed |= is_moved(places, then->items[i].address, now->items[i].address);
	return is_renewed || now->count != then->count;
}

static void find_renewed(const struct copies *copies, size_t first, size_t captured,
			 struct launch_sequence *sequence)
{
	struct map places = {0};

	for (size_t i = 0; i < sequence->launches; i++) {
		const struct trace_call *call = call_of(copies->thread, first + i);

		if (!is_renewed(&places, call, call_of(copies->thread, captured + i)))
			continue;
		sequence->renewed_calls_ns += call->end_ns - call->start_ns;
		if (call->operation)
			sequence->renewed_ns += call->operation->end_ns - call->operation->start_ns;
	}
	map_free(&places);
}

static size_t count_changed(const struct copies *copies, size_t first, size_t before,
			    size_t launches)
{
	size_t changed = 0;

	for (size_t i = 0; i < launches; i++)
		changed += arguments_of_call(call_of(copies->thread, first + i)) !=
			   arguments_of_call(call_of(copies->thread, before + i));
	return changed;
}

/* The steps from first to before end. */
static void add_sequence(struct copies *copies, size_t first, size_t end)
{
	struct thread *thread = copies->thread;
	struct launch_sequences *sequences = thread->sequences;
	size_t offset = (first - copies->repeat->first) % copies->repeat->period;
	uint64_t key = (uint64_t)offset << 32 | (uint32_t)(end - first);
	size_t kind = map_find(&copies->kinds, key);
	struct launch_sequence sequence = {.launches = end - first};

	if (end - first < 2)
		return;
	sequence.first = thread->steps.items[first].call;
	sequence.last = thread->steps.items[end - 1].call;
	if (kind == MAP_NONE) {
		kind = sequences->kind_count++;
		map_add(&copies->kinds, key, kind);
		map_add(&copies->firsts, kind, first);
		map_set(&copies->latest, kind, first);
	}
	sequence.kind = kind;
	sequence.changed =
		count_changed(copies, first, map_find(&copies->latest, kind), sequence.launches);
	map_set(&copies->latest, kind, first);
	if (map_add(&copies->arguments, mix(kind, arguments_of(thread, first, end)), 0))
		find_renewed(copies, first, map_find(&copies->firsts, kind), &sequence);
	*vector_add(&sequences->found) = sequence;
}

static bool is_end(const struct thread *thread, size_t step)
{
	return step == thread->steps.count || thread->steps.items[step].is_end;
}

/* What lies between ends; what the repeat cuts is left out. */
static void take_between_ends(struct copies *copies)
{
	const struct thread *thread = copies->thread;
	size_t first = copies->repeat->first;
	bool is_whole = first == 0 || is_end(thread, first - 1);

	for (size_t i = first; i <= copies->repeat->end; i++) {
		if (!is_end(thread, i))
			continue;
		if (is_whole)
			add_sequence(copies, first, i);
		first = i + 1;
		is_whole = true;
	}
}

/* No end in a period: whole periods, several where they are short. */
static void take_periods(struct copies *copies)
{
	const struct repeat *repeat = copies->repeat;
	size_t first = repeat->first + copies->begin;
	size_t periods = (SEQUENCE_LEAST_LAUNCHES + repeat->period - 1) / repeat->period;
	size_t most = (repeat->end - first) / repeat->period / REPEAT_LEAST_TIMES, length;

	periods = periods < most ? periods : most;
	length = (periods ? periods : 1) * repeat->period;
	for (; first + length <= repeat->end; first += length)
		add_sequence(copies, first, first + length);
}

static void take_repeat(struct thread *thread, const struct repeat *repeat, size_t begin)
{
	struct copies copies = {.thread = thread, .repeat = repeat, .begin = begin};
	bool has_end = false;

	assert(repeat->period && thread->steps.items); /* what repeats has steps */
	for (size_t i = repeat->first; i < repeat->first + repeat->period; i++)
		has_end |= thread->steps.items[i].is_end;
	if (has_end)
		take_between_ends(&copies);
	else
		take_periods(&copies);
	map_free(&copies.arguments);
	map_free(&copies.firsts);
	map_free(&copies.latest);
	map_free(&copies.kinds);
}

/* How many launches fewer there are, with a graph for each sequence that the steps repeat. */
static size_t take_steps(struct thread *thread)
{
	struct launch_sequences *sequences = thread->sequences;
	size_t count, first = sequences->found.count, launches = 0;
	struct repeat *repeats = repeats_find(thread->symbols.items, thread->symbols.count,
					      REPEAT_LEAST_TIMES, &count);
	size_t *begins;

	begins = launch_periods_find(thread->symbols.items, thread->works.items, repeats, count);
	for (size_t i = 0; i < count; i++)
		take_repeat(thread, &repeats[i], begins[i]);
	free(begins);
	free(repeats);
	for (size_t i = first; i < sequences->found.count; i++)
		launches += sequences->found.items[i].launches - 1;
	return launches;
}

/* Whether there was any. */
static bool drop_rare_ends(struct thread *thread)
{
	size_t kept = 0, count = thread->steps.count;

	for (size_t i = 0; i < count; i++) {
		if (thread->steps.items[i].is_rare)
			continue;
		thread->steps.items[kept] = thread->steps.items[i];
		thread->works.items[kept] = thread->works.items[i];
		thread->symbols.items[kept++] = thread->symbols.items[i];
	}
	thread->steps.count = thread->works.count = thread->symbols.count = kept;
	return kept < count;
}

/* Empties the thread. The host's regular work ends a step. Delays by chance, such as a thread not
 * woken at once, are ignored: they would hide that the launches repeat, and graphs can take more
 * without them. */
static void take_thread(struct thread *thread)
{
	struct launch_sequences *sequences = thread->sequences;
	size_t first = sequences->found.count, launches = take_steps(thread);
	size_t end = sequences->found.count;

	if (drop_rare_ends(thread)) {
		if (take_steps(thread) <= launches) {
			sequences->found.count = end;
		} else {
			for (size_t i = end; i < sequences->found.count; i++)
				sequences->found.items[first + i - end] = sequences->found.items[i];
			sequences->found.count -= end - first;
		}
	}
	thread->steps.count = thread->works.count = thread->symbols.count = 0;
}

/* Of which group of threads a call is; index in trace.calls. */
static uint32_t *sort_by_thread(const struct model *model)
{
	const struct trace *trace = model->trace;
	struct sort_key *rows = memory_array(trace->call_count, sizeof(*rows));
	uint32_t *by_thread = memory_array(trace->call_count, sizeof(*by_thread));

	for (size_t i = 0; i < trace->call_count; i++)
		rows[i] = (struct sort_key){model->thread_groups[i], (uint32_t)i};
	sort_by_key_once(rows, trace->call_count);
	for (size_t i = 0; i < trace->call_count; i++)
		by_thread[i] = rows[i].index;
	free(rows);
	return by_thread;
}

/* Each call, with the one of its group that ended last before it, and the host's work since that. */
static void each_call(struct thread *thread,
		      void (*take)(void *thread, size_t index, const struct trace_call *before,
				   int64_t work_ns),
		      void (*end)(struct thread *thread))
{
	const struct model *model = thread->observed->model;
	const uint32_t *by_thread = thread->sequences->by_thread;
	const struct trace_call *before = NULL;

	for (size_t i = 0; i < model->trace->call_count; i++) {
		const struct trace_call *call = &model->trace->calls[by_thread[i]];

		if (before &&
		    model->thread_groups[by_thread[i]] != model->thread_groups[by_thread[i - 1]]) {
			end(thread);
			before = NULL;
		}
		take(thread, i, before, before ? max_ns(0, call->start_ns - before->end_ns) : 0);
		if (!before || call->end_ns > before->end_ns)
			before = call;
	}
	end(thread);
}

static void take_nothing(struct thread *thread)
{
	(void)thread;
}

struct launch_sequences launch_sequences_find(const struct observed *observed)
{
	struct launch_sequences sequences = {.by_thread = sort_by_thread(observed->model)};
	struct thread thread = {.observed = observed, .sequences = &sequences};

	each_call(&thread, note_work, take_nothing);
	each_call(&thread, take_call, take_thread);
	launch_ways_free(&thread.ways);
	vector_free(&thread.steps);
	vector_free(&thread.works);
	vector_free(&thread.symbols);
	return sequences;
}

void launch_sequences_free(struct launch_sequences *sequences)
{
	vector_free(&sequences->found);
	free(sequences->by_thread);
}
