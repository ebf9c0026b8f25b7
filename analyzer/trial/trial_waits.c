#include "trial/trial_waits.h"

#include "base/memory.h"
#include "base/search.h"
#include "base/vector.h"
#include "model/extents.h"
#include "races/race_words.h"
#include "trace/collectives.h"
#include "trace/texts.h"

#include <stdlib.h>

static bool gives_host_memory(const struct trace_call *call)
{
	const enum function_class class = call->form->function->class;

	return (class == CLASS_HOST_ALLOC || class == CLASS_REGISTER) && !call->form->result &&
	       !collective_is_call_of_nccl(call);
}

/* Memory of the host that CUDA knows. Zero-initialize it. */
struct host_memory {
	struct extents live; /* values: 1 plus an index in buffers */
	VECTOR(struct buffer {
		const struct trace_call *call; /* that gave it */
		bool is_copied;
	})
	buffers;
};

/* NULL: the address is in none. */
static struct buffer *buffer_at(const struct host_memory *memory, uint64_t address)
{
	uint64_t cursor = 0;
	const struct extent *extent =
		address && address != UINT64_MAX
			? extents_next(&memory->live, address, address + 1, &cursor)
			: NULL;

	return extent ? &memory->buffers.items[extent->value - 1] : NULL;
}

/* "kernel flag at app.cu:40" and why */
static char *kernel_sentence(const struct trace *trace, const struct trace_operation *kernel)
{
	char *name = race_operation_text(trace, kernel);
	char *text = memory_format("%s uses memory of the host, which the host may read or write "
				   "behind the wait",
				   name);

	free(name);
	return text;
}

/* A kernel of the launch that was given memory of the host. */
static char *find_use(const struct trace *trace, const struct host_memory *memory,
		      const struct trace_call *launch)
{
	const struct trace_arguments *arguments = launch->form->arguments;

	for (size_t i = 0; arguments && launch->operation && i < arguments->count; i++)
		if (launch->operation->form->kind == OPERATION_KERNEL &&
		    !collective_is_kernel(launch->operation->form->name) &&
		    buffer_at(memory, arguments->items[i].address))
			return kernel_sentence(trace, launch->operation);
	return NULL;
}

static void set_memory(struct host_memory *memory, const struct trace_call *call, size_t value)
{
	uint64_t end;

	if (call->form->dst && call->form->size_bytes &&
	    !__builtin_add_overflow(call->form->dst, call->form->size_bytes, &end))
		extents_set(&memory->live, call->form->dst, end, (uint32_t)value);
}

static void note_copy(const struct host_memory *memory, uint64_t address)
{
	struct buffer *buffer = buffer_at(memory, address);

	if (buffer)
		buffer->is_copied = true;
}

/* A kernel that uses the memory so far by its arguments. */
static char *enter_call(const struct trace *trace, struct host_memory *memory,
			const struct trace_call *call)
{
	const enum function_class class = call->form->function->class;

	if (gives_host_memory(call)) {
		*vector_add(&memory->buffers) = (struct buffer){.call = call};
		set_memory(memory, call, memory->buffers.count);
	} else if (class == CLASS_ALLOC) {
		set_memory(memory, call, 0);
	} else if (class == CLASS_COPY) {
		note_copy(memory, call->form->src);
		note_copy(memory, call->form->dst);
	} else {
		return find_use(trace, memory, call);
	}
	return NULL;
}

/* Memory that no copy uses: kernels may find it by other means than arguments. */
static char *find_uncopied(const struct trace *trace, const struct host_memory *memory)
{
	for (size_t i = 0; i < memory->buffers.count; i++) {
		const struct buffer *buffer = &memory->buffers.items[i];
		struct site site;
		char *where, *text;

		if (buffer->is_copied)
			continue;
		site = site_describe(trace, buffer->call->form->site, NULL);
		where = trace_text_site(trace, &site);
		text = memory_format("no copy uses the memory of %s at %s: kernels may, and the "
				     "host behind the wait",
				     buffer->call->form->function->name, where);
		free(where);
		return text;
	}
	return NULL;
}

static char *find_host_memory(const struct trace *trace)
{
	struct host_memory memory = {0};
	char *text = NULL;

	for (size_t i = 0; i < trace->call_count && !text; i++)
		text = enter_call(trace, &memory, &trace->calls[i]);
	if (!text)
		text = find_uncopied(trace, &memory);
	extents_free(&memory.live);
	vector_free(&memory.buffers);
	return text;
}

static bool has_managed_memory(const struct trace *trace)
{
	for (size_t i = 0; i < trace->call_count; i++)
		if (trace_is_managed(&trace->calls[i]))
			return true;
	for (size_t i = 0; i < trace->allocation_count; i++)
		if (trace->allocations[i].is_host && trace->allocations[i].is_static)
			return true;
	return false;
}

static bool enqueues_work(const struct trace_call *call)
{
	const enum function_class class = call->form->function->class;

	return class == CLASS_LAUNCH || class == CLASS_GRAPH_LAUNCH || class == CLASS_COPY ||
	       class == CLASS_SET || class == CLASS_HOST_FUNCTION;
}

bool trial_waits_has_unseen_work(const struct trace *trace)
{
	for (size_t i = 0; i < trace->call_count; i++)
		if (trace->calls[i].form->via_driver_callback && enqueues_work(&trace->calls[i]))
			return true;
	for (size_t i = 0; i < trace->operation_count; i++)
		if (!trace->operations[i].call)
			return true;
	return false;
}

bool trial_waits_has_unseen_copies(const struct trace *trace)
{
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		if (!operation->call || (operation->call->form->via_driver_callback &&
					 (operation->form->engine == ENGINE_H2D ||
					  operation->form->engine == ENGINE_D2H)))
			return true;
	}
	return false;
}

/* "kernel copy at app.cu:75"; "cuMemFree at app.cu:80" */
static char *call_text(const struct trace *trace, const struct trace_call *call)
{
	struct site site;
	char *where, *text;

	if (call->operation)
		return race_operation_text(trace, call->operation);
	site = site_describe(trace, call->form->site, NULL);
	where = trace_text_site(trace, &site);
	text = memory_format("%s at %s", call->form->function->name, where);
	free(where);
	return text;
}

/* Work, or a release of memory, past libcudart.so: what it relies on is not seen. */
static char *find_unseen(const struct trace *trace)
{
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		char *name, *text;

		if (!call->form->via_driver_callback ||
		    (!enqueues_work(call) && call->form->function->class != CLASS_FREE))
			continue;
		name = call_text(trace, call);
		text = memory_format(
			"%s does not go through libcudart.so, and may rely on the wait", name);
		free(name);
		return text;
	}
	for (size_t i = 0; i < trace->operation_count; i++)
		if (!trace->operations[i].call)
			return memory_format("the trace lacks calls of operations");
	return NULL;
}

/* A thread may rely on the wait of another, by means that are not seen. */
static bool has_threads(const struct trace *trace)
{
	const struct trace_call *first = NULL;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (!enqueues_work(call))
			continue;
		if (!first)
			first = call;
		if (call->form->thread_id != first->form->thread_id)
			return true;
	}
	return false;
}

char *trial_waits_unmet(const struct analysis *analysis)
{
	char *text;

	if (has_managed_memory(analysis->whole))
		return memory_format(
			"the program has managed memory, which the host may use behind "
			"the wait");
	if (has_threads(analysis->whole))
		return memory_format("several threads enqueue work, and may rely on each other's "
				     "waits");
	text = find_host_memory(analysis->whole);
	return text ? text : find_unseen(analysis->whole);
}

/* A copy that the host need not have waited for, and whose memory it can use. */
static bool is_visible(const struct trace_operation *operation)
{
	const struct trace_operation_form *form = operation->form;

	return form->kind == OPERATION_COPY && form->is_async &&
	       (form->engine == ENGINE_H2D || form->engine == ENGINE_D2H) &&
	       form->src_kind != MEMORY_PAGEABLE && form->dst_kind != MEMORY_PAGEABLE;
}

/* Operations that are looked at: as many as a device takes without blocking the host. */
enum { LOOKED_AT_MOST = 1024 };

char *trial_waits_visible(const struct analysis *analysis, const struct trace_call *wait)
{
	const struct model *model = analysis->observed.model;
	size_t i = search(model->operation_count, k,
			  model_enqueue_ns(model->operations[k].operation) < wait->start_ns);
	const size_t least = i > LOOKED_AT_MOST ? i - LOOKED_AT_MOST : 0;

	while (i-- > least) {
		const struct trace_operation *operation = model->operations[i].operation;
		char *name, *text;

		if (operation->end_ns < wait->start_ns || !is_visible(operation) ||
		    !race_call_of(operation))
			continue;
		name = race_operation_text(model->trace, operation);
		text = memory_format("it waits for %s, whose memory the host may use behind it",
				     name);
		free(name);
		return text;
	}
	return NULL;
}
