#include "detectors/host/host_parts.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "replay/observed/polls.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* The parts of one kind at a line. */
struct line_parts {
	size_t times;
	int64_t ns, longest_ns;
	const struct host_part *longest;
};

struct lines {
	struct map numbers; /* by line */
	VECTOR(struct line_parts) items;
};

/* In a sample the time between two slices is a gap, too, which says nothing. */
static bool is_of(const struct trace *trace, const struct host_part *part, enum host_kind kind)
{
	return part->kind == kind &&
	       trace_weight_of_call(trace, (uint32_t)(part->call - trace->calls)) > 0;
}

static void sum_lines(const struct trace *trace, const struct host_kinds *kinds,
		      enum host_kind kind, struct lines *lines)
{
	for (size_t i = 0; i < kinds->count; i++) {
		const struct host_part *part = &kinds->parts[i];
		struct line_parts *line;
		size_t number;

		if (!is_of(trace, part, kind))
			continue;
		number = map_find(&lines->numbers, part->line);
		if (number == MAP_NONE) {
			number = lines->items.count;
			map_set(&lines->numbers, part->line, number);
			*vector_add(&lines->items) = (struct line_parts){0};
		}
		assert(lines->items.items); /* it has that number */
		line = &lines->items.items[number];
		line->times++;
		line->ns += part->ns;
		if (part->ns > line->longest_ns) {
			line->longest_ns = part->ns;
			line->longest = part;
		}
	}
}

/* The first compilation is needed whatever the later steps do. Where one takes longer than all
 * others of its line, it is that one. */
static bool is_needed_once(const struct line_parts *line, const struct host_part *part)
{
	return part->kind == HOST_KIND_COMPILE && part == line->longest &&
	       2 * line->longest_ns > line->ns;
}

void host_parts_find(const struct observed *observed, enum host_kind kind, struct instances *found)
{
	const struct trace *trace = observed->model->trace;
	struct host_kinds *kinds = host_kinds_create(observed);
	struct lines lines = {0};

	if (!kinds)
		return;
	sum_lines(trace, kinds, kind, &lines);
	for (size_t i = 0; i < kinds->count; i++) {
		const struct host_part *part = &kinds->parts[i];
		const struct span span = {part->idle.start_ns, part->idle.start_ns + part->idle_ns};
		const struct line_parts *line;

		if (!is_of(trace, part, kind) || !part->idle_ns)
			continue;
		assert(lines.items.items); /* the line's sum is there */
		line = &lines.items.items[map_find(&lines.numbers, part->line)];
		if (line->times >= REPEAT_LEAST_TIMES && !is_needed_once(line, part))
			instance_add(found, (struct instance){.span = span,
							      .site_call = part->call,
							      .place = part->place,
							      .call = part->call,
							      .operation = part->operation,
							      .detail = INSTANCE_DETAIL(
								      struct host_time, part->since,
								      part->ns, part->state)});
	}
	map_free(&lines.numbers);
	vector_free(&lines.items);
	host_kinds_free(kinds);
}

/* Time that the fix takes away, between two calls of a thread: `share` of the span. */
struct removed {
	struct span span;
	double share;
	uint32_t thread_id; /* that was looked at: another one than the calls', if theirs waits */
};

static int compare_removed(const void *a, const void *b)
{
	const struct removed *x = a, *y = b;

	return (x->span.start_ns > y->span.start_ns) - (x->span.start_ns < y->span.start_ns);
}

/* Sorted, without overlap: of two that overlap the later one begins at the other's end. Returns how
 * many are left. */
static size_t sort_removed(struct removed *removed, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(removed, count, sizeof(*removed), compare_removed);
	for (size_t i = 0; i < count; i++) {
		if (kept && removed[kept - 1].span.end_ns > removed[i].span.start_ns)
			removed[i].span.start_ns = removed[kept - 1].span.end_ns;
		if (removed[i].span.start_ns < removed[i].span.end_ns)
			removed[kept++] = removed[i];
	}
	return kept;
}

/* What a thread did in a span, by looks. */
struct doing_share {
	int64_t waiting_ns, seen_ns;
};

static void share_piece(void *context, const struct host_piece *piece)
{
	struct doing_share *share = context;
	const int64_t ns = piece->span.end_ns - piece->span.start_ns;

	if (piece->kind != HOST_SEEN)
		return;
	share->seen_ns += ns;
	share->waiting_ns += host_is_wait_for_thread(piece->state->state) ? ns : 0;
}

static bool is_waiting(const struct model *model, uint32_t thread_id, struct span span)
{
	struct doing_share share = {0};

	host_record_each(model->host, thread_id, span, share_piece, &share);
	return share.seen_ns > 0 && 2 * share.waiting_ns >= share.seen_ns;
}

/* How much of the gap falls away because the thread waits in it for what takes no time any more. */
static int64_t shorter_ns(const struct model *model, const struct removed *removed, size_t count,
			  uint32_t thread_id, struct span gap)
{
	size_t first = search(count, i, removed[i].span.end_ns <= gap.start_ns);
	double sum_ns = 0;

	for (size_t i = first; i < count && removed[i].span.start_ns < gap.end_ns; i++) {
		const struct span both = {max_ns(gap.start_ns, removed[i].span.start_ns),
					  min_ns(gap.end_ns, removed[i].span.end_ns)};

		if (thread_id == removed[i].thread_id || is_waiting(model, thread_id, both))
			sum_ns += (double)(both.end_ns - both.start_ns) * removed[i].share;
	}
	return (int64_t)sum_ns;
}

/* The calls of other threads that waited meanwhile come earlier, too. */
static void shorten_waits(const struct observed *observed, const struct removed *removed,
			  size_t count, const struct map *own_calls, struct edits *edits)
{
	const struct model *model = observed->model;
	const struct trace *trace = model->trace;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		const struct trace_call *since = timeline_call_before(observed->timeline, call);
		struct span gap;
		int64_t ns;

		if (!since || call->start_ns - since->end_ns < SEQUENCE_WORK_NS ||
		    map_find(own_calls, i) != MAP_NONE)
			continue;
		gap = (struct span){since->end_ns, call->start_ns};
		ns = shorter_ns(model, removed, count, call->form->thread_id, gap);
		if (ns > 0)
			edits_shorten_work(edits, model, call, ns);
	}
}

/* A query that finds the work done counts as a wait for the work, and the sleep before the query as
 * its way back from that wait. Without the sleep it takes its own time. */
static void drop_oversleep(struct edits *edits, const struct model *model,
			   const struct trace_call *call)
{
	if (polls_is_query(call))
		edits_set_call_time(edits, model, call, call->end_ns - call->start_ns);
}

/* Returns what is removed of the gap before the instance's call; nothing if it is the call. */
static struct removed remove_part(const struct model *model, const struct instance *instance,
				  struct edits *edits)
{
	const struct host_time time = instance_detail(instance, struct host_time);
	const struct trace_call *call = instance->call;
	struct span gap;

	if (!time.since) {
		edits_set_call_time(edits, model, call,
				    max_ns(0, call->end_ns - call->start_ns - time.ns));
		return (struct removed){0};
	}
	gap = (struct span){time.since->end_ns, call->start_ns};
	edits_shorten_work(edits, model, call, time.ns);
	drop_oversleep(edits, model, call);
	return (struct removed){gap, (double)time.ns / (double)max_ns(1, gap.end_ns - gap.start_ns),
				time.state->thread_id};
}

void host_parts_remove(const struct observed *observed, const struct instance *instances,
		       size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	struct removed *removed = memory_array(count, sizeof(*removed));
	struct map own_calls = {0};

	(void)doubt;
	for (size_t i = 0; i < count; i++) {
		removed[i] = remove_part(model, &instances[i], edits);
		map_set(&own_calls, (uint64_t)(instances[i].call - model->trace->calls), i);
	}
	if (model->host && observed->timeline)
		shorten_waits(observed, removed, sort_removed(removed, count), &own_calls, edits);
	map_free(&own_calls);
	free(removed);
}

void host_parts_describe(const struct observed *observed, const struct instance *instance,
			 const char *doing, char *text, size_t size)
{
	const struct host_time time = instance_detail(instance, struct host_time);
	struct format all, idle;

	(void)observed;
	format_time(&idle, instance->span.end_ns - instance->span.start_ns);
	if (time.since)
		snprintf(text, size, "%s for %s between %s and %s; GPU idle for %s of it", doing,
			 format_time(&all, time.ns), time.since->form->function->name,
			 instance->call->form->function->name, idle.text);
	else
		snprintf(text, size, "%s for %s in %s; GPU idle for %s of it", doing,
			 format_time(&all, time.ns), instance->call->form->function->name,
			 idle.text);
}
