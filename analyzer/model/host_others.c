/* Who ran while a thread waited (host_record.h). */
#include "base/minmax.h"
#include "base/mix.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "model/host_record.h"

#include <stdlib.h>

/* A time in which another thread did something during a wait. */
struct spell {
	struct span span;
	size_t item; /* in others->items */
};

typedef VECTOR(struct spell) spell_vector;

struct host_others_private {
	struct map by_key; /* of what they did: index in items */
	size_t capacity;   /* of items */
	/* Of the wait that is being added: of threads that ran, and of those that waited outside. */
	spell_vector ran, outside;
	VECTOR(struct span) busy; /* the times of `ran`, joined */
};

/* A wait, while another thread's time in it is looked through. */
struct awaiting {
	struct host_others *others;
	const struct host_record *work;
	const struct trace_host_state *wait;
	int64_t until_ns; /* by when a thread that woke it must have gone on */
	size_t thread;	  /* the other one */
};

static bool is_python(const struct trace_site *site)
{
	return site && site->python_depth > 0;
}

/* Whether the thread can have had the interpreter. */
static bool is_of_interpreter(const struct host_piece *piece)
{
	if (piece->call)
		return is_python(piece->call->form->site);
	return piece->state && is_python(piece->state->site);
}

static uint64_t key_of(const struct awaiting *awaiting, const struct host_piece *piece)
{
	const struct host_doing *doing;

	if (piece->call)
		return mix(mix(1, (uintptr_t)piece->call->form->site),
			   (uintptr_t)piece->call->form->function);
	doing = &awaiting->work->doings[piece->doing];
	return mix(mix(2, doing->line),
		   host_is_outside(doing->state) ? mix(doing->state, (uintptr_t)doing->name) : 0);
}

static size_t item_of(struct awaiting *awaiting, const struct host_piece *piece)
{
	struct host_others *others = awaiting->others;
	uint64_t key = key_of(awaiting, piece), bit = UINT64_C(1)
						      << awaiting->thread % HOST_OTHERS_THREADS;
	size_t index = map_find(&others->own->by_key, key);
	struct host_other *item;

	if (index == MAP_NONE) {
		index = others->count++;
		others->items = memory_grow(others->items, index, &others->own->capacity,
					    sizeof(*others->items));
		others->items[index] = (struct host_other){
			.doing = piece->doing,
			.call = piece->call,
			.thread_id = host_thread_id(awaiting->work, awaiting->thread)};
		map_add(&others->own->by_key, key, index);
	}
	item = &others->items[index];
	item->thread_count += !(item->threads & bit);
	item->threads |= bit;
	return index;
}

static void note_piece(void *context, const struct host_piece *piece)
{
	struct awaiting *awaiting = context;
	struct host_others_private *own = awaiting->others->own;
	bool is_outside;

	if (piece->kind != HOST_SEEN && piece->kind != HOST_IN_CALL)
		return;
	if (piece->state && host_is_wait_for_thread(piece->state->state))
		return;
	if (awaiting->wait->state == HOST_STATE_INTERPRETER && !is_of_interpreter(piece))
		return;
	is_outside = piece->state && host_is_outside(piece->state->state);
	if (is_outside && piece->state->end_ns > awaiting->until_ns)
		return;
	*vector_add(is_outside ? &own->outside : &own->ran) =
		(struct spell){piece->span, item_of(awaiting, piece)};
}

/* By item, then by time. */
static int compare_spells(const void *a, const void *b)
{
	const struct spell *x = a, *y = b;

	if (x->item != y->item)
		return x->item < y->item ? -1 : 1;
	return (x->span.start_ns > y->span.start_ns) - (x->span.start_ns < y->span.start_ns);
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* Adds to each item the time that its spells cover. */
static void add_spells(struct host_others *others, spell_vector *spells)
{
	int64_t covered_ns = INT64_MIN;

	vector_sort(spells, compare_spells);
	for (size_t i = 0; i < spells->count; i++) {
		const struct spell *spell = &spells->items[i];

		if (!i || spell[-1].item != spell->item)
			covered_ns = INT64_MIN;
		covered_ns = max_ns(covered_ns, spell->span.start_ns);
		others->items[spell->item].ns += max_ns(0, spell->span.end_ns - covered_ns);
		covered_ns = max_ns(covered_ns, spell->span.end_ns);
	}
}

/* Sorts and joins; returns how long they are. */
static int64_t join_spans(struct host_others_private *own, const spell_vector *spells)
{
	size_t kept = 0;
	int64_t sum_ns = 0;

	own->busy.count = 0;
	for (size_t i = 0; i < spells->count; i++)
		*vector_add(&own->busy) = spells->items[i].span;
	vector_sort(&own->busy, compare_spans);
	for (size_t i = 0; i < own->busy.count; i++) {
		const struct span span = own->busy.items[i];

		if (kept && own->busy.items[kept - 1].end_ns >= span.start_ns)
			own->busy.items[kept - 1].end_ns =
				max_ns(own->busy.items[kept - 1].end_ns, span.end_ns);
		else
			own->busy.items[kept++] = span;
	}
	own->busy.count = kept;
	for (size_t i = 0; i < kept; i++)
		sum_ns += own->busy.items[i].end_ns - own->busy.items[i].start_ns;
	return sum_ns;
}

/* Leaves of those that waited outside the times in which nobody ran. */
static void keep_quiet(struct host_others_private *own)
{
	spell_vector quiet = {0};

	for (size_t i = 0; i < own->outside.count; i++) {
		struct spell spell = own->outside.items[i];
		int64_t end_ns = spell.span.end_ns;

		for (size_t k = search(own->busy.count, at,
				       own->busy.items[at].end_ns <= spell.span.start_ns);
		     k < own->busy.count && own->busy.items[k].start_ns < end_ns; k++) {
			spell.span.end_ns = own->busy.items[k].start_ns;
			if (spell.span.end_ns > spell.span.start_ns)
				*vector_add(&quiet) = spell;
			spell.span.start_ns = own->busy.items[k].end_ns;
		}
		spell.span.end_ns = end_ns;
		if (spell.span.end_ns > spell.span.start_ns)
			*vector_add(&quiet) = spell;
	}
	vector_free(&own->outside);
	own->outside.items = quiet.items;
	own->outside.count = quiet.count;
	own->outside.capacity = quiet.capacity;
}

/* Looks of one row are about so far apart. */
static int64_t look_distance_ns(const struct trace_host_state *state)
{
	return (state->end_ns - state->start_ns) / (state->looks ? state->looks : 1);
}

void host_others_add(struct host_others *others, const struct host_record *work,
		     const struct trace_host_state *state, struct span span)
{
	struct awaiting awaiting = {.others = others,
				    .work = work,
				    .wait = state,
				    .until_ns = state->end_ns + look_distance_ns(state)};
	struct host_others_private *own;

	if (!others->own)
		others->own = memory_array(1, sizeof(*others->own));
	own = others->own;
	own->ran.count = own->outside.count = 0;
	for (awaiting.thread = 0; awaiting.thread < host_thread_count(work); awaiting.thread++) {
		uint32_t thread_id = host_thread_id(work, awaiting.thread);

		if (thread_id != state->thread_id)
			host_record_each(work, thread_id, span, note_piece, &awaiting);
	}
	others->wait_ns += span.end_ns - span.start_ns;
	others->known_ns += join_spans(own, &own->ran);
	keep_quiet(own);
	add_spells(others, &own->ran);
	add_spells(others, &own->outside);
	others->known_ns += join_spans(own, &own->outside);
}

static int compare_others(const void *a, const void *b)
{
	const struct host_other *x = a, *y = b;

	return (x->ns < y->ns) - (x->ns > y->ns);
}

void host_others_sort(struct host_others *others)
{
	size_t kept = 0;

	for (size_t i = 0; i < others->count; i++)
		if (others->items[i].ns > 0)
			others->items[kept++] = others->items[i];
	others->count = kept;
	if (kept)
		qsort(others->items, kept, sizeof(*others->items), compare_others);
}

void host_others_free(struct host_others *others)
{
	if (others->own) {
		map_free(&others->own->by_key);
		vector_free(&others->own->ran);
		vector_free(&others->own->outside);
		vector_free(&others->own->busy);
	}
	free(others->own);
	free(others->items);
}

const struct host_other *host_others_alone(const struct host_others *others)
{
	const struct host_other *first = others->items;

	return others->count && (double)first->ns >= HOST_ALONE_SHARE * (double)others->wait_ns
		       ? first
		       : NULL;
}
