/*
 * WHAT: kernels use managed memory that is on the host, again and again: each page that they touch is
 *   a page fault, for which they stall, and which costs far more than its bytes' way as a copy.
 *   Mostly it is on the host because the host used it in between, by page faults of its own.
 * EVIDENCE: managed memory moved to the device during a kernel, because of a fault or ahead of one,
 *   in at least three kernels of a line. What the program prefetched does not count.
 * COST: the times of these kernels, with the movements back to the host behind them. The fix takes
 *   the faults' time off the kernels, or leaves them the time of like kernels without faults, and
 *   the time of the movements off the host's work; copies of as many bytes take their place.
 *   Page faults take longer while they are recorded: the estimate takes half of their time, the low end a
 *   quarter.
 * FALSE POSITIVES: pages of which a kernel uses a small part each may be better where they are, with
 *   cudaMemAdvise(). While some threads of a kernel wait for pages others go on.
 */
#include "detectors/memory/managed_fault.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/mix.h"
#include "base/thresholds.h"
#include "detectors/detector.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* Of an instance: managed memory that moved to the device during its kernel; and to the host in the work
 * before a later call (NULL: nothing did). */
struct faults {
	const struct trace_call *touched;
	uint64_t bytes, host_bytes;
	int64_t kernel_ns; /* what the kernel takes without its faults */
	int64_t host_ns;   /* what the movements to the host took */
};

struct search {
	const struct model *model;
	const struct trace *trace;
	size_t *next;		  /* by device, of trace.migrations */
	struct instances kernels; /* with faults */
	struct map clean;	  /* name and grid to index in clean_ns */
	VECTOR(int64_t) clean_ns; /* of kernels without faults the shortest */
};

static uint64_t kernel_key(const struct trace_operation *kernel)
{
	return mix((uint64_t)(uintptr_t)kernel->form->name, kernel->form->blocks);
}

static void note_clean(struct search *search, const struct trace_operation *kernel)
{
	int64_t duration_ns = kernel->end_ns - kernel->start_ns, *clean_ns;
	size_t index = map_find(&search->clean, kernel_key(kernel));

	if (index == MAP_NONE) {
		map_add(&search->clean, kernel_key(kernel), search->clean_ns.count);
		*vector_add(&search->clean_ns) = duration_ns;
		return;
	}
	assert(search->clean_ns.items); /* it has the index */
	clean_ns = &search->clean_ns.items[index];
	*clean_ns = min_ns(*clean_ns, duration_ns);
}

static bool is_of_device(const struct trace_migration *migration,
			 const struct trace_operation *kernel)
{
	return (migration->kind == MIGRATION_TO_DEVICE || migration->kind == MIGRATION_FAULTS) &&
	       (migration->device_id == TRACE_NO_DEVICE ||
		migration->device_id == kernel->form->device_id);
}

/* What moves to the kernel's device during the kernel counts for the first of several at a time. */
static void pass_kernel(struct search *search, const struct trace_operation *kernel)
{
	const struct trace_migration *migrations = search->trace->migrations;
	size_t count = search->trace->migration_count;
	size_t *next = &search->next[model_device(search->model, kernel->form->device_id)];
	int64_t faults_ns = 0, until_ns = kernel->start_ns;
	uint64_t bytes = 0;

	while (*next < count && migrations[*next].start_ns < kernel->start_ns)
		(*next)++;
	for (; *next < count && migrations[*next].start_ns < kernel->end_ns; (*next)++) {
		const struct trace_migration *migration = &migrations[*next];
		int64_t end_ns = min_ns(migration->end_ns, kernel->end_ns);

		if (!is_of_device(migration, kernel))
			continue;
		faults_ns += max_ns(0, end_ns - max_ns(until_ns, migration->start_ns));
		until_ns = max_ns(until_ns, end_ns);
		if (__builtin_add_overflow(bytes, migration->bytes, &bytes))
			bytes = UINT64_MAX;
	}
	if (!bytes) {
		note_clean(search, kernel);
		return;
	}
	if (!kernel->call || !kernel->call->form->site)
		return;
	instance_add(&search->kernels,
		     (struct instance){
			     .span = {kernel->start_ns, kernel->end_ns},
			     .site_call = kernel->call,
			     .operation = kernel,
			     .detail = INSTANCE_DETAIL(struct faults, .bytes = bytes,
						       .kernel_ns = kernel->end_ns -
								    kernel->start_ns - faults_ns),
		     });
}

/* What moved to the host before the first call behind it. */
struct host_part {
	struct instance *kernel; /* the last one with faults that had ended; NULL: none */
	const struct trace_call *call;
	int64_t time_ns, until_ns;
	uint64_t bytes;
};

/* Of several parts behind a kernel the longest counts. */
static void end_part(const struct host_part *part)
{
	struct faults faults;

	if (!part->kernel)
		return;
	faults = instance_detail(part->kernel, struct faults);
	if (part->time_ns <= faults.host_ns)
		return;
	faults.touched = part->call;
	faults.host_ns = part->time_ns;
	faults.host_bytes = part->bytes;
	part->kernel->detail = INSTANCE_DETAIL_OF(faults);
	part->kernel->reach.end_ns = max_ns(part->kernel->reach.end_ns, part->call->start_ns);
	part->kernel->reach_of_both = part->kernel->reach;
	part->kernel->span.end_ns = max_ns(part->kernel->span.end_ns, part->until_ns);
}

static void extend_part(struct host_part *part, const struct trace_migration *migration)
{
	int64_t end_ns = min_ns(migration->end_ns, part->call->start_ns);

	part->time_ns += max_ns(0, end_ns - max_ns(part->until_ns, migration->start_ns));
	part->until_ns = max_ns(part->until_ns, end_ns);
	if (__builtin_add_overflow(part->bytes, migration->bytes, &part->bytes))
		part->bytes = UINT64_MAX;
}

/* Movements to the host, each with the kernel before it and the call behind it. */
static void pass_host(struct search *search)
{
	const struct trace *trace = search->trace;
	struct instance *kernels = search->kernels.items;
	struct host_part part = {0};
	size_t call = 0, kernel = 0;

	for (size_t i = 0; i < trace->migration_count; i++) {
		const struct trace_migration *migration = &trace->migrations[i];
		struct instance *before;

		if (migration->kind != MIGRATION_TO_HOST)
			continue;
		while (kernel < search->kernels.count &&
		       kernels[kernel].operation->end_ns <= migration->start_ns)
			kernel++;
		while (call < trace->call_count &&
		       trace->calls[call].start_ns < migration->start_ns)
			call++;
		if (!kernel || call == trace->call_count)
			continue;
		before = &kernels[kernel - 1];
		if (before != part.kernel || &trace->calls[call] != part.call) {
			end_part(&part);
			part = (struct host_part){.kernel = before, .call = &trace->calls[call]};
		}
		extend_part(&part, migration);
	}
	end_part(&part);
}

/* Those of the lines that have enough of them, with what like kernels take without faults. */
static void add_repeated(struct search *search, struct instances *found)
{
	const struct trace *trace = search->trace;
	uint32_t *counts = memory_array(trace->site_count, sizeof(*counts));

	for (size_t i = 0; i < search->kernels.count; i++)
		counts[search->kernels.items[i].site_call->form->site - trace->sites]++;
	for (size_t i = 0; i < search->kernels.count; i++) {
		struct instance *instance = &search->kernels.items[i];
		struct faults faults = instance_detail(instance, struct faults);
		size_t clean = map_find(&search->clean, kernel_key(instance->operation));

		if (counts[instance->site_call->form->site - trace->sites] < LOOP_LEAST_TIMES)
			continue;
		if (clean != MAP_NONE)
			faults.kernel_ns =
				min_ns(search->clean_ns.items[clean],
				       instance->operation->end_ns - instance->operation->start_ns);
		instance->detail = INSTANCE_DETAIL_OF(faults);
		instance_add(found, *instance);
	}
	free(counts);
}

static void find_managed_faults(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	const struct trace *trace = model->trace;
	struct search search = {.model = model, .trace = trace};

	if (!trace->migration_count)
		return;
	/* One more: for a device that the model does not know. */
	search.next = memory_array(model->device_count + 1, sizeof(*search.next));
	for (size_t i = 0; i < trace->operation_count; i++)
		if (trace->operations[i].form->kind == OPERATION_KERNEL)
			pass_kernel(&search, &trace->operations[i]);
	pass_host(&search);
	add_repeated(&search, found);
	free(search.kernels.items);
	free(search.next);
	vector_free(&search.clean_ns);
	map_free(&search.clean);
}

/* The duration as a copy. If the rate is unknown: 0 for the high end, otherwise as long as the
 * faults took. */
static int64_t copy_ns(const struct model *model, enum engine engine, uint64_t bytes,
		       int64_t faults_ns, enum doubt doubt)
{
	if (doubt == DOUBT_DROP)
		return 0;
	return rates_pinned_ns(model->pinned_copies[engine], bytes, faults_ns,
			       doubt == DOUBT_KEEP ? RATE_SLOWEST : RATE_LIKELY);
}

static int64_t untraced_ns(int64_t faults_ns, enum doubt doubt)
{
	return faults_ns / (doubt == DOUBT_KEEP	   ? FAULTS_UNTRACED_LOW_PART
			    : doubt == DOUBT_WEIGH ? FAULTS_UNTRACED_PART
						   : 1);
}

void managed_fault_prefetch(const struct observed *observed, const struct instance *instances,
			    size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;

	for (size_t i = 0; i < count; i++) {
		struct faults faults = instance_detail(&instances[i], struct faults);
		const struct trace_operation *kernel = instances[i].operation;
		int64_t took_ns = kernel->end_ns - kernel->start_ns;
		int64_t faults_ns = untraced_ns(took_ns - faults.kernel_ns, doubt);
		int64_t less_ns =
			faults_ns - copy_ns(model, ENGINE_H2D, faults.bytes, faults_ns, doubt);

		edits_set_duration(edits, model, kernel, took_ns - less_ns);
	}
}

static void fix_managed_faults(const struct observed *observed, const struct instance *instances,
			       size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;

	managed_fault_prefetch(observed, instances, count, doubt, edits);
	for (size_t i = 0; i < count; i++) {
		struct faults faults = instance_detail(&instances[i], struct faults);

		if (faults.touched)
			edits_shorten_work(
				edits, model, faults.touched,
				max_ns(0, faults.host_ns - copy_ns(model, ENGINE_D2H,
								   faults.host_bytes,
								   faults.host_ns, doubt)));
	}
}

static void describe_managed_fault(const struct observed *observed, const struct instance *instance,
				   char *text, size_t size)
{
	struct faults faults = instance_detail(instance, struct faults);
	const struct trace_operation *kernel = instance->operation;
	struct format moved, took, own, back, time;
	char name[64];
	size_t used;

	format_bytes(&moved, faults.bytes);
	used = (size_t)snprintf(
		text, size, "%s took %s, %s of it for page faults of %s",
		describe_operation(observed->model, kernel, name, sizeof(name)),
		format_time(&took, kernel->end_ns - kernel->start_ns),
		format_time(&own, kernel->end_ns - kernel->start_ns - faults.kernel_ns),
		moved.text);
	if (faults.touched && used < size)
		snprintf(text + used, size - used, "; %s moved to the host behind it, in %s",
			 format_bytes(&back, faults.host_bytes),
			 format_time(&time, faults.host_ns));
}

const struct detector detector_managed_fault = {
	.id = "managed-fault",
	.title = "Kernels stall for page faults of managed memory",
	.fix = "cudaMemPrefetchAsync() to the device before the launch, in its stream, and to the "
	       "host before the host uses the memory. Or cudaMemAdvise() for what both sides use, "
	       "or a copy of that part in pinned memory.",
	.cost = "in these kernels and behind them",
	.low_end = "recording page faults slows them down by an unknown part",
	.pointers = {DETAIL_POINTER(struct faults, touched)},
	.find = find_managed_faults,
	.apply = fix_managed_faults,
	.describe = describe_managed_fault,
};
