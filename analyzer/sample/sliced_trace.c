#include "sample/sliced_trace.h"

#include "base/minmax.h"
#include "base/search.h"
#include "base/vector.h"

#include <stdlib.h>

/* A taken slice, or the calls that follow one. */
struct part {
	double weight;
	bool goes_on;		     /* it begins where the part before it ends */
	uint32_t run_up, first, end; /* indexes of calls in the whole trace */
	uint32_t at;		     /* index of run_up in the new trace */
	int64_t start_ns, until_ns;  /* start of its first call, and of the first call after it */
};

struct slicing {
	const struct trace *whole;
	struct trace *trace;
	VECTOR(struct part) parts;
	uint32_t *to_new; /* by operation of the whole trace: its new index plus one; 0: none */
};

static void find_parts(struct slicing *slicing, const struct slice *slices, const double *weights,
		       size_t count)
{
	uint32_t at = 0;

	for (size_t i = 0; i < count; i++) {
		bool has_before = i > 0 && weights[i - 1] > 0;
		struct part *part;

		if (weights[i] <= 0 && (!has_before || slices[i].run_down <= slices[i].first))
			continue;
		part = vector_add(&slicing->parts);
		*part = (struct part){.weight = weights[i],
				      .goes_on = has_before,
				      .run_up = has_before ? slices[i].first : slices[i].run_up,
				      .first = slices[i].first,
				      .end = weights[i] > 0 ? slices[i].end : slices[i].run_down,
				      .at = at};
		part->start_ns = slicing->whole->calls[part->run_up].start_ns;
		/* with the call after it */
		at += part->end - part->run_up + (part->end < slicing->whole->call_count);
	}
	slicing->trace->call_count = at;
}

/* The part that contains the call, or NULL. */
static const struct part *part_of(const struct slicing *slicing, const struct trace_call *call)
{
	size_t low, index;

	if (!call)
		return NULL;
	index = (size_t)(call - slicing->whole->calls);
	low = search(slicing->parts.count, i, slicing->parts.items[i].end <= index);
	return low < slicing->parts.count && slicing->parts.items[low].run_up <= index
		       ? &slicing->parts.items[low]
		       : NULL;
}

static struct trace_call *new_call(const struct slicing *slicing, const struct trace_call *call)
{
	const struct part *part = part_of(slicing, call);

	return part ? &slicing->trace->calls[part->at + (uint32_t)(call - slicing->whole->calls) -
					     part->run_up]
		    : NULL;
}

/* The next slice's first call as an end mark, which takes no time and enqueues nothing. If that
 * slice is taken, too, the mark comes before its calls. */
static struct trace_call end_call(const struct trace_call *next, bool is_in)
{
	int64_t start_ns = max_ns(next->start_ns - is_in, next[-1].start_ns);

	return (struct trace_call){.start_ns = start_ns, .end_ns = start_ns, .form = next->form};
}

static void make_calls(struct slicing *slicing)
{
	const struct trace *whole = slicing->whole;
	struct trace *trace = slicing->trace;

	trace->calls = memory_array(trace->call_count, sizeof(*trace->calls));
	for (size_t i = 0; i < slicing->parts.count; i++) {
		const struct part *part = &slicing->parts.items[i];
		bool has_next = i + 1 < slicing->parts.count && part[1].first == part->end;
		uint32_t at = part->at;

		for (uint32_t k = part->run_up; k < part->end; k++) {
			trace->calls[at] = whole->calls[k];
			trace->calls[at++].operation = NULL; /* set by make_operations() */
		}
		if (part->end < whole->call_count)
			trace->calls[at] = end_call(&whole->calls[part->end], has_next);
	}
}

/* Takes the operations enqueued by the parts' calls. Operations enqueued before a part that delayed
 * some of them are left out; the delay stays. */
static void find_operations(struct slicing *slicing)
{
	const struct trace *whole = slicing->whole;

	slicing->to_new = memory_array(whole->operation_count, sizeof(*slicing->to_new));
	for (size_t i = 0; i < whole->operation_count; i++)
		if (part_of(slicing, whole->operations[i].call))
			slicing->to_new[i] = (uint32_t)++slicing->trace->operation_count;
}

static void make_operations(struct slicing *slicing)
{
	const struct trace *whole = slicing->whole;
	struct trace *trace = slicing->trace;
	size_t at = 0;

	trace->operations = memory_array(trace->operation_count, sizeof(*trace->operations));
	for (size_t i = 0; i < whole->operation_count; i++) {
		struct trace_operation *operation = &trace->operations[at];

		if (!slicing->to_new[i])
			continue;
		*operation = whole->operations[i];
		operation->call = new_call(slicing, operation->call);
		if (operation->call &&
		    whole->operations[i].call->operation == &whole->operations[i])
			operation->call->operation = operation;
		trace->matched_operations += operation->call != NULL;
		at++;
	}
}

/* Whether the time lies in a part. */
static bool is_within(const struct slicing *slicing, int64_t time_ns)
{
	size_t low = search(slicing->parts.count, i, slicing->parts.items[i].until_ns <= time_ns);

	return low < slicing->parts.count && slicing->parts.items[low].start_ns <= time_ns;
}

static void make_event_waits(struct slicing *slicing)
{
	const struct trace *whole = slicing->whole;
	VECTOR(struct trace_event_wait) waits = {0};

	for (size_t i = 0; i < whole->event_wait_count; i++) {
		struct trace_event_wait wait = whole->event_waits[i];

		wait.waiting = new_call(slicing, wait.waiting);
		wait.recording = new_call(slicing, wait.recording);
		if (wait.before)
			wait.before = slicing->to_new[wait.before - 1];
		if (wait.behind)
			wait.behind = slicing->to_new[wait.behind - 1];
		if (wait.waiting ||
		    (!whole->event_waits[i].waiting && is_within(slicing, wait.wait_ns)))
			*vector_add(&waits) = wait;
	}
	vector_move(&waits, slicing->trace->event_waits, slicing->trace->event_wait_count);
}

/* The call that captured a graph's node may lie outside of all parts: it only tells the call
 * site. */
static void make_host_functions(struct slicing *slicing)
{
	const struct trace *whole = slicing->whole;
	VECTOR(struct trace_host_function) functions = {0};

	for (size_t i = 0; i < whole->host_function_count; i++) {
		struct trace_host_function function = whole->host_functions[i];

		function.call = new_call(slicing, function.call);
		if (function.call ||
		    (!whole->host_functions[i].call && is_within(slicing, function.start_ns)))
			*vector_add(&functions) = function;
	}
	vector_move(&functions, slicing->trace->host_functions,
		    slicing->trace->host_function_count);
}

static void make_windows(struct slicing *slicing)
{
	struct trace *trace = slicing->trace;

	trace->is_sample = true;
	trace->window_count = slicing->parts.count;
	trace->windows = memory_array(trace->window_count, sizeof(*trace->windows));
	for (size_t i = 0; i < slicing->parts.count; i++) {
		const struct part *part = &slicing->parts.items[i];
		uint32_t last = part->at + part->end - part->run_up;

		trace->windows[i] = (struct trace_window){
			.start_ns = part->start_ns,
			.weight = part->weight,
			.row = part->goes_on ? trace->windows[i - 1].row : (uint32_t)i,
			.goes_on = part->goes_on,
			.counted_call = part->at + part->first - part->run_up,
			.end_call = part->end < slicing->whole->call_count ? last : NO_END_CALL};
	}
	trace_measure_windows(trace);
}

struct sliced_trace sliced_trace_make(const struct trace *whole, const struct slice *slices,
				      const double *weights, size_t count)
{
	struct sliced_trace sliced = {.trace = *whole};
	struct slicing slicing = {.whole = whole, .trace = &sliced.trace};

	sliced.trace.operation_count = sliced.trace.matched_operations = 0;
	find_parts(&slicing, slices, weights, count);
	for (size_t i = 0; i < slicing.parts.count; i++) {
		struct part *part = &slicing.parts.items[i];

		part->until_ns = part->end < whole->call_count ? whole->calls[part->end].start_ns
							       : INT64_MAX;
	}
	find_operations(&slicing);
	make_calls(&slicing);
	make_operations(&slicing);
	make_event_waits(&slicing);
	make_host_functions(&slicing);
	make_windows(&slicing);
	free(slicing.to_new);
	vector_free(&slicing.parts);
	return sliced;
}

void sliced_trace_free(struct sliced_trace *sliced)
{
	if (!sliced->trace.is_sample)
		return;
	free(sliced->trace.windows);
	free(sliced->trace.host_functions);
	free(sliced->trace.event_waits);
	free(sliced->trace.operations);
	free(sliced->trace.calls);
}
