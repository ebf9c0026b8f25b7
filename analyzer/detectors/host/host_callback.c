/*
 * WHAT: a host function (cudaLaunchHostFunc, cudaStreamAddCallback) stalls its stream: what is
 *   enqueued behind it does not start before it returns.
 * EVIDENCE: the next operation of the stream was enqueued, its engine was free and what it needs
 *   was done, and it started only when the function had returned. Before the function its stream
 *   ran a copy out: the function reads its result.
 * COST: the time between those two moments, while the function ran.
 * FALSE POSITIVES: a function that also prepares what the next copy reads, or one that reads memory
 *   which the next copy out writes to: the fix needs a second buffer. A function with anything else
 *   before it counts as one that prepares something, and is not reported.
 */
#include "base/memory.h"
#include "detectors/detector.h"

#include <stdio.h>
#include <stdlib.h>

/* A stream as its work went by. */
struct passing {
	const struct trace_operation *last;
	const struct trace_host_function *function; /* since then, the last one */
};

/* From when the function could have run until it had: others that CUDA's one thread ran first
 * delayed the stream through it, and what delays the next operation may delay those of other
 * streams longer. */
static struct span reach_of(const struct model *model, const struct trace_host_function *function)
{
	size_t index = (size_t)(function - model->trace->host_functions);
	struct span reach = {model->host_function_order_ns[index], function->end_ns};

	if (reach.start_ns < function->call->start_ns)
		reach.start_ns = function->call->start_ns;
	if (reach.start_ns > function->start_ns)
		reach.start_ns = function->start_ns;
	return reach;
}

static void judge_callback(const struct model *model, const struct passing *passing,
			   const struct model_operation *next, struct instances *found)
{
	const struct trace_host_function *function = passing->function;
	struct span span =
		model_free_within(model, next, (struct span){function->start_ns, function->end_ns});
	struct span reach;

	if (span.end_ns <= span.start_ns || next->operation->start_ns < function->end_ns ||
	    !next->operation->call)
		return;
	if (!passing->last || !model_result_bytes(model, passing->last)) {
		instance_add_doubtful(found, model->trace, span.start_ns,
				      span.end_ns - span.start_ns);
		return;
	}
	reach = reach_of(model, function);
	instance_add(found, (struct instance){.span = span,
					      .reach = reach,
					      .reach_of_both = reach,
					      .site_call = function->node_call ? function->node_call
									       : function->call,
					      .operation = next->operation,
					      .cause = passing->last,
					      .host_function = function});
}

static void find_host_callbacks(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	const struct trace *trace = model->trace;
	struct passing *streams = memory_array(trace->stream_count, sizeof(*streams));
	const struct model_place *steps = model->steps;
	size_t at = 0;

	for (size_t i = 0; i < model->step_count; i++) {
		if (steps[i].kind == STEP_HOST_FUNCTION) {
			const struct trace_host_function *function =
				&trace->host_functions[steps[i].index];

			streams[function->stream - trace->streams].function = function;
		} else if (steps[i].kind == STEP_OPERATION) {
			const struct trace_operation *operation =
				&trace->operations[steps[i].index];
			struct passing *passing =
				&streams[operation->form->stream - trace->streams];

			if (passing->function)
				judge_callback(model, passing, &model->operations[at], found);
			*passing = (struct passing){.last = operation};
			at++; /* model.operations are in the order of the steps */
		}
	}
	free(streams);
}

static void fix_host_callbacks(const struct observed *observed, const struct instance *instances,
			       size_t count, enum doubt doubt, struct edits *edits)
{
	/* What a function writes, and where, is not seen. */
	for (size_t i = 0; doubt != DOUBT_KEEP && i < count; i++)
		edits_to_thread(edits, observed->model, instances[i].host_function);
}

static void describe_host_callback(const struct observed *observed, const struct instance *instance,
				   char *text, size_t size)
{
	const struct trace_host_function *function = instance->host_function;
	char before[160], next[160], stream[32];
	struct format time;

	snprintf(text, size, "callback of %s behind %s in %s; %s waited for it",
		 format_time(&time, function->end_ns - function->start_ns),
		 describe_cause(observed->model, instance->cause, before, sizeof(before)),
		 describe_stream(instance->cause, stream, sizeof(stream)),
		 describe_cause(observed->model, instance->operation, next, sizeof(next)));
}

const struct detector detector_host_callback = {
	.id = "host-callback",
	.title = "A slow host callback stalls its stream",
	.fix = "Replace the callback with cudaEventRecord(), and call the function from a host "
	       "thread after cudaEventSynchronize(): the stream is not stalled then.",
	.cost = "stalled",
	.low_end = "later work in the stream may need what the callback wrote",
	.doubt = "later work in the stream may need what the callback wrote",
	.find = find_host_callbacks,
	.apply = fix_host_callbacks,
	.describe = describe_host_callback,
};
