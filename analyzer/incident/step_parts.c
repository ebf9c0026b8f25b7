#include "incident/step_parts.h"

#include "base/minmax.h"
#include "base/mix.h"
#include "base/search.h"
#include "detectors/host/line_kind.h"
#include "model/rates.h"
#include "trace/thread_calls.h"

#include <stdlib.h>
#include <string.h>

struct step_parts_private {
	VECTOR(struct step_part) rows;
	VECTOR(struct line_sum) running; /* by row: of the slow step, of a thread that ran */
	VECTOR(struct site) lines;
	struct map by_key;  /* to rows */
	struct map line_of; /* from a call's site to lines */
	struct map by_site; /* by hash_site(), to lines */
	struct thread_calls calls;
	int64_t longest_call_ns;
	struct host_record *record;
};

/* One step, being divided. */
struct dividing {
	struct step_parts *parts;
	const struct trace_step *step;
	bool is_slow;
};

struct step_parts *step_parts_create(const struct trace *trace)
{
	struct step_parts *parts = memory_array(1, sizeof(*parts));

	parts->own = memory_array(1, sizeof(*parts->own));
	parts->trace = trace;
	parts->slow_read_bytes = -1;
	parts->record = parts->own->record = host_record_create(trace);
	parts->own->calls = thread_calls_sort(trace);
	for (size_t i = 0; i < trace->call_count; i++)
		parts->own->longest_call_ns =
			max_ns(parts->own->longest_call_ns,
			       trace->calls[i].end_ns - trace->calls[i].start_ns);
	return parts;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = mix(hash, (unsigned char)*text);
	return hash;
}

/* Equal for sites that site_compare() calls equal. */
static uint64_t hash_site(const struct site *site)
{
	const uint64_t hash = hash_text(hash_text(0, site->file), site->module);

	return mix(mix(hash, (uint64_t)site->line), site->file ? 0 : site->offset);
}

/* Of sites with one hash others than the first are looked for among all: there are hardly any. */
static size_t find_line(struct step_parts_private *own, const struct site *described)
{
	const uint64_t hash = hash_site(described);
	size_t line = map_find(&own->by_site, hash);

	if (line == MAP_NONE) {
		map_add(&own->by_site, hash, own->lines.count);
		return own->lines.count;
	}
	if (!site_compare(&own->lines.items[line], described))
		return line;
	for (line = 0; line < own->lines.count; line++)
		if (!site_compare(&own->lines.items[line], described))
			break;
	return line;
}

/* The same number for the same line. */
static size_t line_of(struct step_parts *parts, const struct trace_site *site)
{
	struct step_parts_private *own = parts->own;
	const uint64_t key = (uint64_t)(uintptr_t)site;
	size_t line = map_find(&own->line_of, key);
	struct site described;

	if (line != MAP_NONE)
		return line;
	described = site_describe(parts->trace, site, NULL);
	line = find_line(own, &described);
	if (line == own->lines.count)
		*vector_add(&own->lines) = described;
	map_add(&own->line_of, key, line);
	return line;
}

static struct step_part *row_of(struct step_parts *parts, uint64_t key, const struct step_part *is)
{
	struct step_parts_private *own = parts->own;
	size_t row = map_find(&own->by_key, key);

	if (row == MAP_NONE) {
		row = own->rows.count;
		map_add(&own->by_key, key, row);
		*vector_add(&own->rows) = *is;
		own->rows.items[row].key = key;
		*vector_add(&own->running) = (struct line_sum){0};
	}
	return &own->rows.items[row];
}

static struct part_sum *side_of(const struct dividing *dividing, struct step_part *row)
{
	return dividing->is_slow ? &row->slow : &row->normal;
}

/* Adds ns of the span. */
static void add_time(const struct dividing *dividing, struct step_part *row, struct span span,
		     int64_t ns)
{
	side_of(dividing, row)->ns += ns;
	if (dividing->is_slow &&
	    span.end_ns - span.start_ns > row->span.end_ns - row->span.start_ns)
		row->span = span;
}

static uint64_t call_key(const struct trace_call *call, size_t line, enum part_what what,
			 bool is_elsewhere)
{
	return mix(mix(mix(what + 1, is_elsewhere), line),
		   (uint64_t)(uintptr_t)call->form->function);
}

static struct step_part *call_row(struct step_parts *parts, const struct trace_call *call,
				  enum part_what what, bool is_elsewhere)
{
	const size_t line = line_of(parts, call->form->site);
	const struct step_part is = {.what = what,
				     .function = call->form->function,
				     .site = parts->own->lines.items[line],
				     .line = line,
				     .thread_id = call->form->thread_id,
				     .is_elsewhere = is_elsewhere};

	return row_of(parts, call_key(call, line, what, is_elsewhere), &is);
}

static void count_call(const struct dividing *dividing, struct step_part *row,
		       const struct trace_call *call)
{
	struct part_sum *side = side_of(dividing, row);

	side->count++;
	side->bytes += call->form->size_bytes;
	if (!dividing->is_slow)
		return;
	if (!row->first)
		row->first = call;
	if (!row->longest ||
	    call->end_ns - call->start_ns > row->longest->end_ns - row->longest->start_ns)
		row->longest = call;
}

/* What looks found in a call, by kind. */
struct looks_inside {
	VECTOR(struct part_inside) kinds;
	struct map by_kind; /* kind_of_look(), to kinds */
};

/* The same number for what looks found of one kind. */
static uint64_t kind_of_look(const struct trace_host_state *state, enum host_frame_doing doing)
{
	return mix(mix((uint64_t)state->state + 1, (uint64_t)(uintptr_t)state->name), doing);
}

/* The first row of the thread that ends behind that time, or the first one of a later thread. */
static size_t first_state(const struct trace *trace, uint32_t thread_id, int64_t start_ns)
{
	return search(trace->host_state_count, i,
		      trace->host_states[i].thread_id < thread_id ||
			      (trace->host_states[i].thread_id == thread_id &&
			       trace->host_states[i].end_ns <= start_ns));
}

static int64_t stopped_in(const struct trace *trace, uint32_t thread_id, struct span span)
{
	int64_t ns = 0;

	for (size_t i = first_state(trace, thread_id, span.start_ns); i < trace->host_state_count;
	     i++) {
		const struct trace_host_state *state = &trace->host_states[i];

		if (state->thread_id != thread_id || state->start_ns >= span.end_ns)
			break;
		if (state->state == HOST_STATE_STOPPED)
			ns += min_ns(state->end_ns, span.end_ns) -
			      max_ns(state->start_ns, span.start_ns);
	}
	return ns;
}

/* The looks of one kind in a call so far. */
static struct part_inside *inside_of_kind(struct looks_inside *looks,
					  const struct trace_host_state *state)
{
	const enum host_frame_doing doing = host_frames_doing(state->site);
	const uint64_t key = kind_of_look(state, doing);
	size_t kind = map_find(&looks->by_kind, key);

	if (kind == MAP_NONE) {
		kind = looks->kinds.count;
		map_add(&looks->by_kind, key, kind);
		*vector_add(&looks->kinds) = (struct part_inside){state, doing, 0};
	}
	return &looks->kinds.items[kind];
}

/* The kind of state that took the longest in the call. */
static struct part_inside look_inside(const struct trace *trace, const struct trace_call *call)
{
	const uint32_t thread_id = call->form->thread_id;
	const size_t first = first_state(trace, thread_id, call->start_ns);
	struct looks_inside looks = {.by_kind = {0}};
	struct part_inside most = {0};

	for (size_t i = first; i < trace->host_state_count; i++) {
		const struct trace_host_state *state = &trace->host_states[i];
		struct part_inside *kind;

		if (state->thread_id != thread_id || state->start_ns >= call->end_ns)
			break;
		kind = inside_of_kind(&looks, state);
		kind->ns += min_ns(state->end_ns, call->end_ns) -
			    max_ns(state->start_ns, call->start_ns);
		if (kind->ns > most.ns)
			most = *kind;
	}
	vector_free(&looks.kinds);
	map_free(&looks.by_kind);
	return most;
}

/* Merges all lines: which one it was is chance. */
static void add_ready(struct dividing *dividing, struct span span, int64_t ns, struct site site)
{
	const struct step_part is = {.what = PART_READY, .thread_id = dividing->step->thread_id};
	struct step_part *row;

	if (ns <= 0)
		return;
	row = row_of(dividing->parts, PART_READY + 1, &is);
	if (dividing->is_slow &&
	    span.end_ns - span.start_ns > row->span.end_ns - row->span.start_ns)
		row->site = site;
	add_time(dividing, row, span, ns);
}

static void add_call(struct dividing *dividing, const struct trace_call *call, struct span span,
		     int64_t ns)
{
	struct step_parts *parts = dividing->parts;
	struct step_part *row = call_row(parts, call, PART_CALL, false);
	const int64_t ready_ns =
		parts->record ? min_ns(ns, host_thread_ready_ns(parts->record,
								call->form->thread_id, span))
			      : 0;

	add_time(dividing, row, span, ns - ready_ns);
	count_call(dividing, row, call);
	add_ready(dividing, span, ready_ns, row->site);
}

/* Adds time in which nobody looked. state: what a look before the thread's last call had found, or NULL. */
static void add_unseen(struct dividing *dividing, const struct trace_host_state *state,
		       struct span span, int64_t ns)
{
	const struct step_parts *parts = dividing->parts;
	const struct thread_calls *calls = &parts->own->calls;
	const uint32_t thread_id = dividing->step->thread_id;
	const size_t next = thread_calls_from(parts->trace, calls, thread_id, span.end_ns);
	const struct step_part is = {.what = PART_UNSEEN, .thread_id = thread_id};
	const int64_t ready_ns = state && state->state == HOST_STATE_RUNNING
					 ? min_ns(ns, host_ready_ns_in(state, span))
					 : 0;
	struct step_part *row;

	if (next < calls->count && calls->rows[next].key == thread_id)
		row = call_row(dividing->parts, &parts->trace->calls[calls->rows[next].index],
			       PART_UNSEEN, false);
	else
		row = row_of(dividing->parts, PART_UNSEEN + 1, &is);
	add_time(dividing, row, span, ns - ready_ns);
	add_ready(dividing, span, ready_ns, row->site);
}

/* Lines of one kind are one where the kind says it all. */
static struct step_part *state_row(struct step_parts *parts, const struct host_piece *piece)
{
	const struct host_doing *doing = &parts->record->doings[piece->doing];
	const bool runs = piece->state->state == HOST_STATE_RUNNING;
	const enum host_frame_doing frames = host_site_doing(parts->record, piece->state->site);
	struct step_part is = {.what = PART_STATE,
			       .kind = doing->action == HOST_ACTION_COMPILING ? HOST_KIND_COMPILE
				       : runs				      ? HOST_KIND_COUNT
					      : line_kind_of_wait(piece->state, frames),
			       .site = doing->site,
			       .doing = doing,
			       .state = piece->state,
			       .thread_id = piece->state->thread_id};
	uint64_t key = mix(PART_STATE + 1, is.kind);

	if (is.kind != HOST_KIND_GARBAGE)
		key = mix(mix(mix(key, doing->line), piece->state->state),
			  (uint64_t)(uintptr_t)doing->name);
	return row_of(parts, key, &is);
}

static void add_state(struct dividing *dividing, const struct host_piece *piece, int64_t ns)
{
	struct step_parts *parts = dividing->parts;
	struct step_part *row = state_row(parts, piece);
	const struct span longest = row->span;
	int64_t ready_ns = 0;
	double faults;

	if (piece->state->state == HOST_STATE_RUNNING)
		ready_ns = min_ns(ns, host_ready_ns_in(piece->state, piece->span));
	add_time(dividing, row, piece->span, ns - ready_ns);
	faults = host_faults_in(piece->state, piece->span);
	side_of(dividing, row)->faults += faults > 0 ? faults : 0;
	if (dividing->is_slow) {
		if (row->span.start_ns != longest.start_ns) {
			row->state = piece->state;
			row->doing = &parts->record->doings[piece->doing];
			row->site = row->doing->site;
		}
		if (row->kind == HOST_KIND_COUNT && ns > ready_ns)
			line_sum_add(&parts->own->running.items[row - parts->own->rows.items],
				     piece, ns - ready_ns,
				     host_site_doing(parts->record, piece->state->site));
		if (host_is_wait_for_thread(piece->state->state))
			host_others_add(&row->others, parts->record, piece->state, piece->span);
	}
	add_ready(dividing, piece->span, ready_ns, row->site);
}

static void divide_piece(void *context, const struct host_piece *piece)
{
	struct dividing *dividing = context;
	const int64_t stopped_ns =
		stopped_in(dividing->parts->trace, dividing->step->thread_id, piece->span);
	const int64_t ns = piece->span.end_ns - piece->span.start_ns - stopped_ns;
	const struct step_part is = {.what = PART_STOPPED, .thread_id = dividing->step->thread_id};

	if (stopped_ns)
		add_time(dividing, row_of(dividing->parts, PART_STOPPED + 1, &is), piece->span,
			 stopped_ns);
	if (ns <= 0)
		return;
	if (piece->kind == HOST_IN_CALL)
		add_call(dividing, piece->call, piece->span, ns);
	else if (piece->kind == HOST_SEEN && host_has_look_in(piece->state, piece->span))
		add_state(dividing, piece, ns);
	else
		add_unseen(dividing, piece->state, piece->span, ns);
}

/* Without host states: calls and what is between them. */
static void divide_by_calls(struct dividing *dividing, struct span span)
{
	const struct step_parts *parts = dividing->parts;
	const struct thread_calls *calls = &parts->own->calls;
	const uint32_t thread_id = dividing->step->thread_id;
	size_t at = thread_calls_from(parts->trace, calls, thread_id, span.start_ns);
	int64_t done_ns = span.start_ns;

	for (; at < calls->count && calls->rows[at].key == thread_id; at++) {
		const struct trace_call *call = &parts->trace->calls[calls->rows[at].index];
		const int64_t end_ns = min_ns(call->end_ns, span.end_ns);

		if (call->start_ns >= span.end_ns)
			break;
		if (call->start_ns < done_ns) /* inside of the one before */
			continue;
		if (call->start_ns > done_ns)
			add_unseen(dividing, NULL, (struct span){done_ns, call->start_ns},
				   call->start_ns - done_ns);
		add_call(dividing, call, (struct span){call->start_ns, end_ns},
			 end_ns - call->start_ns);
		done_ns = end_ns;
	}
	if (done_ns < span.end_ns)
		add_unseen(dividing, NULL, (struct span){done_ns, span.end_ns},
			   span.end_ns - done_ns);
}

static void count_others(struct dividing *dividing, struct span span)
{
	const struct trace *trace = dividing->parts->trace;
	/* A call that began earlier has ended before the step. */
	const int64_t earliest_ns = span.start_ns - dividing->parts->own->longest_call_ns;
	size_t i = search(trace->call_count, k, trace->calls[k].start_ns < earliest_ns);

	for (; i < trace->call_count && trace->calls[i].start_ns < span.end_ns; i++) {
		const struct trace_call *call = &trace->calls[i];
		const struct span both = {max_ns(span.start_ns, call->start_ns),
					  min_ns(span.end_ns, call->end_ns)};
		struct step_part *row;

		if (call->form->thread_id == dividing->step->thread_id ||
		    both.end_ns <= both.start_ns)
			continue;
		row = call_row(dividing->parts, call, PART_CALL, true);
		add_time(dividing, row, both, both.end_ns - both.start_ns);
		count_call(dividing, row, call);
	}
}

void step_parts_add(struct step_parts *parts, const struct trace_step *step, enum step_kind kind)
{
	const struct span span = {step->start_ns, step->end_ns};
	struct dividing dividing = {.parts = parts, .step = step, .is_slow = kind == STEP_SLOW};

	if (dividing.is_slow) {
		parts->slow_ns = span.end_ns - span.start_ns;
		parts->slow_read_bytes = step->read_bytes;
	} else {
		parts->normal_count++;
		parts->normal_read_bytes += max_ns(0, step->read_bytes);
		parts->normal_read_count += step->read_bytes >= 0;
	}
	if (parts->record)
		host_record_each(parts->record, step->thread_id, span, divide_piece, &dividing);
	else
		divide_by_calls(&dividing, span);
	count_others(&dividing, span);
}

static double mean_of(const struct step_parts *parts, double sum)
{
	return parts->normal_count ? sum / (double)parts->normal_count : 0;
}

double step_part_normal_ns(const struct step_parts *parts, const struct step_part *part)
{
	return mean_of(parts, (double)part->normal.ns);
}

double step_part_normal_count(const struct step_parts *parts, const struct step_part *part)
{
	return mean_of(parts, (double)part->normal.count);
}

double step_part_normal_bytes(const struct step_parts *parts, const struct step_part *part)
{
	return mean_of(parts, (double)part->normal.bytes);
}

double step_parts_normal_read(const struct step_parts *parts)
{
	return parts->normal_read_count
		       ? (double)parts->normal_read_bytes / (double)parts->normal_read_count
		       : 0;
}

/* The thread's own rows first. */
static int compare_rows(const void *a, const void *b)
{
	const struct step_part *x = a, *y = b;

	if (x->is_elsewhere != y->is_elsewhere)
		return x->is_elsewhere - y->is_elsewhere;
	if (x->extra_ns != y->extra_ns)
		return x->extra_ns < y->extra_ns ? 1 : -1;
	return (x->span.start_ns > y->span.start_ns) - (x->span.start_ns < y->span.start_ns);
}

static void settle_row(struct step_parts *parts, struct step_part *row,
		       const struct line_sum *running)
{
	struct host_part part = {.kind = row->kind, .ns = row->slow.ns};

	row->extra_ns = row->slow.ns - (int64_t)step_part_normal_ns(parts, row);
	if (row->what == PART_STATE && row->kind == HOST_KIND_COUNT) {
		line_kind_settle(&part, running, rates_fault_ns(parts->trace));
		row->kind = part.kind;
	}
	if (row->what == PART_CALL && row->longest)
		row->inside = look_inside(parts->trace, row->longest);
	host_others_sort(&row->others);
}

void step_parts_settle(struct step_parts *parts)
{
	struct step_parts_private *own = parts->own;

	for (size_t i = 0; i < own->rows.count; i++)
		settle_row(parts, &own->rows.items[i], &own->running.items[i]);
	vector_sort(&own->rows, compare_rows);
	for (size_t i = 0; i < own->rows.count; i++)
		map_set(&own->by_key, own->rows.items[i].key, i);
	parts->rows = own->rows.items;
	parts->count = own->rows.count;
}

const struct step_part *step_parts_of_call(const struct step_parts *parts,
					   const struct trace_call *call)
{
	const struct step_parts_private *own = parts->own;
	const size_t line = map_find(&own->line_of, (uint64_t)(uintptr_t)call->form->site);
	size_t row = MAP_NONE;

	for (int is_elsewhere = 0; is_elsewhere < 2 && line != MAP_NONE && row == MAP_NONE;
	     is_elsewhere++)
		row = map_find(&own->by_key, call_key(call, line, PART_CALL, is_elsewhere));
	return row == MAP_NONE ? NULL : &own->rows.items[row];
}

void step_parts_free(struct step_parts *parts)
{
	struct step_parts_private *own = parts->own;

	for (size_t i = 0; i < own->rows.count; i++)
		host_others_free(&own->rows.items[i].others);
	vector_free(&own->rows);
	vector_free(&own->running);
	vector_free(&own->lines);
	map_free(&own->by_key);
	map_free(&own->line_of);
	map_free(&own->by_site);
	free(own->calls.rows);
	host_record_free(own->record);
	free(own);
	free(parts);
}
