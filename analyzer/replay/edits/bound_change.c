#include "replay/edits/bound_change.h"

#include "base/minmax.h"
#include "base/vector.h"

typedef VECTOR(struct span) span_vector;

static edit_mask edit_of(const struct model *model, const struct trace_operation *operation,
			 const struct edits *edits)
{
	return edits ? edits->operations[operation - model->trace->operations] : 0;
}

int64_t bound_change_work_ns(const struct bound_change *change, size_t call, int64_t work_ns)
{
	const struct edits *edits = change->edits;

	if (!edits)
		return work_ns;
	if (edits->calls[call] & (EDIT_NO_WORK | EDIT_SET_WORK))
		work_ns = edits->calls[call] & EDIT_KEEP_WORK
				  ? min_ns(work_ns, edits->kept_work_ns[call])
				  : 0;
	if (edits->calls[call] & EDIT_LESS_WORK)
		return max_ns(0, work_ns - edits->less_work_ns[call]);
	return work_ns;
}

bool bound_change_is_timed(const struct bound_change *change, const struct model *model,
			   const struct trace_operation *operation)
{
	return edit_of(model, operation, change->edits) & (EDIT_DROP | EDIT_DURATION) ||
	       (change->pins_copies && rates_is_pageable(operation));
}

int64_t bound_change_duration_ns(const struct bound_change *change, const struct model *model,
				 const struct trace_operation *operation)
{
	int64_t duration_ns = operation->end_ns - operation->start_ns;
	edit_mask edit = edit_of(model, operation, change->edits);

	if (edit & EDIT_DROP)
		return 0;
	if (edit & EDIT_DURATION)
		return change->edits->operations_ns[operation - model->trace->operations];
	if (!bound_change_is_timed(change, model, operation))
		return duration_ns;
	return rates_pinned_ns(model->pinned_copies[operation->form->engine],
			       operation->form->size_bytes, duration_ns, RATE_FASTEST);
}

/* By how much edits take a call away or make it shorter. */
static int64_t call_saved_ns(const struct trace_call *call, size_t index, const struct edits *edits)
{
	int64_t duration_ns = call->end_ns - call->start_ns;

	if (edits->calls[index] & EDIT_GONE)
		return duration_ns;
	return edits->calls[index] & EDIT_OWN_TIME ? max_ns(0, duration_ns - edits->calls_ns[index])
						   : 0;
}

static int64_t operation_saved_ns(const struct model *model,
				  const struct trace_operation *operation,
				  const struct edits *edits)
{
	const struct bound_change change = {.edits = edits};

	return max_ns(0, operation->end_ns - operation->start_ns -
				 bound_change_duration_ns(&change, model, operation));
}

/* Of the work before a call; as much of it as there can have been. */
static int64_t work_saved_ns(const struct trace_call *call, size_t index, const struct edits *edits)
{
	return edits->calls[index] & EDIT_LESS_WORK
		       ? min_ns(edits->less_work_ns[index], call->start_ns)
		       : 0;
}

int64_t bound_change_shortened_ns(const struct model *model, const struct edits *edits)
{
	const struct trace *trace = model->trace;
	size_t calls = trace->call_count, operations = trace->operation_count;
	int64_t saved_ns = 0;

	for (size_t i = edits_next(edits->calls, 0, calls); i < calls;
	     i = edits_next(edits->calls, i + 1, calls))
		saved_ns += trace_weigh_ns(trace, trace->calls[i].start_ns,
					   call_saved_ns(&trace->calls[i], i, edits) +
						   work_saved_ns(&trace->calls[i], i, edits));
	for (size_t i = edits_next(edits->operations, 0, operations); i < operations;
	     i = edits_next(edits->operations, i + 1, operations))
		saved_ns += trace_weigh_ns(trace, trace->operations[i].start_ns,
					   operation_saved_ns(model, &trace->operations[i], edits));
	return saved_ns;
}

/* The part at the end that is saved; none where nothing is. */
static void add_saved(span_vector *spans, int64_t end_ns, int64_t saved_ns)
{
	if (saved_ns)
		*vector_add(spans) = (struct span){end_ns - saved_ns, end_ns};
}

static void add_all_saved(span_vector *spans, const struct model *model, const struct edits *edits)
{
	const struct trace *trace = model->trace;
	size_t calls = trace->call_count, operations = trace->operation_count;

	for (size_t i = edits_next(edits->calls, 0, calls); i < calls;
	     i = edits_next(edits->calls, i + 1, calls)) {
		add_saved(spans, trace->calls[i].end_ns, call_saved_ns(&trace->calls[i], i, edits));
		add_saved(spans, trace->calls[i].start_ns,
			  work_saved_ns(&trace->calls[i], i, edits));
	}
	for (size_t i = edits_next(edits->operations, 0, operations); i < operations;
	     i = edits_next(edits->operations, i + 1, operations))
		add_saved(spans, trace->operations[i].end_ns,
			  operation_saved_ns(model, &trace->operations[i], edits));
}

struct span *bound_change_spans(const struct bound_change *change, const struct model *model,
				const struct span *given, size_t *count)
{
	span_vector spans = {0};

	for (size_t i = 0; i < *count; i++)
		*vector_add(&spans) = given[i];
	if (change->edits)
		add_all_saved(&spans, model, change->edits);
	*count = spans.count;
	return spans.items;
}

static enum stream_flag flag_of(const struct trace *trace, const struct edits *edits,
				uint32_t stream)
{
	return stream < trace->stream_count ? trace->streams[stream].flag
					    : edits->added.items[stream - trace->stream_count].flag;
}

/* An operation moved to a stream of another kind also leaves its side of the barrier. */
static void note_streams(const struct model *model, struct bound_change *change)
{
	const struct trace *trace = model->trace;

	for (size_t i = 0; change->edits->streams && i < model->operation_count; i++) {
		const struct trace_stream *before = model->operations[i].operation->form->stream;
		uint32_t now = change->edits->streams[i];

		if (now == (uint32_t)(before - trace->streams))
			continue;
		change->frees_stream = true;
		change->frees_barrier |= flag_of(trace, change->edits, now) != before->flag;
	}
	for (size_t i = 0; i < trace->host_function_count; i++)
		change->frees_stream |= change->edits->host_functions[i] & EDIT_TO_THREAD;
}

struct bound_change bound_change_of(const struct model *model, const struct edits *edits)
{
	struct bound_change change = {.edits = edits, .keeps_times = true};
	const struct trace *trace = model->trace;

	note_streams(model, &change);
	change.unblocks_host = edits_next(edits->calls, 0, trace->call_count) < trace->call_count;
	for (size_t i = edits_next(edits->operations, 0, trace->operation_count);
	     i < trace->operation_count;
	     i = edits_next(edits->operations, i + 1, trace->operation_count)) {
		change.pins_copies |= (edits->operations[i] & EDIT_PIN) != 0;
		change.keeps_times &=
			!(edits->operations[i] & (EDIT_PIN | EDIT_DROP | EDIT_DURATION));
		change.may_lengthen |= (edits->operations[i] & EDIT_DURATION) != 0;
		/* The host waits for what is preferred. */
		change.unblocks_host |= (edits->operations[i] &
					 (EDIT_PIN | EDIT_DROP | EDIT_DURATION | EDIT_PREFER)) != 0;
	}
	return change;
}
