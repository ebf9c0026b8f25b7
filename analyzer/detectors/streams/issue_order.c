/*
 * WHAT: a small copy that other work waits for is issued behind a large one that nothing needs as
 *   soon: the copy engine takes them in that order.
 * EVIDENCE: a copy had nothing to wait for but its engine, which was busy with a larger copy in
 *   another stream. The same thread had issued that one, without being blocked between the two,
 *   when all that the small one needs was done. It waited longer than it then took; what was
 *   enqueued behind it and needs it, on another engine, had room there meanwhile.
 * COST: the time from when the small copy could have run until it did.
 * FALSE POSITIVES: a large copy whose data is needed first all the same.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "detectors/detector.h"
#include "replay/observed/evidence.h"

#include <stdio.h>
#include <stdlib.h>

struct searching {
	const struct observed *observed;
	/* By index in model.engines, its copies in the order of their starts: indexes in
	 * trace.operations. */
	VECTOR(uint32_t) * copies;
	uint32_t *items; /* by index in trace.operations: that in model.operations */
	int64_t *
		unblocked_ns; /* by call, when its thread was last blocked before it; NULL: not asked for */
	bool *is_judged; /* by index in trace.operations */
};

static bool is_copy(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_COPY && operation->call;
}

static void note_copies(struct searching *searching)
{
	const struct model *model = searching->observed->model;
	const struct trace *trace = model->trace;

	searching->copies =
		memory_array(model->device_count * ENGINE_COUNT, sizeof(*searching->copies));
	searching->items = memory_array(trace->operation_count, sizeof(*searching->items));
	searching->is_judged = memory_array(trace->operation_count, sizeof(bool));
	for (size_t i = 0; i < model->operation_count; i++)
		searching->items[model->operations[i].operation - trace->operations] = (uint32_t)i;
	for (size_t i = 0; i < trace->operation_count; i++)
		if (is_copy(&trace->operations[i]))
			*vector_add(&searching->copies[model->loads[i].engine]) = (uint32_t)i;
}

static void note_blocked(struct searching *searching)
{
	const struct model *model = searching->observed->model;
	const struct trace *trace = model->trace;
	struct map threads = {0};

	searching->unblocked_ns = memory_array(trace->call_count, sizeof(int64_t));
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		struct call_evidence evidence = evidence_of(searching->observed->evidence, call);
		size_t before = map_find(&threads, call->form->thread_id);

		searching->unblocked_ns[i] =
			before == MAP_NONE ? INT64_MIN : trace->calls[before].end_ns;
		if (evidence.cause && evidence_blocked_ns(&evidence.split) > 0)
			map_set(&threads, call->form->thread_id, i);
	}
	map_free(&threads);
}

/* The engine's copy that ran when the span began, otherwise the first one that started in it; NULL:
 * none. */
static const struct trace_operation *first_copy_in(const struct searching *searching,
						   uint32_t engine, struct span span)
{
	const struct trace_operation *operations = searching->observed->model->trace->operations,
				     *copy;
	size_t low =
		search(searching->copies[engine].count, i,
		       operations[searching->copies[engine].items[i]].start_ns <= span.start_ns);

	if (low && operations[searching->copies[engine].items[low - 1]].end_ns > span.start_ns)
		low--;
	if (low == searching->copies[engine].count)
		return NULL;
	copy = &operations[searching->copies[engine].items[low]];
	return copy->start_ns < span.end_ns ? copy : NULL;
}

/* Whether the thread could have issued the copy before the other one. */
static bool is_movable(struct searching *searching, const struct model_operation *item,
		       const struct trace_operation *before)
{
	const struct trace *trace = searching->observed->model->trace;
	const struct trace_call *call = item->operation->call;
	int64_t done_ns = max_ns(model_data_ns(searching->observed->model, item),
				 max_ns(item->order_ns, item->barrier_order_ns));

	if (before->form->stream == item->operation->form->stream ||
	    before->form->size_bytes <= item->operation->form->size_bytes ||
	    before->call->form->thread_id != call->form->thread_id || before->call >= call ||
	    done_ns > before->call->start_ns)
		return false;
	if (!searching->unblocked_ns)
		note_blocked(searching);
	return searching->unblocked_ns[call - trace->calls] <= before->call->start_ns;
}

/* The span in which the copy could have run; empty where it was not held back by a larger one. */
static struct span span_of(struct searching *searching, const struct model_operation *item,
			   const struct trace_operation **before)
{
	const struct trace_operation *copy = item->operation;
	struct span span = {model_ordered_ns(searching->observed->model, item), copy->start_ns};

	if (span.end_ns - span.start_ns <= copy->end_ns - copy->start_ns)
		return (struct span){0, 0};
	*before = first_copy_in(searching, model_engine_of(searching->observed->model, copy), span);
	return *before && is_movable(searching, item, *before) ? span : (struct span){0, 0};
}

/* What needs the copy last, and could have run sooner with it. */
static void judge_user(struct searching *searching, const struct model_operation *user,
		       struct instances *found)
{
	const struct model *model = searching->observed->model;
	const struct trace_operation *copy = model_last_in(model, user->needs), *before = NULL;
	struct span span, room;
	size_t index;

	if (!copy || !is_copy(copy) ||
	    model_engine_of(model, copy) == model_engine_of(model, user->operation))
		return;
	index = (size_t)(copy - model->trace->operations);
	if (searching->is_judged[index] || model_ready_ns(user->operation) >= copy->end_ns)
		return;
	searching->is_judged[index] = true;
	span = span_of(searching, &model->operations[searching->items[index]], &before);
	if (span.end_ns <= span.start_ns)
		return;
	room = model_engine_room(model, user->operation, span);
	if (room.end_ns <= room.start_ns)
		return;
	instance_add(found, (struct instance){.span = span,
					      .site_call = copy->call,
					      .operation = copy,
					      .cause = before});
}

static void find_issue_orders(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	struct searching searching = {.observed = observed};

	if (model->trace->stream_count < 2)
		return;
	note_copies(&searching);
	for (size_t i = 0; i < model->operation_count; i++)
		judge_user(&searching, &model->operations[i], found);
	for (size_t i = 0; i < model->device_count * ENGINE_COUNT; i++)
		vector_free(&searching.copies[i]);
	free(searching.copies);
	free(searching.is_judged);
	free(searching.unblocked_ns);
	free(searching.items);
}

static void fix_issue_orders(const struct observed *observed, const struct instance *instances,
			     size_t count, enum doubt doubt, struct edits *edits)
{
	(void)doubt;
	for (size_t i = 0; i < count; i++)
		edits_issue_behind(edits, observed->model, instances[i].cause,
				   instances[i].operation);
}

static void describe_issue_order(const struct observed *observed, const struct instance *instance,
				 char *text, size_t size)
{
	char waiter[160], cause[160], waiter_stream[32], cause_stream[32];

	snprintf(text, size, "%s in %s waited for %s in %s, which was issued before it",
		 describe_operation(observed->model, instance->operation, waiter, sizeof(waiter)),
		 describe_stream(instance->operation, waiter_stream, sizeof(waiter_stream)),
		 describe_cause(observed->model, instance->cause, cause, sizeof(cause)),
		 describe_stream(instance->cause, cause_stream, sizeof(cause_stream)));
}

const struct detector detector_issue_order = {
	.id = "issue-order",
	.title = "A small copy that kernels need is issued behind a large one",
	.fix = "Issue the small copy first, or the large one in parts: a copy engine takes copies "
	       "in the order in which they come.",
	.cost = "delayed",
	.find = find_issue_orders,
	.apply = fix_issue_orders,
	.describe = describe_issue_order,
};
