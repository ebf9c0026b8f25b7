/*
 * WHAT: an asynchronous copy from or to pageable host memory: the host waits, or stages the data.
 * EVIDENCE: the copy ran inside its call, so that the call returned only when the copy (and what
 *   was before it in its stream) was done; CUPTI says that the host memory was pageable.
 * COST: the host's time in the call; the copy itself is slower than from pinned memory, too.
 * FALSE POSITIVES: a copy so small that it was staged before the call returned is not reported.
 */
#include "detectors/detector.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_pageable(const struct trace_operation *operation)
{
	return operation->kind == OPERATION_COPY && operation->is_async &&
	       (operation->engine == ENGINE_H2D	  ? operation->src_kind == MEMORY_PAGEABLE
		: operation->engine == ENGINE_D2H ? operation->dst_kind == MEMORY_PAGEABLE
						  : false);
}

static void find(const struct model *model, struct instances *found)
{
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		const struct trace_operation *operation = item->operation;
		const struct trace_call *call = operation->call;
		struct span reach;
		int64_t end_ns;

		if (!call || !is_pageable(operation) || operation->start_ns >= call->end_ns)
			continue;
		end_ns = min_ns(operation->end_ns, call->end_ns);
		/* The call and the copy become shorter, whichever ends last. */
		reach = (struct span){call->start_ns, max_ns(operation->end_ns, call->end_ns)};
		instance_add(found,
			     (struct instance){.span = {call->start_ns, end_ns},
					       .reach = reach,
					       .reach_of_both = reach,
					       .site_call = call,
					       .operation = operation,
					       .cause = item->stream.until_ns > call->start_ns
								? item->stream.operation
								: NULL,
					       .call = call});
	}
}

/* Which of the copies in read memory that a later one reads again: the host may have written it in
 * between. */
static bool *find_reused(const struct instance *instances, size_t count)
{
	bool *is_reused = memory_array(count, sizeof(*is_reused));
	struct map sources = {0};

	for (size_t i = count; i-- > 0;) {
		uint64_t src = instances[i].call->src;

		is_reused[i] = !src || !map_add(&sources, src, i);
	}
	map_free(&sources);
	return is_reused;
}

/* Pinned copies run at the pinned rate, and their calls return at once; but a host that reads what
 * was copied out, or writes again what was copied in, still has to wait. */
static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	bool *is_reused = find_reused(instances, count);

	edits->pinned_end = doubt == DOUBT_KEEP	   ? RATE_SLOWEST
			    : doubt == DOUBT_WEIGH ? RATE_LIKELY
						   : RATE_FASTEST;
	for (size_t i = 0; i < count; i++) {
		const struct trace_operation *operation = instances[i].operation;
		const struct trace_call *call = instances[i].call;
		bool may_be_used = operation->engine == ENGINE_D2H || is_reused[i];

		edits_pin(edits, model, operation);
		if (!may_be_used || doubt == DOUBT_DROP ||
		    (doubt == DOUBT_WEIGH &&
		     detector_host_bytes(model, call) < operation->size_bytes))
			edits_drop_wait(edits, model, call);
	}
	free(is_reused);
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	const struct trace_operation *operation = instance->operation;
	char copy[64], before[160];
	struct format earlier, own;

	describe_operation(model, operation, copy, sizeof(copy));
	format_time(&own, instance->span.end_ns - operation->start_ns);
	format_time(&earlier, operation->start_ns - instance->span.start_ns);
	if (instance->cause)
		snprintf(text, size, "%s blocked the host: %s behind %s, %s copying", copy,
			 earlier.text,
			 describe_cause(model, instance->cause, before, sizeof(before)), own.text);
	else
		snprintf(text, size, "%s blocked the host: %s until it started, %s copying", copy,
			 earlier.text, own.text);
}

const struct detector detector_pageable_copy = {
	.id = "pageable-copy",
	.title = "cudaMemcpyAsync on pageable memory blocks the host",
	.fix = "Allocate the host buffer with cudaMallocHost(), or pin it once with "
	       "cudaHostRegister(): cudaMemcpyAsync() then returns at once.",
	.cost = "blocked",
	.find = find,
	.apply = apply,
	.describe = describe,
};
