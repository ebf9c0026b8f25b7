/*
 * WHAT: the host waits in cudaDeviceSynchronize, cudaStreamSynchronize or cudaEventSynchronize and
 *   then enqueues more work, which so starts later than it could.
 * EVIDENCE: an operation that the call had to wait for ended inside the call, and the same thread
 *   enqueued further work afterwards, so soon that the host cannot have read a result in between.
 * COST: the host's time in the call up to the end of that operation.
 * FALSE POSITIVES: a kernel that writes to pinned host memory gives a result that is not seen here.
 *   A wait before a cudaMemcpy() that waits for the same costs nothing, and is not reported.
 */
#include "detector.h"

#include "memory.h"

#include <stdio.h>

/* More than the cores of one socket read from memory that a copy has just written, on the machines
 * of 2026. A host that had less time than this has not read the whole result. */
#define HOST_READS_BYTES_PER_NS 500u

static bool is_sync(const struct trace_call *call)
{
	return call->function->class == CLASS_DEVICE_SYNC ||
	       call->function->class == CLASS_STREAM_SYNC ||
	       call->function->class == CLASS_EVENT_SYNC;
}

/* Whether the host may have read, before it enqueued `next`, what was copied to it since the
 * thread's last wait. What cannot be seen counts as a dependence. */
static bool may_have_read(const struct model *model, const struct trace_call *call,
			  const struct trace_call *last_wait, const struct trace_operation *next)
{
	uint64_t time_ns = (uint64_t)(next->call->start_ns - call->end_ns), most_bytes;

	if (__builtin_mul_overflow(time_ns, HOST_READS_BYTES_PER_NS, &most_bytes))
		most_bytes = UINT64_MAX;
	return model_has_result(model, last_wait, call, most_bytes);
}

/* Whether the next call waits for the same by itself: cudaMemcpy behind the work. Then the host
 * comes no further without this wait. */
static bool next_waits_too(const struct trace_operation *cause, const struct trace_operation *next)
{
	const struct trace_stream *before = cause->stream, *stream = next->stream;
	bool is_ordered = before == stream;

	if (before->context_id == stream->context_id)
		is_ordered |= (before->flag == STREAM_NULL && stream->flag == STREAM_BLOCKING) ||
			      (before->flag == STREAM_BLOCKING && stream->flag == STREAM_NULL);
	return is_ordered && next->kind == OPERATION_COPY && !next->is_async &&
	       next->end_ns <= next->call->end_ns;
}

static void judge(const struct model *model, const struct trace_call *call,
		  const struct trace_call *last_wait, struct instances *found)
{
	const struct trace_operation *cause = model_waited_for(model, call);
	const struct trace_operation *next = model_next_of_thread(model, call);
	struct span span = {call->start_ns, call->end_ns};

	if (!cause || cause->end_ns <= call->start_ns || !next || next_waits_too(cause, next))
		return;
	span.end_ns = cause->end_ns < call->end_ns ? cause->end_ns : call->end_ns;
	if (may_have_read(model, call, last_wait, next)) {
		found->doubtful_count++;
		found->doubtful_ns += span.end_ns - span.start_ns;
		return;
	}
	instance_add(found, (struct instance){.span = span,
					      .site_call = call,
					      .operation = next,
					      .cause = cause,
					      .call = call});
}

static void find(const struct model *model, struct instances *found)
{
	const struct trace_call *calls = model->trace->calls;
	struct map last_waits = {0}; /* thread to index of its call */

	for (size_t i = 0; i < model->trace->call_count; i++) {
		size_t last;

		if (!is_sync(&calls[i]))
			continue;
		last = map_find(&last_waits, calls[i].thread_id);
		judge(model, &calls[i], last == MAP_NONE ? NULL : &calls[last], found);
		map_set(&last_waits, calls[i].thread_id, i);
	}
	map_free(&last_waits);
}

static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	for (size_t i = 0; i < count; i++)
		edits_drop_wait(edits, model, instances[i].call);
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
	.apply = apply,
	.describe = describe,
};
