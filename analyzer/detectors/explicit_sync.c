/*
 * WHAT: the host waits in cudaDeviceSynchronize, cudaStreamSynchronize or cudaEventSynchronize and
 *   then enqueues more work, which so starts later than it could.
 * EVIDENCE: an operation that the call had to wait for ended inside the call, and the same thread
 *   enqueued further work afterwards, so soon that the host cannot have read a result in between.
 * COST: the host's time in the call up to the end of that operation.
 * FALSE POSITIVES: a kernel that writes to pinned host memory gives a result that is not seen here.
 */
#include "detector.h"

#include <stdio.h>

/* More than the cores of one socket read from memory that a copy has just written, on the machines
 * of 2026. A host that had less time than this has not read the whole result. */
#define HOST_READS_BYTES_PER_NS 500

static bool is_sync(const struct trace_call *call)
{
	return call->function->class == CLASS_DEVICE_SYNC ||
	       call->function->class == CLASS_STREAM_SYNC ||
	       call->function->class == CLASS_EVENT_SYNC;
}

/* Whether the host may have read, before it enqueued `next`, what was copied to it since the last
 * wait. What cannot be seen counts as a dependence. */
static bool may_have_read(const struct model *model, const struct trace_call *call,
			  int64_t last_wait_ns, const struct trace_operation *next)
{
	uint64_t bytes = model_smallest_result(model, last_wait_ns, call->start_ns);
	int64_t time_ns = next->call->start_ns - call->end_ns;

	return bytes > 0 && (uint64_t)time_ns * HOST_READS_BYTES_PER_NS >= bytes;
}

static void find(const struct model *model, struct instances *found)
{
	int64_t last_wait_ns = INT64_MIN;

	for (size_t i = 0; i < model->trace->call_count; i++) {
		const struct trace_call *call = &model->trace->calls[i];
		const struct trace_operation *cause, *next;
		struct span span;

		if (!is_sync(call))
			continue;
		cause = model_waited_for(model, call);
		next = model_next_of_thread(model, call);
		if (!cause || cause->end_ns <= call->start_ns || !next)
			continue;
		span.start_ns = call->start_ns;
		span.end_ns = cause->end_ns < call->end_ns ? cause->end_ns : call->end_ns;
		if (may_have_read(model, call, last_wait_ns, next)) {
			found->doubtful_count++;
			found->doubtful_ns += span.end_ns - span.start_ns;
		} else {
			instance_add(found, (struct instance){.span = span,
							      .site_call = call,
							      .operation = next,
							      .cause = cause,
							      .call = call});
		}
		last_wait_ns = call->start_ns;
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
	.doubt = "the host had time to read the results that it waited for",
	.edit = {.unblocks_host = true},
	.find = find,
	.describe = describe,
};
