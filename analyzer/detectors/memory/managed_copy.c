/*
 * WHAT: an asynchronous copy from or to managed memory: the driver stages it, so that the call
 *   returns only when the copy, and the work before it in its stream, is done. The host enqueues
 *   nothing meanwhile.
 * EVIDENCE: CUPTI says that the memory was managed; and the call lasted until its own copy or
 *   operations of its stream ended, and longer than such a call takes with nothing pending.
 * COST: the host's time in the call. The fix ends the wait where the host does not use the data at
 *   once; copies take no longer than those of pinned memory do.
 * FALSE POSITIVES: a host that reads a word of what was copied out, or writes again a word of what
 *   was copied in. The low end keeps the wait of copies whose memory is used again.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "detectors/detector.h"
#include "replay/observed/evidence.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_managed(uint8_t kind)
{
	return kind == MEMORY_MANAGED || kind == MEMORY_MANAGED_STATIC;
}

static bool is_judged(const struct trace_operation *operation)
{
	const struct trace_operation_form *form = operation->form;

	return form->kind == OPERATION_COPY && form->is_async && operation->call &&
	       operation->call->operation == operation &&
	       (is_managed(form->src_kind) || is_managed(form->dst_kind));
}

/* Whether the host reads what was copied, or only writes its source again. */
static bool is_to_host(const struct trace_operation *operation)
{
	return is_managed(operation->form->dst_kind);
}

static void take_copy(const struct observed *observed, const struct trace_operation *operation,
		      struct instances *found)
{
	const struct trace_call *call = operation->call;
	struct call_evidence evidence = evidence_of(observed->evidence, call);
	int64_t end_ns = max_ns(operation->end_ns, call->end_ns);

	if (evidence_blocked_ns(&evidence.split) <= 0)
		return;
	instance_add(found, (struct instance){
				    .span = {call->start_ns,
					     call->start_ns + evidence_blocked_ns(&evidence.split)},
				    .reach = {call->start_ns, end_ns},
				    .reach_of_both = {call->start_ns, end_ns},
				    .site_call = call,
				    .call = call,
				    .operation = operation,
				    .cause = evidence.cause,
				    .is_doubtful = is_to_host(operation),
			    });
}

/* The host may have written the memory of a copy again that a later one reads. */
static void find_reused(struct instances *found)
{
	struct map sources = {0};

	for (size_t i = found->count; i-- > 0;) {
		struct instance *instance = &found->items[i];
		uint64_t address = instance->call->form->src;

		instance->is_doubtful |= !address || !map_add(&sources, address, i);
	}
	map_free(&sources);
}

static void find_managed_copies(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	for (size_t i = 0; i < model->operation_count; i++)
		if (is_judged(model->operations[i].operation))
			take_copy(observed, model->operations[i].operation, found);
	find_reused(found);
}

/* Whether the host has not had the time to use the data before it went on. */
static bool returns_at_once(const struct model *model, const struct instance *instance,
			    enum doubt doubt)
{
	if (!instance->is_doubtful)
		return true;
	return doubt != DOUBT_KEEP &&
	       (doubt != DOUBT_WEIGH ||
		detector_host_bytes(model, instance->call) < instance->operation->form->size_bytes);
}

static void fix_managed_copies(const struct observed *observed, const struct instance *instances,
			       size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	enum rate_end end = doubt == DOUBT_KEEP	   ? RATE_SLOWEST
			    : doubt == DOUBT_WEIGH ? RATE_LIKELY
						   : RATE_FASTEST;

	for (size_t i = 0; i < count; i++) {
		const struct trace_operation *operation = instances[i].operation;
		struct copy_rate rate =
			model->pinned_copies[is_to_host(operation) ? ENGINE_D2H : ENGINE_H2D];
		int64_t duration_ns = operation->end_ns - operation->start_ns;

		if (returns_at_once(model, &instances[i], doubt))
			edits_drop_wait(edits, model, instances[i].call);
		if (rate.source != RATE_UNKNOWN)
			edits_set_duration(edits, model, operation,
					   rates_pinned_ns(rate, operation->form->size_bytes,
							   duration_ns, end));
	}
}

static void describe_managed_copy(const struct observed *observed, const struct instance *instance,
				  char *text, size_t size)
{
	const struct trace_operation *operation = instance->operation;
	struct evidence_split split = evidence_of(observed->evidence, instance->call).split;
	struct format bytes, blocked, copying;
	char cause[160];
	size_t used;

	used = (size_t)snprintf(
		text, size,
		"%s copied %s managed memory: blocked the host for %s, %s of it copying",
		format_bytes(&bytes, operation->form->size_bytes),
		is_to_host(operation) ? "to" : "from",
		format_time(&blocked, evidence_blocked_ns(&split)),
		format_time(&copying, split.copy_ns + split.staging_ns));
	if (instance->cause && instance->cause != operation && used < size)
		snprintf(text + used, size - used, "; before it in its stream: %s",
			 describe_cause(observed->model, instance->cause, cause, sizeof(cause)));
}

/* The managed side. */
static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	const struct trace_operation *copy = instance->operation;

	return cause_of_host_memory(is_to_host(copy) ? copy->call->form->dst
						     : copy->call->form->src,
				    copy->form->size_bytes);
}

const struct detector detector_managed_copy = {
	.id = "managed-copy",
	.title = "Asynchronous copies of managed memory block the host",
	.fix = "Keep the host's side in pinned memory (cudaMallocHost()): "
	       "cudaMemcpyAsync() then returns at once. Or let kernels use the managed "
	       "memory itself, behind cudaMemPrefetchAsync().",
	.cost = "blocked",
	.low_end = "the host may use the memory at once, and the rate of pinned copies varies",
	.find = find_managed_copies,
	.apply = fix_managed_copies,
	.cause = cause_of,
	.describe = describe_managed_copy,
};
