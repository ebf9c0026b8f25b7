#include "model/results.h"

#include "base/memory.h"
#include "model/extents.h"
#include "trace/collectives.h"

#include <stdlib.h>

/* Pinned and registered memory, in the order of the calls. */
struct host_buffers {
	struct extents live; /* values: 1 plus a number */
	bool *used;	     /* by number */
	size_t count;
	bool has_arguments; /* kernels were judged by theirs */
};

/* Through NCCL's own its kernels and its threads tell each other how far they are. */
static bool gives_host_memory(const struct trace_call *call)
{
	return (call->form->function->class == CLASS_HOST_ALLOC ||
		call->form->function->class == CLASS_REGISTER) &&
	       !collective_is_call_of_nccl(call);
}

static void note_use(struct host_buffers *buffers, uint64_t address)
{
	uint64_t cursor = 0;
	const struct extent *extent;

	if (!address || address == UINT64_MAX)
		return;
	extent = extents_next(&buffers->live, address, address + 1, &cursor);
	if (extent)
		buffers->used[extent->value - 1] = true;
}

static void add_buffer(struct host_buffers *buffers, const struct trace_call *call)
{
	uint64_t end;

	if (call->form->result || !call->form->dst || !call->form->size_bytes ||
	    __builtin_add_overflow(call->form->dst, call->form->size_bytes, &end))
		return;
	extents_set(&buffers->live, call->form->dst, end, (uint32_t)++buffers->count);
}

static void note_call(struct host_buffers *buffers, const struct trace_call *call)
{
	enum function_class class = call->form->function->class;

	if (gives_host_memory(call)) {
		add_buffer(buffers, call);
	} else if (class == CLASS_COPY || class == CLASS_SET) {
		note_use(buffers, call->form->src);
		note_use(buffers, call->form->dst);
	} else if (call->form->arguments && buffers->has_arguments) {
		for (size_t i = 0; i < call->form->arguments->count; i++)
			note_use(buffers, call->form->arguments->items[i].address);
	}
}

/* Whether there is pinned or registered memory that nothing seems to use. */
static bool has_unused_buffer(const struct model *model, size_t count)
{
	const struct trace *trace = model->trace;
	struct host_buffers buffers = {.used = memory_array(count, sizeof(*buffers.used)),
				       .has_arguments = model->seen.kernels > 0};
	bool is_unused = false;

	for (size_t i = 0; i < trace->call_count; i++)
		note_call(&buffers, &trace->calls[i]);
	for (size_t i = 0; i < buffers.count; i++)
		is_unused |= !buffers.used[i];
	extents_free(&buffers.live);
	free(buffers.used);
	return is_unused;
}

/* Whether kernels with unknown arguments may write memory that the host reads. */
static bool may_give_results(const struct model *model)
{
	const struct trace *trace = model->trace;
	size_t buffers = 0;

	for (size_t i = 0; i < trace->call_count; i++) {
		if (trace_is_managed(&trace->calls[i]))
			return true;
		buffers += gives_host_memory(&trace->calls[i]);
	}
	return buffers && has_unused_buffer(model, buffers);
}

void results_settle(struct model *model)
{
	enum model_result unseen = MODEL_RESULT_UNSEEN; /* not asked yet */

	for (size_t i = 0; i < model->operation_count; i++) {
		struct model_operation *item = &model->operations[i];

		if (item->operation->form->kind != OPERATION_KERNEL ||
		    collective_is_kernel(item->operation->form->name))
			item->result = MODEL_RESULT_NONE;
		if (item->result != MODEL_RESULT_UNSEEN)
			continue;
		if (unseen == MODEL_RESULT_UNSEEN)
			unseen = may_give_results(model) ? MODEL_RESULT_GIVEN : MODEL_RESULT_NONE;
		item->result = unseen;
	}
}
