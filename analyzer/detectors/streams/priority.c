/*
 * WHAT: a short kernel whose result the host waits for comes behind the blocks of long kernels in
 *   another stream, for the streams have the same priority.
 * EVIDENCE: a kernel was enqueued, what it needs and all before it in its stream was done, but
 *   there was no room for it: a kernel of several waves in another stream, of the same priority,
 *   filled the device. It waited longer than it then took, and longer than a wave of the other; its
 *   thread was blocked for its stream meanwhile. So did at least one in ten of the line's kernels
 *   that came before the last wave of such a kernel.
 * COST: the time until there was room, less the time of one wave.
 * FALSE POSITIVES: kernels that compute so much that the others' delay matters more.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "replay/observed/evidence.h"
#include "trace/site.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Kernels of more than one wave, in the order of their starts; indexes in trace.operations. */
typedef VECTOR(uint32_t) kernel_vector;

/* Of a call site's kernels. */
struct counted {
	struct site line;
	size_t met; /* that came before the last wave of a large one of another stream */
	size_t waited;
	bool is_rare;
};

struct searching {
	const struct observed *observed;
	kernel_vector *large; /* by index in model.engines */
	struct map
		waiting;  /* of a thread, the next call that was blocked for a stream: its index */
	struct map sites; /* to indexes in counted */
	VECTOR(struct counted) counted;
};

/* Good until the next new one. */
static struct counted *counted_of(struct searching *searching,
				  const struct trace_operation *operation)
{
	const struct trace_site *site = operation->call->form->site;
	size_t at = map_find(&searching->sites, (uintptr_t)site);

	if (at == MAP_NONE) {
		at = searching->counted.count;
		map_set(&searching->sites, (uintptr_t)site, at);
		*vector_add(&searching->counted) =
			(struct counted){.line = site_describe(searching->observed->model->trace,
							       site, operation->form->name)};
	}
	return &searching->counted.items[at];
}

static const struct model_load *load_of(const struct model *model,
					const struct trace_operation *operation)
{
	return &model->loads[operation - model->trace->operations];
}

static bool is_large(const struct model *model, const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_KERNEL &&
	       load_of(model, operation)->occupancy.share == OCCUPANCY_WHOLE &&
	       load_of(model, operation)->occupancy.tail_ns > 0;
}

/* How many large kernels there are; where there are none nothing is to be found. */
static size_t note_large(struct searching *searching)
{
	const struct model *model = searching->observed->model;
	size_t count = 0;

	searching->large =
		memory_array(model->device_count * ENGINE_COUNT, sizeof(*searching->large));
	for (size_t i = 0; i < model->trace->operation_count; i++) {
		if (!is_large(model, &model->trace->operations[i]))
			continue;
		*vector_add(&searching->large[model->loads[i].engine]) = (uint32_t)i;
		count++;
	}
	return count;
}

/* The last large kernel of the engine that had started by then; NULL: none. */
static const struct trace_operation *large_at(const struct searching *searching, uint32_t engine,
					      int64_t time_ns)
{
	const kernel_vector *large = &searching->large[engine];
	const struct trace_operation *operations = searching->observed->model->trace->operations;
	size_t low = search(large->count, i, operations[large->items[i]].start_ns <= time_ns);

	return low ? &operations[large->items[low - 1]] : NULL;
}

/* Whether the call was blocked until something in the stream had ended. */
static bool is_wait_for(const struct observed *observed, const struct trace_call *call,
			const struct trace_stream *stream)
{
	const struct trace_operation *cause = evidence_of(observed->evidence, call).cause;

	return cause && cause->form->stream == stream;
}

/* There may be no higher one. */
static bool is_raised(const struct trace_operation *operation)
{
	return operation->form->stream->priority < 0;
}

static void judge_operation(struct searching *searching, const struct model_operation *item,
			    struct instances *found)
{
	const struct model *model = searching->observed->model;
	const struct trace_operation *operation = item->operation, *cause;
	size_t wait = map_find(&searching->waiting, operation->call->form->thread_id);
	int64_t ready_ns = model_ordered_ns(model, item);
	struct span span;

	cause = large_at(searching, model_engine_of(model, operation), ready_ns);
	if (!cause || cause->end_ns <= ready_ns || cause->form->stream == operation->form->stream ||
	    cause->form->stream->priority != operation->form->stream->priority)
		return;
	span.end_ns = min_ns(operation->start_ns, cause->end_ns);
	span.start_ns = ready_ns + load_of(model, cause)->occupancy.tail_ns;
	if (span.start_ns >= cause->end_ns)
		return; /* all its blocks have begun: such as the next ones of a chain that waited */
	counted_of(searching, operation)->met++;
	if (wait == MAP_NONE || model->trace->calls[wait].start_ns >= operation->start_ns)
		return;
	if (span.end_ns - span.start_ns <= operation->end_ns - operation->start_ns ||
	    !is_wait_for(searching->observed, &model->trace->calls[wait], operation->form->stream))
		return;
	instance_add(found, (struct instance){.span = span,
					      .site_call = operation->call,
					      .operation = operation,
					      .cause = cause,
					      .takes_other_fix = is_raised(operation)});
}

static bool was_blocked(const struct observed *observed, const struct trace_call *call)
{
	enum function_class class = call->form->function->class;
	struct call_evidence evidence;

	if (class != CLASS_STREAM_SYNC && class != CLASS_EVENT_SYNC && class != CLASS_DEVICE_SYNC &&
	    class != CLASS_COPY)
		return false;
	evidence = evidence_of(observed->evidence, call);
	return evidence.cause && evidence_blocked_ns(&evidence.split) > 0;
}

/* Calls and operations from the end, in the order of the calls. */
static void search_backwards(struct searching *searching, struct instances *found)
{
	const struct model *model = searching->observed->model;
	const struct trace *trace = model->trace;
	size_t call = trace->call_count;

	for (size_t i = model->operation_count; i-- > 0;) {
		const struct model_operation *item = &model->operations[i];

		if (!item->operation->call || item->operation->form->kind != OPERATION_KERNEL)
			continue;
		for (; call > 0 && &trace->calls[call - 1] > item->operation->call; call--)
			if (was_blocked(searching->observed, &trace->calls[call - 1]))
				map_set(&searching->waiting, trace->calls[call - 1].form->thread_id,
					call - 1);
		judge_operation(searching, item, found);
	}
}

static int compare_lines(const void *a, const void *b)
{
	const struct counted *const *x = a, *const *y = b;

	return site_compare(&(*x)->line, &(*y)->line);
}

/* Of the call sites of one line together. */
static void find_rare(struct searching *searching)
{
	VECTOR(struct counted *) order = {0};
	size_t first, end;

	for (size_t i = 0; i < searching->counted.count; i++)
		*vector_add(&order) = &searching->counted.items[i];
	vector_sort(&order, compare_lines);
	for (first = 0; first < order.count; first = end) {
		size_t met = 0, waited = 0;

		for (end = first; end < order.count &&
				  compare_lines(&order.items[first], &order.items[end]) == 0;
		     end++) {
			met += order.items[end]->met;
			waited += order.items[end]->waited;
		}
		for (size_t i = first; i < end; i++)
			order.items[i]->is_rare = PRIORITY_RARE_ONE_IN * waited < met;
	}
	vector_free(&order);
}

/* Those that are not rare, into *found. */
static void keep_frequent(struct searching *searching, const struct instances *all,
			  struct instances *found)
{
	for (size_t i = 0; i < all->count; i++)
		counted_of(searching, all->items[i].operation)->waited++;
	find_rare(searching);
	for (size_t i = 0; i < all->count; i++)
		if (!counted_of(searching, all->items[i].operation)->is_rare)
			instance_add(found, all->items[i]);
}

static void find_priorities(const struct observed *observed, struct instances *found)
{
	struct searching searching = {.observed = observed};
	struct instances all = {0};

	if (observed->model->trace->stream_count < 2)
		return;
	if (note_large(&searching))
		search_backwards(&searching, &all);
	keep_frequent(&searching, &all, found);
	free(all.items);
	map_free(&searching.sites);
	vector_free(&searching.counted);
	for (size_t i = 0; i < observed->model->device_count * ENGINE_COUNT; i++)
		vector_free(&searching.large[i]);
	free(searching.large);
	map_free(&searching.waiting);
}

/* What becomes of streams, by index in trace.streams. */
struct preferring {
	const struct model *model;
	struct edits *edits;
	bool *is_preferred, *is_cause;
	double preferred_ns; /* what the preferred kernels take of the whole device */
	double large_ns;     /* the large kernels of the causes' streams */
};

static double mean_work_ns(const struct model *model, const struct instance *instances,
			   size_t count)
{
	double sum_ns = 0;

	for (size_t i = 0; i < count; i++) {
		const struct trace_operation *operation = instances[i].operation;

		sum_ns += (double)(operation->end_ns - operation->start_ns) *
			  load_of(model, operation)->occupancy.share / OCCUPANCY_WHOLE;
	}
	return count ? sum_ns / (double)count : 0;
}

/* Streams have priorities, so all of a stream's kernels get it. Beside the large kernels each takes
 * as much of the device as those that waited for one. */
static void prefer_kernels(struct preferring *preferring, double work_ns)
{
	const struct trace *trace = preferring->model->trace;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t stream = (size_t)(operation->form->stream - trace->streams);

		if (operation->form->kind != OPERATION_KERNEL)
			continue;
		if (preferring->is_preferred[stream]) {
			edits_prefer(preferring->edits, preferring->model, operation);
			preferring->preferred_ns += work_ns;
		} else if (preferring->is_cause[stream] && is_large(preferring->model, operation)) {
			preferring->large_ns += (double)(operation->end_ns - operation->start_ns);
		}
	}
}

/* The large kernels take longer by that, and twice as long at most. */
static void lengthen_kernels(const struct preferring *preferring)
{
	const struct trace *trace = preferring->model->trace;
	double factor = 1 + fmin(1, preferring->preferred_ns / preferring->large_ns);

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t stream = (size_t)(operation->form->stream - trace->streams);

		if (preferring->is_cause[stream] && !preferring->is_preferred[stream] &&
		    is_large(preferring->model, operation))
			edits_set_duration(
				preferring->edits, preferring->model, operation,
				(int64_t)((double)(operation->end_ns - operation->start_ns) *
					  factor));
	}
}

static void fix_priorities(const struct observed *observed, const struct instance *instances,
			   size_t count, enum doubt doubt, struct edits *edits)
{
	const struct trace *trace = observed->model->trace;
	struct preferring preferring = {
		.model = observed->model,
		.edits = edits,
		.is_preferred = memory_array(trace->stream_count, sizeof(bool)),
		.is_cause = memory_array(trace->stream_count, sizeof(bool)),
	};

	(void)doubt;
	for (size_t i = 0; i < count; i++) {
		preferring.is_preferred[instances[i].operation->form->stream - trace->streams] =
			true;
		preferring.is_cause[instances[i].cause->form->stream - trace->streams] = true;
	}
	if (count)
		prefer_kernels(&preferring, mean_work_ns(observed->model, instances, count));
	if (preferring.large_ns > 0)
		lengthen_kernels(&preferring);
	free(preferring.is_cause);
	free(preferring.is_preferred);
}

static void describe_priority(const struct observed *observed, const struct instance *instance,
			      char *text, size_t size)
{
	char waiter[160], cause[160], waiter_stream[32], cause_stream[32];

	snprintf(text, size, "%s in %s waited until the blocks of %s in %s had all begun",
		 describe_operation(observed->model, instance->operation, waiter, sizeof(waiter)),
		 describe_stream(instance->operation, waiter_stream, sizeof(waiter_stream)),
		 describe_cause(observed->model, instance->cause, cause, sizeof(cause)),
		 describe_stream(instance->cause, cause_stream, sizeof(cause_stream)));
}

const struct detector detector_priority = {
	.id = "priority",
	.title = "A short kernel that the host waits for comes behind long ones of "
		 "the same priority",
	.fix = "Create its stream with cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, "
	       "greatest), the greatest of cudaDeviceGetStreamPriorityRange(): its blocks are then "
	       "the next to begin.",
	.other_fix = "Create the stream of the long kernels with "
		     "cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, least), the least of "
		     "cudaDeviceGetStreamPriorityRange(): both streams have a raised priority now, "
		     "and the short kernel's blocks are then the next to begin.",
	.cost = "delayed",
	.find = find_priorities,
	.apply = fix_priorities,
	.describe = describe_priority,
};
