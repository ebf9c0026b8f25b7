/*
 * Chrome's trace JSON as PyTorch's profiler writes it, with what Holistic Trace Analysis reads: a rank
 * in distributedInfo, behind a space; a ProfilerStep for each step, or around what was recorded; the events of
 * synchronizations, with what they waited for; a launch under the name cudaLaunchKernel.
 *
 * A correlation id is a call's place in the trace, from 1 on. Times are us since baseTimeNanoseconds, a
 * multiple of 90 days since 1970: the same for all ranks of a run.
 */
#include "base/memory.h"
#include "export/event_links.h"
#include "export/event_names.h"
#include "export/exporters.h"
#include "export/json_text.h"
#include "export/nvtx_names.h"
#include "replay/observed.h"
#include "trace/collectives.h"
#include "trace/texts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define BASE_NS (INT64_C(90) * 24 * 3600 * 1000000000)

/* Behind the ids of streams: rows of synchronizations, as PyTorch has them. */
#define SYNC_ROWS 1000000

/* Behind the largest id of a thread (2^22). */
#define STEPS_ROW 5000000

struct kineto {
	FILE *out;
	const struct trace *trace;
	const struct model *model;
	const uint32_t *links;	     /* event_links.h */
	const uint32_t *collectives; /* trace/collectives.h */
	struct export_sites sites;
	int64_t base_ns;
	long process_id;
	bool has_events;
};

static long number_of(const struct trace *trace, const char *key)
{
	const char *value = trace_metadata(trace, key);
	long number = value ? strtol(value, NULL, 10) : 0;

	return number < 0 || number > INT_MAX ? 0 : number;
}

static size_t correlation_of(const struct kineto *kineto, const struct trace_call *call)
{
	return (size_t)(call - kineto->trace->calls) + 1;
}

static void begin_event(struct kineto *kineto, const char *phase)
{
	fprintf(kineto->out, "%s{\"ph\": \"%s\"", kineto->has_events ? ",\n" : "\n", phase);
	kineto->has_events = true;
}

/* Up to its args, which the caller writes: without the closing braces. */
static void begin_span(struct kineto *kineto, const char *category, const char *name, long pid,
		       long tid, int64_t start_ns, int64_t end_ns)
{
	begin_event(kineto, "X");
	fprintf(kineto->out, ", \"cat\": \"%s\", \"name\": ", category);
	json_text(kineto->out, name);
	fprintf(kineto->out, ", \"pid\": %ld, \"tid\": %ld, \"ts\": ", pid, tid);
	json_us(kineto->out, start_ns - kineto->base_ns);
	fputs(", \"dur\": ", kineto->out);
	json_us(kineto->out, end_ns - start_ns);
	fputs(", \"args\": {", kineto->out);
}

static void end_span(struct kineto *kineto)
{
	fputs("}}", kineto->out);
}

static void write_flow(struct kineto *kineto, const char *phase, size_t id, long pid, long tid,
		       int64_t time_ns)
{
	begin_event(kineto, phase);
	fprintf(kineto->out,
		", \"id\": %zu, \"pid\": %ld, \"tid\": %ld, \"cat\": \"ac2g\", "
		"\"name\": \"ac2g\"%s, \"ts\": ",
		id, pid, tid, *phase == 'f' ? ", \"bp\": \"e\"" : "");
	json_us(kineto->out, time_ns - kineto->base_ns);
	putc('}', kineto->out);
}

static void write_name(struct kineto *kineto, const char *what, long pid, long tid,
		       const char *name)
{
	begin_event(kineto, "M");
	fprintf(kineto->out,
		", \"name\": \"%s\", \"pid\": %ld, \"tid\": %ld, \"ts\": 0, \"args\": {\"%s\": ",
		what, pid, tid, strcmp(what, "process_labels") ? "name" : "labels");
	json_text(kineto->out, name);
	fputs("}}", kineto->out);
}

static void write_site(struct kineto *kineto, const struct trace_call *call)
{
	const struct site *site = export_site_of(&kineto->sites, call);
	char line[16];

	if (!site || !site->file)
		return;
	fputs(", \"Source file\": ", kineto->out);
	json_text(kineto->out, site->file);
	snprintf(line, sizeof(line), "%d", site->line);
	fprintf(kineto->out, ", \"Source line\": %s", line);
}

/* The driver's functions are cuX..., the runtime's cudaX.... */
static bool is_of_driver(const char *name)
{
	return strncmp(name, "cuda", 4) != 0;
}

static const char *sync_name(enum function_class class)
{
	switch (class) {
	case CLASS_EVENT_SYNC:
		return "Event Sync";
	case CLASS_STREAM_WAIT_EVENT:
		return "Stream Wait Event";
	case CLASS_STREAM_SYNC:
		return "Stream Sync";
	case CLASS_DEVICE_SYNC:
		return "Context Sync";
	default:
		return NULL;
	}
}

static long device_of(const struct kineto *kineto, uint32_t context_id)
{
	for (size_t i = 0; i < kineto->trace->context_count; i++)
		if (kineto->trace->contexts[i].id == context_id)
			return kineto->trace->contexts[i].device_id;
	return kineto->model->device_count ? kineto->model->device_ids[0] : 0;
}

static void write_sync(struct kineto *kineto, const struct trace_call *call, const char *name)
{
	const struct trace_stream *stream =
		call->form->function->class == CLASS_EVENT_SYNC || !call->form->has_stream
			? NULL
			: model_stream_of(kineto->model, call);
	uint32_t link = kineto->links[call - kineto->trace->calls];
	uint32_t context_id = stream ? stream->context_id : call->form->context_id;
	long device = device_of(kineto, context_id), id = stream ? (long)stream->id : -1;
	const struct trace_call *record = link == NO_RECORD ? NULL : &kineto->trace->calls[link];
	const struct trace_stream *recorder =
		record ? model_stream_of(kineto->model, record) : NULL;

	begin_span(kineto, "cuda_sync", name, device, stream ? SYNC_ROWS + id : SYNC_ROWS,
		   call->start_ns, call->end_ns);
	fprintf(kineto->out,
		"\"cuda_sync_kind\": \"%s\", \"stream\": %ld, \"correlation\": %zu, \"device\": %ld"
		", \"context\": %u",
		name, id, correlation_of(kineto, call), device, context_id);
	if (record)
		fprintf(kineto->out,
			", \"wait_on_stream\": %ld, \"wait_on_cuda_event_record_corr_id\": %zu"
			", \"wait_on_cuda_event_id\": %zu",
			recorder ? (long)recorder->id : -1, correlation_of(kineto, record),
			correlation_of(kineto, record));
	end_span(kineto);
}

static void write_call(struct kineto *kineto, const struct trace_call *call)
{
	const char *name = export_call_name(call), *sync = sync_name(call->form->function->class);
	size_t id = correlation_of(kineto, call);

	begin_span(kineto, is_of_driver(name) ? "cuda_driver" : "cuda_runtime", name,
		   kineto->process_id, call->form->thread_id, call->start_ns, call->end_ns);
	fprintf(kineto->out, "\"cbid\": 0, \"correlation\": %zu", id);
	write_site(kineto, call);
	end_span(kineto);
	if (call->operation)
		write_flow(kineto, "s", id, kineto->process_id, call->form->thread_id,
			   call->start_ns);
	/* A wait that failed ordered nothing. */
	if (sync && !call->form->result)
		write_sync(kineto, call, sync);
}

static void write_kernel(struct kineto *kineto, const struct trace_operation *operation)
{
	const struct trace *trace = kineto->trace;
	const struct trace_operation_form *form = operation->form;
	double blocks_per_sm = 0;

	for (size_t i = 0; i < trace->device_count; i++)
		if (trace->devices[i].id == form->device_id && trace->devices[i].multiprocessors)
			blocks_per_sm = (double)form->blocks / trace->devices[i].multiprocessors;
	fprintf(kineto->out,
		", \"queued\": 0, \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u]"
		", \"registers per thread\": %u, \"shared memory\": %u, \"blocks per SM\": %.6f"
		", \"warps per SM\": %.6f, \"est. achieved occupancy %%\": 0",
		form->grid_x, form->grid_y, form->grid_z, form->block_x, form->block_y,
		form->block_z, form->thread_registers, form->block_shared_bytes, blocks_per_sm,
		blocks_per_sm * ((form->block_threads + 31) / 32));
}

/* "allreduce", as PyTorch names it. If several collectives share the kernel, the first one's name. */
static void write_collective(struct kineto *kineto, const struct trace_operation *operation)
{
	const struct trace *trace = kineto->trace;
	const uint32_t index = kineto->collectives
				       ? kineto->collectives[operation - trace->operations]
				       : NO_COLLECTIVE;
	const struct trace_collective *collective;

	if (index == NO_COLLECTIVE)
		return;
	collective = &trace->collectives[index];
	fputs(", \"Collective name\": \"", kineto->out);
	for (const char *c = collective_word(collective->operation); *c; c++)
		if (*c != '-')
			putc(*c, kineto->out);
	fprintf(kineto->out, "\", \"In msg nelems\": %llu",
		(unsigned long long)collective->bytes /
			collective_datatype_bytes(collective->datatype));
	if (collective->communicator != NO_COMMUNICATOR &&
	    trace->communicators[collective->communicator].ranks > 0)
		fprintf(kineto->out, ", \"Group size\": %d",
			trace->communicators[collective->communicator].ranks);
}

static void write_bytes(struct kineto *kineto, const struct trace_operation *operation)
{
	int64_t ns = operation->end_ns - operation->start_ns;

	fprintf(kineto->out, ", \"bytes\": %llu, \"memory bandwidth (GB/s)\": %.6f",
		(unsigned long long)operation->form->size_bytes,
		ns ? (double)operation->form->size_bytes / (double)ns : 0.0);
}

static void write_operation(struct kineto *kineto, const struct trace_operation *operation)
{
	static const char *const categories[OPERATION_KIND_COUNT] = {
		[OPERATION_KERNEL] = "kernel",
		[OPERATION_COPY] = "gpu_memcpy",
		[OPERATION_SET] = "gpu_memset",
	};
	size_t id = operation->call ? correlation_of(kineto, operation->call) : 0;
	char text[NAME_BYTES];

	begin_span(kineto, categories[operation->form->kind],
		   export_operation_name(kineto->trace, operation, text),
		   operation->form->device_id, operation->form->stream->id, operation->start_ns,
		   operation->end_ns);
	fprintf(kineto->out,
		"\"device\": %u, \"context\": %u, \"stream\": %u, \"correlation\": %zu",
		operation->form->device_id, operation->form->stream->context_id,
		operation->form->stream->id, id);
	if (operation->form->kind == OPERATION_KERNEL)
		write_kernel(kineto, operation);
	else
		write_bytes(kineto, operation);
	write_collective(kineto, operation);
	end_span(kineto);
	if (operation->call)
		write_flow(kineto, "f", id, operation->form->device_id, operation->form->stream->id,
			   operation->start_ns);
}

static void write_step(struct kineto *kineto, size_t number, uint32_t thread_id, int64_t start_ns,
		       int64_t end_ns)
{
	char name[40];

	snprintf(name, sizeof(name), "ProfilerStep#%zu", number);
	begin_span(kineto, "user_annotation", name, kineto->process_id, thread_id, start_ns,
		   end_ns);
	end_span(kineto);
}

/* As the host begins them, in a row of their own: NVTX ranges need not be in one step. */
static void write_found_steps(struct kineto *kineto, const struct step_begins *steps)
{
	write_name(kineto, "thread_name", kineto->process_id, STEPS_ROW, "steps");
	for (size_t i = 0; i < steps->count && !ferror(kineto->out); i++)
		write_step(kineto, i, STEPS_ROW, steps->begin_ns[i],
			   i + 1 < steps->count ? steps->begin_ns[i + 1] : steps->end_ns);
}

/* Those that repeat; else what was recorded is one step, or a window each, on the thread of the first call. */
static void write_steps(struct kineto *kineto, const struct exporting *exporting)
{
	const struct trace *trace = kineto->trace;
	uint32_t thread_id = trace->call_count ? trace->calls[0].form->thread_id : 0;
	size_t count = trace->window_count ? trace->window_count : 1;

	if (exporting->steps) {
		write_found_steps(kineto, exporting->steps);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		int64_t start_ns =
			trace->window_count ? trace->windows[i].start_ns : exporting->origin_ns;
		int64_t end_ns = trace->window_count ? trace->windows[i].end_ns
						     : exporting->origin_ns + exporting->wall_ns;

		write_step(kineto, i, thread_id, start_ns, end_ns);
	}
}

/* Those of a thread are in each other; started ones need not be, which no reader of such files takes. */
static void write_ranges(struct kineto *kineto)
{
	const struct trace *trace = kineto->trace;

	for (size_t i = 0; i < trace->range_count && !ferror(kineto->out); i++) {
		const struct trace_range *range = &trace->ranges[i];
		char *name;

		if (!range->is_pushed)
			continue;
		name = export_range_name(range);
		begin_span(kineto, "user_annotation", name, kineto->process_id, range->thread_id,
			   range->start_ns, range->end_ns);
		end_span(kineto);
		free(name);
	}
}

static void write_rows(struct kineto *kineto)
{
	const struct trace *trace = kineto->trace;
	const char *program = trace_metadata(trace, "program");
	char text[40];

	write_name(kineto, "process_name", kineto->process_id, 0, program ? program : "program");
	write_name(kineto, "process_labels", kineto->process_id, 0, "CPU");
	for (size_t i = 0; i < kineto->model->device_count; i++) {
		uint32_t id = kineto->model->device_ids[i];

		snprintf(text, sizeof(text), "GPU %u", id);
		write_name(kineto, "process_name", id, 0, program ? program : "program");
		write_name(kineto, "process_labels", id, 0, text);
	}
	for (size_t i = 0; i < trace->stream_count; i++) {
		const struct trace_stream *stream = &trace->streams[i];

		snprintf(text, sizeof(text), "stream %u ", stream->id);
		write_name(kineto, "thread_name", device_of(kineto, stream->context_id), stream->id,
			   text);
	}
	for (size_t i = 0; i < trace->thread_count; i++) {
		uint32_t id = (uint32_t)trace->threads[i].id;
		char *name = trace_text_thread(trace, id);

		write_name(kineto, "thread_name", kineto->process_id, id, name);
		free(name);
	}
}

static void write_devices(struct kineto *kineto)
{
	const struct trace *trace = kineto->trace;

	fputs("  \"deviceProperties\": [", kineto->out);
	for (size_t i = 0; i < trace->device_count; i++) {
		const struct trace_device *device = &trace->devices[i];

		fprintf(kineto->out, "%s{\"id\": %u, \"name\": ", i ? ", " : "", device->id);
		json_text(kineto->out, device->name);
		fprintf(kineto->out,
			", \"computeMajor\": %u, \"computeMinor\": %u, \"numSms\": %u"
			", \"sharedMemPerMultiprocessor\": %u, \"regsPerMultiprocessor\": %u"
			", \"warpSize\": 32}",
			device->compute_major, device->compute_minor, device->multiprocessors,
			device->max_shared_bytes, device->max_registers);
	}
	fputs("],\n", kineto->out);
}

static void write_head(struct kineto *kineto)
{
	long rank = number_of(kineto->trace, "rank"), ranks = number_of(kineto->trace, "ranks");

	fputs("{\n  \"schemaVersion\": 1,\n", kineto->out);
	write_devices(kineto);
	fprintf(kineto->out,
		"  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %ld, \"world_size\": %ld"
		", \"pg_count\": 0, \"pg_config\": [], \"nccl_version\": \"\"},\n"
		"  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": %lld,\n"
		"  \"traceName\": ",
		rank, ranks > rank ? ranks : rank + 1, (long long)kineto->base_ns);
	json_text(kineto->out, kineto->trace->path);
	fputs(",\n  \"traceEvents\": [", kineto->out);
}

static void write_kineto(const struct exporting *exporting, FILE *out)
{
	const struct trace *trace = exporting->trace;
	uint32_t *links = event_links_of(trace), *collectives = trace_collectives_of_kernels(trace);
	struct kineto kineto = {
		.out = out,
		.trace = trace,
		.model = exporting->observed->model,
		.links = links,
		.collectives = collectives,
		.base_ns = exporting->origin_ns - exporting->origin_ns % BASE_NS,
		.process_id = number_of(trace, "process_id"),
	};

	export_sites_begin(&kineto.sites, trace);
	write_head(&kineto);
	write_rows(&kineto);
	write_steps(&kineto, exporting);
	write_ranges(&kineto);
	for (size_t i = 0; i < trace->call_count && !ferror(out); i++)
		write_call(&kineto, &trace->calls[i]);
	for (size_t i = 0; i < trace->operation_count && !ferror(out); i++)
		write_operation(&kineto, &trace->operations[i]);
	fputs("\n]}\n", out);
	export_sites_end(&kineto.sites);
	free(links);
	free(collectives);
}

const struct exporter exporter_kineto = {
	.name = "kineto", .need = EXPORT_WAITS, .write = write_kineto};
