/*
 * WHAT: the host waits in cudaDeviceSynchronize, cudaStreamSynchronize or cudaEventSynchronize and
 *   then enqueues more work, which so starts later than it could.
 * EVIDENCE: an operation that the call had to wait for ended inside the call, and the same thread
 *   enqueued further work afterwards.
 * COST: the host's time in the call up to the end of that operation.
 * FALSE POSITIVES: a wait for a result that the host needs before it can go on. Nothing in the
 * trace shows what the host reads: the loss is what the wait costs if the host does not.
 */
#include "detector.h"

#include <stdio.h>

static bool is_sync(const struct trace_call *call)
{
	return call->function->class == CLASS_DEVICE_SYNC ||
	       call->function->class == CLASS_STREAM_SYNC ||
	       call->function->class == CLASS_EVENT_SYNC;
}

static void find(const struct model *model, struct instances *found)
{
	for (size_t i = 0; i < model->trace->call_count; i++) {
		const struct trace_call *call = &model->trace->calls[i];
		const struct trace_operation *cause, *next;
		int64_t end_ns;

		if (!is_sync(call))
			continue;
		cause = model_waited_for(model, call);
		if (!cause || cause->end_ns <= call->start_ns)
			continue;
		next = model_next_of_thread(model, call);
		if (!next)
			continue;
		end_ns = cause->end_ns < call->end_ns ? cause->end_ns : call->end_ns;
		instance_add(found, (struct instance){.span = {call->start_ns, end_ns},
						      .site_call = call,
						      .operation = next,
						      .cause = cause,
						      .call = call});
	}
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	char holder[160], next[160], stream[32];
	struct format later;
	int64_t gap_ns = instance->operation->start_ns - instance->span.end_ns;

	snprintf(text, size, "%s waited for %s in %s; %s started %s later",
		 instance->call->function->name,
		 describe_operation(model, instance->cause, holder, sizeof(holder)),
		 describe_stream(instance->cause, stream, sizeof(stream)),
		 describe_operation(model, instance->operation, next, sizeof(next)),
		 format_time(&later, gap_ns > 0 ? gap_ns : 0));
}

const struct detector detector_explicit_sync = {
	.id = "explicit-sync",
	.title = "The host waits for the device before it enqueues the next work",
	.fix = "Enqueue the next work first, wait only where the host reads the result.\n"
	       "Order streams with cudaEventRecord() and cudaStreamWaitEvent() instead.",
	.edit = {.unblocks_host = true},
	.find = find,
	.describe = describe,
};
