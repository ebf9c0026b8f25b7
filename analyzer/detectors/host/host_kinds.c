#include "detectors/host/host_kinds.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "detectors/evidence/host_place.h"
#include "detectors/host/alike_gaps.h"
#include "detectors/host/line_kind.h"
#include "model/rates.h"

#include <stdlib.h>
#include <string.h>

struct gap {
	const struct trace_call *since, *call;
	const struct trace_operation *operation;
	VECTOR(struct span) idle; /* from the last to the first */
	size_t first, count;	  /* parts; with one that is empty if nobody looked */
	bool is_unseen;
};

struct host_kinds_private {
	const struct model *model;
	struct map by_call; /* to gaps */
	VECTOR(struct gap) gaps;
	VECTOR(struct host_part) parts;
	struct map lines; /* by key */
	VECTOR(struct line_sum) sums;
	double fault_ns; /* what a page fault takes */
};

static void note_gap(struct host_kinds_private *own, const struct idle_piece *piece)
{
	const size_t call = (size_t)(piece->call - own->model->trace->calls);
	size_t found = map_find(&own->by_call, call);

	if (found == MAP_NONE) {
		found = own->gaps.count;
		map_add(&own->by_call, call, found);
		*vector_add(&own->gaps) = (struct gap){
			.since = piece->from, .call = piece->call, .operation = piece->operation};
	}
	*vector_add(&own->gaps.items[found].idle) = piece->span;
}

static uint32_t line_of_place(struct host_kinds_private *own, const struct host_place *place,
			      const struct trace_call *call)
{
	const uint64_t key = host_place_key(place, call);
	size_t line = map_find(&own->lines, key);

	if (line == MAP_NONE) {
		line = own->sums.count;
		map_add(&own->lines, key, line);
		*vector_add(&own->sums) = (struct line_sum){0};
	}
	return (uint32_t)line;
}

static int64_t overlap_ns(struct span a, struct span b)
{
	return max_ns(0, min_ns(a.end_ns, b.end_ns) - max_ns(a.start_ns, b.start_ns));
}

/* A gap that is being divided. */
struct dividing {
	struct host_kinds_private *own;
	struct gap *gap;
	struct span span; /* between the gap's calls */
	int64_t from_ns;  /* in the gap: what came before is divided */
};

/* From the last look that fell into the gap, or from the gap's start. */
static struct span explained_by(struct dividing *dividing, const struct host_piece *piece)
{
	const struct span span = {dividing->from_ns, piece->span.end_ns};

	dividing->from_ns = piece->span.end_ns;
	return span;
}

static struct host_part *part_of(struct dividing *dividing, const struct host_part *key)
{
	struct host_kinds_private *own = dividing->own;

	for (size_t i = dividing->gap->first; i < own->parts.count; i++)
		if (own->parts.items[i].line == key->line && own->parts.items[i].kind == key->kind)
			return &own->parts.items[i];
	*vector_add(&own->parts) = *key;
	return &own->parts.items[own->parts.count - 1];
}

/* share: of the time that is the part's. */
static void add_time(struct host_part *part, const struct gap *gap, struct span seen, double share)
{
	part->ns += (int64_t)((double)(seen.end_ns - seen.start_ns) * share);
	for (size_t i = 0; i < gap->idle.count; i++) {
		const struct span *idle = &gap->idle.items[i];
		const int64_t ns = overlap_ns(*idle, seen);

		if (!ns)
			continue;
		if (!part->idle_ns)
			part->idle = (struct span){max_ns(idle->start_ns, seen.start_ns),
						   min_ns(idle->end_ns, seen.end_ns)};
		part->idle.start_ns =
			min_ns(part->idle.start_ns, max_ns(idle->start_ns, seen.start_ns));
		part->idle.end_ns = max_ns(part->idle.end_ns, min_ns(idle->end_ns, seen.end_ns));
		part->idle_ns += (int64_t)((double)ns * share);
	}
}

/* A thread that is ready to run and has no processor does nothing for the line. Of running threads the
 * line as a whole decides the kind, when all is known of it. */
static void add_running(struct dividing *dividing, struct host_part key,
			const struct host_piece *piece, struct span seen,
			enum host_frame_doing doing, bool is_launching)
{
	const int64_t ns = seen.end_ns - seen.start_ns;
	const int64_t ready_ns = min_ns(ns, host_ready_ns_in(piece->state, piece->span));
	const double share = (double)ready_ns / (double)ns;

	key.kind = HOST_KIND_PREEMPTED;
	if (ready_ns)
		add_time(part_of(dividing, &key), dividing->gap, seen, share);
	key.kind = is_launching ? HOST_KIND_LAUNCH : HOST_KIND_COUNT;
	if (ready_ns < ns)
		add_time(part_of(dividing, &key), dividing->gap, seen, 1 - share);
	line_sum_add(&dividing->own->sums.items[key.line], piece, ns - ready_ns, doing);
}

static void add_wait(struct dividing *dividing, struct host_part key, struct span seen)
{
	const int64_t ns = seen.end_ns - seen.start_ns;
	struct host_part *part = part_of(dividing, &key);

	add_time(part, dividing->gap, seen, 1);
	if (key.kind != HOST_KIND_GARBAGE)
		return;
	part->garbage_ns += ns;
	dividing->own->sums.items[key.line].garbage_ns += ns;
}

/* A look between two calls of its thread. */
struct look {
	const struct trace_site *site, *since, *call; /* NULL: unknown */
	bool is_launching;			      /* a framework launches a kernel */
};

static bool is_launch_behind(const struct look *look, const struct trace_call *call)
{
	return call && call->form->function->class == CLASS_LAUNCH &&
	       host_place_is_launch_path(look->site, call->form->site);
}

static struct look look_of(const struct host_kinds_private *own, const struct gap *gap,
			   const struct host_piece *piece)
{
	const struct host_record *host = own->model->host;
	const uint32_t thread = piece->at->thread_id;
	const struct trace_call *since = gap->since, *call = gap->call;
	struct look look = {.site = host_site_of(host, piece->at)};

	if (thread != call->form->thread_id)
		call = host_next_call(host, thread, piece->span.end_ns);
	if (thread != since->form->thread_id)
		since = NULL;
	look.since = since ? since->form->site : NULL;
	look.call = call ? call->form->site : NULL;
	look.is_launching = is_launch_behind(&look, since) || is_launch_behind(&look, call);
	return look;
}

/* The kind of what a thread did for the line of another one, which waited. */
static enum host_kind kind_of_help(const struct host_kinds_private *own,
				   const struct host_piece *piece, enum host_frame_doing doing)
{
	if (doing == HOST_FRAME_COMPILE ||
	    host_site_doing(own->model->host, piece->at->site) == HOST_FRAME_COMPILE)
		return HOST_KIND_COMPILE;
	return host_next_call(own->model->host, piece->state->thread_id, INT64_MIN)
		       ? HOST_KIND_LIBRARY
		       : HOST_KIND_WORK;
}

static void add_seen(struct dividing *dividing, const struct host_piece *piece, struct span seen)
{
	struct host_kinds_private *own = dividing->own;
	const struct gap *gap = dividing->gap;
	const enum host_frame_doing doing = host_site_doing(own->model->host, piece->state->site);
	const struct look look = look_of(own, gap, piece);
	struct host_part key = {.since = gap->since,
				.call = gap->call,
				.operation = gap->operation,
				.state = piece->state};

	if (look.site)
		key.place = host_place_between(look.site, look.since, look.call);
	key.line = line_of_place(own, &key.place, gap->call);
	if (piece->state == piece->at && piece->state->state == HOST_STATE_RUNNING) {
		add_running(dividing, key, piece, seen, doing, look.is_launching);
		return;
	}
	key.kind = piece->state == piece->at ? line_kind_of_wait(piece->state, doing)
					     : kind_of_help(own, piece, doing);
	add_wait(dividing, key, seen);
}

/* A look that fell into the gap tells of the time up to the next look. One that fell into an earlier gap
 * or a call tells nothing of this gap: its time up to here is the next look's. */
static void divide_piece(void *context, const struct host_piece *piece)
{
	struct dividing *dividing = context;
	struct span seen;

	if (piece->kind == HOST_UNSEEN || piece->kind == HOST_IN_CALL ||
	    piece->kind == HOST_AWAITING)
		dividing->from_ns = piece->span.end_ns;
	if (piece->kind != HOST_SEEN || !host_has_look_in(piece->state, dividing->span))
		return;
	dividing->gap->is_unseen = false;
	seen = explained_by(dividing, piece);
	if (piece->state->state != HOST_STATE_DRIVER)
		add_seen(dividing, piece, seen);
}

static int compare_parts(const void *a, const void *b)
{
	const struct host_part *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->idle.start_ns > y->idle.start_ns) - (x->idle.start_ns < y->idle.start_ns);
}

/* Parts of one line that are of one kind now are one. */
static void settle_gap(struct host_kinds_private *own, struct gap *gap)
{
	struct host_part *parts = own->parts.items + gap->first;
	size_t kept = 0;

	for (size_t i = 0; i < gap->count; i++) {
		const struct line_sum *sum = &own->sums.items[parts[i].line];
		size_t same = 0;

		line_kind_settle(&parts[i], sum, own->fault_ns);
		while (same < kept &&
		       (parts[same].line != parts[i].line || parts[same].kind != parts[i].kind))
			same++;
		if (same == kept) {
			parts[kept++] = parts[i];
			continue;
		}
		parts[same].ns += parts[i].ns;
		parts[same].garbage_ns += parts[i].garbage_ns;
		if (!parts[same].idle_ns)
			parts[same].idle = parts[i].idle;
		else if (parts[i].idle_ns)
			parts[same].idle = (struct span){
				min_ns(parts[same].idle.start_ns, parts[i].idle.start_ns),
				max_ns(parts[same].idle.end_ns, parts[i].idle.end_ns)};
		parts[same].idle_ns += parts[i].idle_ns;
	}
	gap->count = kept;
	if (kept)
		qsort(parts, kept, sizeof(*parts), compare_parts);
}

static void divide_gap(struct host_kinds_private *own, struct gap *gap)
{
	const struct span span = {gap->since->end_ns, gap->call->start_ns};
	struct dividing dividing = {own, gap, span, span.start_ns};

	gap->first = own->parts.count;
	gap->is_unseen = true;
	host_chains_each(own->model->host_chains, gap->call->form->thread_id, span, divide_piece,
			 &dividing);
	if (gap->is_unseen)
		*vector_add(&own->parts) = (struct host_part){0};
	gap->count = own->parts.count - gap->first;
}

/* The whole gap, as the part of another one. */
static void fill_part(struct host_part *part, const struct host_part *as, const struct gap *gap)
{
	const struct span span = {gap->since->end_ns, gap->call->start_ns};

	*part = *as;
	part->since = gap->since;
	part->call = gap->call;
	part->operation = gap->operation;
	part->ns = part->idle_ns = part->garbage_ns = 0;
	add_time(part, gap, span, 1);
}

/* Shorter gaps than the looks are apart: whether a look fell into one is chance. */
static bool is_short(const struct gap *gap, int64_t look_ns)
{
	return gap->call->start_ns - gap->since->end_ns < look_ns;
}

/* Of short gaps in which nobody looked what others between the same two call sites tell. */
static void guess_unseen(struct host_kinds_private *own)
{
	const char *text = trace_metadata(own->model->trace, "host_look_ns");
	const int64_t look_ns = text ? strtoll(text, NULL, 10) : 0;
	struct alike_gaps alike = {0};

	for (size_t i = 0; i < own->gaps.count; i++) {
		const struct gap *gap = &own->gaps.items[i];
		const size_t group = alike_gaps_group(&alike, gap->since, gap->call);

		for (size_t k = 0; !gap->is_unseen && is_short(gap, look_ns) && k < gap->count; k++)
			alike_gaps_add(&alike, group, &own->parts.items[gap->first + k]);
	}
	for (size_t i = 0; i < own->gaps.count; i++) {
		struct gap *gap = &own->gaps.items[i];
		const struct host_part *like;

		if (!gap->is_unseen)
			continue;
		like = is_short(gap, look_ns)
			       ? alike_gaps_main(&alike,
						 alike_gaps_group(&alike, gap->since, gap->call))
			       : NULL;
		gap->count = like ? 1 : 0;
		if (like)
			fill_part(&own->parts.items[gap->first], like, gap);
	}
	alike_gaps_free(&alike);
}

static void divide_gaps(struct host_kinds_private *own)
{
	for (size_t i = 0; i < own->gaps.count; i++)
		divide_gap(own, &own->gaps.items[i]);
	for (size_t i = 0; i < own->gaps.count; i++)
		if (!own->gaps.items[i].is_unseen)
			settle_gap(own, &own->gaps.items[i]);
	guess_unseen(own);
}

/* Leaves no room between the gaps' parts. */
static void close_up(struct host_kinds_private *own)
{
	size_t count = 0;

	for (size_t i = 0; i < own->gaps.count; i++) {
		struct gap *gap = &own->gaps.items[i];

		if (gap->count)
			memmove(own->parts.items + count, own->parts.items + gap->first,
				gap->count * sizeof(*own->parts.items));
		gap->first = count;
		count += gap->count;
	}
	own->parts.count = count;
}

struct host_kinds *host_kinds_create(const struct observed *observed)
{
	struct host_kinds *kinds;
	struct host_kinds_private *own;

	if (!observed->model->host)
		return NULL;
	kinds = memory_array(1, sizeof(*kinds));
	kinds->own = own = memory_array(1, sizeof(*own));
	own->model = observed->model;
	own->fault_ns = rates_fault_ns(own->model->trace);
	for (size_t i = 0; i < observed->host_gaps.count; i++)
		note_gap(own, &observed->host_gaps.pieces[i]);
	divide_gaps(own);
	close_up(own);
	kinds->parts = own->parts.items;
	kinds->count = own->parts.count;
	return kinds;
}

void host_kinds_free(struct host_kinds *kinds)
{
	if (!kinds)
		return;
	for (size_t i = 0; i < kinds->own->gaps.count; i++)
		vector_free(&kinds->own->gaps.items[i].idle);
	vector_free(&kinds->own->gaps);
	vector_free(&kinds->own->parts);
	vector_free(&kinds->own->sums);
	map_free(&kinds->own->by_call);
	map_free(&kinds->own->lines);
	free(kinds->own);
	free(kinds);
}

const struct host_part *host_kinds_before(const struct host_kinds *kinds,
					  const struct trace_call *call, size_t *count)
{
	const size_t gap =
		map_find(&kinds->own->by_call, (uint64_t)(call - kinds->own->model->trace->calls));

	*count = gap == MAP_NONE ? 0 : kinds->own->gaps.items[gap].count;
	return *count ? kinds->parts + kinds->own->gaps.items[gap].first : NULL;
}
