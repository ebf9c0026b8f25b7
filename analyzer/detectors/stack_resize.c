/*
 * WHAT: the first launch of a kernel that needs more local memory for each thread than any before
 *   waits until the device is idle, and makes room then.
 * EVIDENCE: no kernel that was enqueued on the device before takes as much local memory. The launch
 *   took many times as long as its like. Work was pending when it began, and none when it returned.
 * COST: the time in the launch. Making room takes time by itself, which the fix moves to the start:
 *   the low end keeps it.
 * FALSE POSITIVES: a launch that waited for another reason, such as a full queue, when the first
 *   kernel with a large stack came.
 */
#include "detectors/detector.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "replay/evidence.h"

#include <stdio.h>
#include <stdlib.h>

/* Shorter ones, and those that take less than so many times what their like do, wait for nothing. */
#define BLOCKED_LEAST_NS 20000
#define BLOCKED_TIMES	 4

/* A device in a pass over all operations, in the order in which they were enqueued. */
struct device {
	uint32_t local_bytes;		    /* the most that a kernel took so far */
	const struct trace_operation *last; /* to end so far; NULL: none */
};

/* Whether the launch took long. */
static bool is_blocked(const struct model *model, const struct trace_call *call)
{
	struct call_evidence evidence = evidence_of(model->evidence, call);
	int64_t blocked_ns = evidence_blocked_ns(&evidence.split);

	return blocked_ns >= BLOCKED_LEAST_NS &&
	       blocked_ns / BLOCKED_TIMES >= evidence.split.own_ns;
}

static void judge(const struct model *model, const struct device *device,
		  const struct trace_operation *operation, struct instances *found)
{
	const struct trace_call *call = operation->call;
	const struct trace_operation *last = device->last;

	if (call && call->form->function->class == CLASS_LAUNCH && last &&
	    last->end_ns > call->start_ns && last->end_ns <= call->end_ns &&
	    is_blocked(model, call))
		instance_add(found, (struct instance){.span = {call->start_ns, call->end_ns},
						      .site_call = call,
						      .call = call,
						      .operation = operation,
						      .cause = last,
						      .detail = DETAIL_LOCAL,
						      .local_bytes = device->local_bytes});
}

static void pass_operation(const struct model *model, struct device *device,
			   const struct trace_operation *operation, struct instances *found)
{
	if (operation->form->local_bytes_per_thread > device->local_bytes) {
		judge(model, device, operation, found);
		device->local_bytes = operation->form->local_bytes_per_thread;
	}
	if (!device->last || operation->end_ns > device->last->end_ns)
		device->last = operation;
}

static void find(const struct model *model, struct instances *found)
{
	struct device *devices = memory_array(model->device_count, sizeof(*devices));
	uint32_t device_id = 0;
	size_t device = 0;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		if (!i || operation->form->device_id != device_id) {
			device_id = operation->form->device_id;
			device = model_device(model, device_id);
		}
		if (device < model->device_count)
			pass_operation(model, &devices[device], operation, found);
	}
	free(devices);
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
	struct format wait, rest, bytes, before;
	char kernel[160];

	snprintf(
		text, size,
		"launching %s blocked %s until the GPU was idle, and %s more: it takes %s of local "
		"memory for each thread, those before at most %s",
		describe_operation(model, instance->operation, kernel, sizeof(kernel)),
		format_time(&wait, instance->cause->end_ns - call->start_ns),
		format_time(&rest, call->end_ns - instance->cause->end_ns),
		format_bytes(&bytes, instance->operation->form->local_bytes_per_thread),
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
	if (!device || !device->multiprocessors || !device->max_warps)
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
	.title = "A launch waits until the device is idle, to make room for larger stacks",
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
