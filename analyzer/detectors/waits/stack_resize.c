/*
 * WHAT: the first launch of a kernel that needs more local memory for each thread than any before
 *   waits until the device is idle, and makes room then.
 * EVIDENCE: work was pending when the launch of a kernel that was not launched before began, and none
 *   was when it returned, many times as late as its like; and no more than half of that was loading.
 *   Where the trace says what kernels take of local memory this one takes more than all before.
 * COST: the time in the launch. Making room takes time by itself, which the fix moves to the start:
 *   the low end keeps it.
 * FALSE POSITIVES: where the trace does not say what kernels take, another reason for which CUDA
 *   waits at the first launch of a kernel. A launch before the loop helps there, too.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "detectors/detector.h"
#include "replay/observed/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A device in a pass over all operations, in the order in which they were enqueued. */
struct device {
	uint32_t local_bytes;		    /* the most that a kernel took so far */
	const struct trace_operation *last; /* to end so far; NULL: none */
	bool has_kernel;		    /* before the first one the program is still loaded */
};

static uint32_t max_local(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Of an instance: the most local memory that a thread took before. */
struct local_memory {
	uint32_t before_bytes;
};

static uint32_t before_bytes_of(const struct instance *instance)
{
	return instance_detail(instance, struct local_memory).before_bytes;
}

/* Launches that lasted until the device was idle. A launch that lasts until its own kernel is done is
 * of CUDA_LAUNCH_BLOCKING=1. */
static void judge_launch(const struct observed *observed, const struct device *device,
			 const struct trace_operation *operation, struct instances *candidates)
{
	const struct trace_call *call = operation->call;
	const struct trace_operation *last = device->last;
	struct call_evidence evidence;
	int64_t blocked_ns;

	if (!call || call->form->function->class != CLASS_LAUNCH || !last || !device->has_kernel ||
	    last->end_ns <= call->start_ns || last->end_ns > call->end_ns ||
	    operation->end_ns <= call->end_ns)
		return;
	evidence = evidence_of(observed->evidence, call);
	blocked_ns = evidence_blocked_ns(&evidence.split);
	if (blocked_ns >= SURPRISE_NS && blocked_ns / STACK_BLOCKED_TIMES >= evidence.split.own_ns)
		instance_add(candidates,
			     (struct instance){.span = {call->start_ns, call->end_ns},
					       .site_call = call,
					       .call = call,
					       .operation = operation,
					       .cause = last,
					       .detail = INSTANCE_DETAIL(struct local_memory,
									 device->local_bytes)});
}

static void find_candidates(const struct observed *observed, struct instances *candidates)
{
	const struct model *model = observed->model;
	struct device *devices = memory_array(model->device_count, sizeof(*devices));

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		size_t index = model_device(model, operation->form->device_id);
		struct device *device = &devices[index];

		if (index >= model->device_count)
			continue;
		if (operation->form->kind == OPERATION_KERNEL) {
			judge_launch(observed, device, operation, candidates);
			device->has_kernel = true;
			device->local_bytes = max_local(device->local_bytes,
							operation->form->local_bytes_per_thread);
		}
		if (!device->last || operation->end_ns > device->last->end_ns)
			device->last = operation;
	}
	free(devices);
}

/* Those whose time is loading, for the greater part, are not. */
static void drop_loading(const struct trace *trace, struct instances *candidates)
{
	uint32_t *calls = trace_loading_calls(trace);
	struct map loading = {0}; /* index in trace.calls to ns of loading in it */
	size_t kept = 0;

	for (size_t i = 0; i < trace->overhead_count; i++)
		if (trace->overheads[i].is_loading && calls[i] != TRACE_NO_CALL)
			map_set(&loading, calls[i],
				(size_t)(trace->overheads[i].end_ns -
					 trace->overheads[i].start_ns));
	for (size_t i = 0; i < candidates->count; i++) {
		const struct instance *candidate = &candidates->items[i];
		size_t time_ns = map_find(&loading, (uint64_t)(candidate->call - trace->calls));

		if (time_ns == MAP_NONE ||
		    time_ns <= (size_t)(candidate->span.end_ns - candidate->span.start_ns) / 2)
			candidates->items[kept++] = *candidate;
	}
	candidates->count = kept;
	map_free(&loading);
	free(calls);
}

/* CUPTI does not say it on all devices. */
static bool is_local_known(const struct trace *trace)
{
	for (size_t i = 0; i < trace->operation_count; i++)
		if (trace->operations[i].form->local_bytes_per_thread)
			return true;
	return false;
}

/* Adds launches that are their kernel's first on the device, and need more local memory than all
 * before if that is known. */
static void keep_first(const struct model *model, const struct instances *candidates,
		       struct instances *found)
{
	bool is_known = candidates->count && is_local_known(model->trace);
	struct map launched = {0}; /* names of kernels on a device */
	size_t at = 0;

	for (size_t i = 0; at < candidates->count && i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		const struct instance *candidate = &candidates->items[at];
		bool is_first;

		if (operation->form->kind != OPERATION_KERNEL)
			continue;
		is_first = operation->form->name &&
			   map_add(&launched,
				   (uint64_t)(uintptr_t)operation->form->name << 16 ^
					   operation->form->device_id,
				   0);
		if (operation != candidate->operation)
			continue;
		at++;
		if (is_first && (!is_known || operation->form->local_bytes_per_thread >
						      before_bytes_of(candidate)))
			instance_add(found, *candidate);
	}
	map_free(&launched);
}

static void find_stack_resizes(const struct observed *observed, struct instances *found)
{
	struct instances candidates = {0};

	find_candidates(observed, &candidates);
	if (candidates.count)
		drop_loading(observed->model->trace, &candidates);
	keep_first(observed->model, &candidates, found);
	free(candidates.items);
}

static void fix_stack_resizes(const struct observed *observed, const struct instance *instances,
			      size_t count, enum doubt doubt, struct edits *edits)
{
	for (size_t i = 0; i < count; i++) {
		const struct trace_call *call = instances[i].call;
		struct call_evidence evidence = evidence_of(observed->evidence, call);
		int64_t own_ns = evidence.split.own_ns;

		if (doubt == DOUBT_KEEP)
			own_ns = max_ns(own_ns, call->end_ns - instances[i].cause->end_ns);
		edits_set_call_time(edits, observed->model, call, own_ns);
		if (evidence.cause)
			edits_drop_wait(edits, observed->model, call);
	}
}

static void describe_stack_resize(const struct observed *observed, const struct instance *instance,
				  char *text, size_t size)
{
	const struct trace_call *call = instance->call;
	uint32_t bytes = instance->operation->form->local_bytes_per_thread;
	struct format wait, rest, needed, before;
	char kernel[160];

	snprintf(text, size, "launching %s blocked %s until the GPU was idle, and %s more",
		 describe_operation(observed->model, instance->operation, kernel, sizeof(kernel)),
		 format_time(&wait, instance->cause->end_ns - call->start_ns),
		 format_time(&rest, call->end_ns - instance->cause->end_ns));
	if (bytes)
		snprintf(text + strlen(text), size - strlen(text),
			 ": it takes %s of local memory for each thread, others before at most %s",
			 format_bytes(&needed, bytes),
			 format_bytes(&before, before_bytes_of(instance)));
}

static const struct trace_device *device_of(const struct trace *trace, uint32_t id)
{
	for (size_t i = 0; i < trace->device_count; i++)
		if (trace->devices[i].id == id)
			return &trace->devices[i];
	return NULL;
}

/* The memory for all threads that can be resident. */
static bool price_of_stack_resize(const struct model *model, const struct instance *instances,
				  size_t count, int64_t saved_ns, char *text, size_t size)
{
	const struct trace_operation_form *form = instances[count - 1].operation->form;
	const struct trace_device *device = device_of(model->trace, form->device_id);
	struct format bytes;
	uint64_t threads;

	(void)saved_ns;
	if (!device || !device->multiprocessors || !device->max_warps ||
	    !form->local_bytes_per_thread)
		return false;
	threads = (uint64_t)device->multiprocessors * device->max_warps;
	if (__builtin_mul_overflow(threads, 32 * (uint64_t)form->local_bytes_per_thread, &threads))
		return false;
	snprintf(text, size, "%s of device memory from the start on",
		 format_bytes(&bytes, threads));
	return true;
}

/* The device's limit. */
static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	return cause_of_pair(CAUSE_DEVICE, 0, instance->operation->form->device_id);
}

const struct detector detector_stack_resize = {
	.id = "stack-resize",
	.title = "The first launch of a kernel waits until the device is idle",
	.fix = "Make room before the loop: cudaDeviceSetLimit(cudaLimitStackSize, bytes), with the "
	       "largest localSizeBytes that cudaFuncGetAttributes() gives. Or launch that kernel "
	       "in the warm-up.",
	.cost = "launching",
	.low_end = "the launch may wait for the work before it without the resize, too",
	.find = find_stack_resizes,
	.apply = fix_stack_resizes,
	.cause = cause_of,
	.describe = describe_stack_resize,
	.price = price_of_stack_resize,
};
