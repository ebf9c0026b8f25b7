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
#include "detectors/detector.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/vector.h"
#include "replay/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shorter ones, and those that take less than so many times what their like do, wait for nothing. */
#define BLOCKED_LEAST_NS 20000
#define BLOCKED_TIMES	 4

/* A device in a pass over all operations, in the order in which they were enqueued. */
struct device {
	uint32_t local_bytes;		    /* the most that a kernel took so far */
	const struct trace_operation *last; /* to end so far; NULL: none */
	bool has_kernel;		    /* before the first one the program is still loaded */
};

struct passing {
	const struct model *model;
	bool is_local_known;
	struct device *devices; /* by index in model.device_ids */
	struct map launched;	/* names of kernels on a device */
	struct map loading;	/* index in trace.calls to ns of loading in it */
	struct instances *found;
};

static void find_loading(struct passing *passing)
{
	const struct trace *trace = passing->model->trace;
	uint32_t *calls = trace_overhead_calls(trace);

	for (size_t i = 0; i < trace->overhead_count; i++)
		if (trace->overheads[i].is_loading && calls[i] != TRACE_NO_CALL)
			map_set(&passing->loading, calls[i],
				(size_t)(trace->overheads[i].end_ns -
					 trace->overheads[i].start_ns));
	free(calls);
}

/* Whether the launch took long, and not to load the kernel. */
static bool is_blocked(const struct passing *passing, const struct trace_call *call)
{
	struct call_evidence evidence = evidence_of(passing->model->evidence, call);
	int64_t blocked_ns = evidence_blocked_ns(&evidence.split);
	size_t loading_ns =
		map_find(&passing->loading, (uint64_t)(call - passing->model->trace->calls));

	return blocked_ns >= BLOCKED_LEAST_NS &&
	       blocked_ns / BLOCKED_TIMES >= evidence.split.own_ns &&
	       (loading_ns == MAP_NONE || loading_ns <= (size_t)blocked_ns / 2);
}

/* A launch that lasts until its own kernel is done is of CUDA_LAUNCH_BLOCKING=1. */
static void judge(struct passing *passing, const struct device *device,
		  const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;
	const struct trace_operation *last = device->last;

	if (call && call->form->function->class == CLASS_LAUNCH && last && device->has_kernel &&
	    last->end_ns > call->start_ns && last->end_ns <= call->end_ns &&
	    operation->end_ns > call->end_ns && is_blocked(passing, call))
		instance_add(passing->found,
			     (struct instance){.span = {call->start_ns, call->end_ns},
					       .site_call = call,
					       .call = call,
					       .operation = operation,
					       .cause = last,
					       .detail = DETAIL_LOCAL,
					       .local_bytes = device->local_bytes});
}

static bool is_first(struct passing *passing, size_t device,
		     const struct trace_operation *operation)
{
	uint64_t key = (uint64_t)(uintptr_t)operation->form->name << 16 ^ device;

	if (!operation->form->name || map_find(&passing->launched, key) != MAP_NONE)
		return false;
	map_add(&passing->launched, key, 0);
	return true;
}

static void pass_operation(struct passing *passing, size_t index,
			   const struct trace_operation *operation)
{
	struct device *device = &passing->devices[index];
	uint32_t bytes = operation->form->local_bytes_per_thread;

	if (operation->form->kind == OPERATION_KERNEL && is_first(passing, index, operation) &&
	    (bytes > device->local_bytes || !passing->is_local_known))
		judge(passing, device, operation);
	device->has_kernel |= operation->form->kind == OPERATION_KERNEL;
	if (bytes > device->local_bytes)
		device->local_bytes = bytes;
	if (!device->last || operation->end_ns > device->last->end_ns)
		device->last = operation;
}

/* CUPTI does not say it on all devices. */
static bool is_local_known(const struct trace *trace)
{
	for (size_t i = 0; i < trace->operation_count; i++)
		if (trace->operations[i].form->local_bytes_per_thread)
			return true;
	return false;
}

static void find(const struct model *model, struct instances *found)
{
	struct passing passing = {
		.model = model,
		.is_local_known = is_local_known(model->trace),
		.devices = memory_array(model->device_count, sizeof(*passing.devices)),
		.found = found};

	find_loading(&passing);
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		size_t device = model_device(model, operation->form->device_id);

		if (device < model->device_count)
			pass_operation(&passing, device, operation);
	}
	map_free(&passing.loading);
	map_free(&passing.launched);
	free(passing.devices);
}

static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	for (size_t i = 0; i < count; i++) {
		const struct trace_call *call = instances[i].call;
		struct call_evidence evidence = evidence_of(model->evidence, call);
		int64_t own_ns = evidence.split.own_ns;

		if (doubt == DOUBT_KEEP)
			own_ns = max_ns(own_ns, call->end_ns - instances[i].cause->end_ns);
		edits_set_call_time(edits, model, call, own_ns);
		if (evidence.cause)
			edits_drop_wait(edits, model, call);
	}
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	const struct trace_call *call = instance->call;
	uint32_t bytes = instance->operation->form->local_bytes_per_thread;
	struct format wait, rest, needed, before;
	char kernel[160];

	snprintf(text, size, "launching %s blocked %s until the GPU was idle, and %s more",
		 describe_operation(model, instance->operation, kernel, sizeof(kernel)),
		 format_time(&wait, instance->cause->end_ns - call->start_ns),
		 format_time(&rest, call->end_ns - instance->cause->end_ns));
	if (bytes)
		snprintf(text + strlen(text), size - strlen(text),
			 ": it takes %s of local memory for each thread, others before at most %s",
			 format_bytes(&needed, bytes),
			 format_bytes(&before, instance->local_bytes));
}

static const struct trace_device *device_of(const struct trace *trace, uint32_t id)
{
	for (size_t i = 0; i < trace->device_count; i++)
		if (trace->devices[i].id == id)
			return &trace->devices[i];
	return NULL;
}

/* The memory for all threads that can be resident. */
static bool price(const struct model *model, const struct instance *instances, size_t count,
		  int64_t saved_ns, char *text, size_t size)
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

const struct detector detector_stack_resize = {
	.id = "stack-resize",
	.title = "The first launch of a kernel waits until the device is idle",
	.fix = "Make room before the loop: cudaDeviceSetLimit(cudaLimitStackSize, bytes), with the "
	       "largest localSizeBytes that cudaFuncGetAttributes() gives. Or launch that kernel "
	       "in "
	       "the warm-up.",
	.cost = "launching",
	.find = find,
	.apply = apply,
	.describe = describe,
	.price = price,
};
