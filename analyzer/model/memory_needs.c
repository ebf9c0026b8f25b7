#include "model/memory_needs.h"

#include "model/kernel_parameters.h"
#include "base/memory.h"
#include "model/nodes.h"
#include "model/clocks.h"
#include "model/ranges.h"

#include <stdlib.h>
#include <string.h>

/* Stands for memory that is not seen: who may have written it is remembered there. */
#define UNSEEN_START 0
#define UNSEEN_END   1

/* More pieces than this are not gone through: then the whole stream counts. */
#define PIECES_LIMIT 256

/* Who touched a piece of memory, of one stream; 0 is none. */
struct entry {
	uint32_t stream, number; /* the last one, and its number there */
	node_index node;
	uint32_t next;
};

/* What the operation at hand touches. */
struct access {
	uint64_t start, end;
	bool is_read, is_written;
};

struct model_memory {
	const struct trace *trace;
	struct clocks *clocks;
	struct ranges allocations;	/* values: indexes in trace->allocations, plus one */
	struct ranges writers, readers; /* values: the first of some entries */
	struct entry *entries;
	size_t entry_count, entry_capacity, next_allocation;
	struct map
		reaches; /* addresses to the ends of what they reach, until the next allocation */
	struct map kernels; /* names to parameters */
	struct kernel_parameters *parameters;
	size_t parameter_count, parameter_capacity;
	struct model_seen seen;

	/* The operation at hand. */
	const struct trace_operation *operation;
	struct access *accesses;
	size_t access_count, access_capacity;
	uint32_t stream, number;
	bool reads_seen, writes_seen;
	bool is_overwriting; /* what it writes holds nothing of what was there */
};

struct model_memory *model_memory_create(const struct trace *trace)
{
	struct clocks *clocks = trace->arguments_count ? clocks_create(trace) : NULL;
	struct model_memory *memory;

	if (!clocks)
		return NULL;
	memory = memory_array(1, sizeof(*memory));
	memory->trace = trace;
	memory->clocks = clocks;
	memory->entry_count = 1;
	memory->entry_capacity = 64;
	memory->entries = memory_array(memory->entry_capacity, sizeof(*memory->entries));
	return memory;
}

void model_memory_free(struct model_memory *memory)
{
	if (!memory)
		return;
	free(memory->accesses);
	free(memory->parameters);
	map_free(&memory->reaches);
	map_free(&memory->kernels);
	free(memory->entries);
	ranges_free(&memory->readers);
	ranges_free(&memory->writers);
	ranges_free(&memory->allocations);
	clocks_free(memory->clocks);
	free(memory);
}

void model_memory_record(struct model_memory *memory, uint32_t wait)
{
	clocks_record(memory->clocks, wait);
}

void model_memory_wait(struct model_memory *memory, uint32_t wait)
{
	clocks_wait(memory->clocks, wait);
}

void model_memory_count(const struct model_memory *memory, struct model *model)
{
	model->seen = memory->seen;
}

/* What was allocated before the operation was enqueued. A release does not matter: until the next
 * allocation at its address nothing uses it. New memory holds nothing of what was there: who touched
 * that is forgotten, since without the release in between it would be other memory. */
static void follow_allocations(struct model_memory *memory, int64_t time_ns)
{
	const struct trace *trace = memory->trace;

	for (; memory->next_allocation < trace->allocation_count; memory->next_allocation++) {
		const struct trace_allocation *next = &trace->allocations[memory->next_allocation];
		uint64_t end = next->address + next->size_bytes;

		if (next->time_ns > time_ns)
			return;
		map_free(&memory->reaches);
		ranges_set(&memory->allocations, next->address, end,
			   (uint32_t)memory->next_allocation + 1);
		ranges_set(&memory->writers, next->address, end, 0);
		ranges_set(&memory->readers, next->address, end, 0);
	}
}

/* Where the allocation that holds the address ends; 0: none does. */
static uint64_t find_reach(const struct model_memory *memory, uint64_t address)
{
	const struct trace_allocation *allocations = memory->trace->allocations;
	uint64_t cursor = 0, end = 0;
	const struct range *range;

	while ((range = ranges_next(&memory->allocations, address, UINT64_MAX, &cursor))) {
		bool is_first = !end;

		if (is_first ? range->start > address
			     : range->start != end || !allocations[range->value - 1].is_mapped)
			break;
		end = range->end;
		if (!allocations[range->value - 1].is_mapped)
			break;
	}
	return end;
}

/* The same: chunks that are mapped side by side can be thousands, and pointers into them come
 * again. */
static uint64_t reach_of(struct model_memory *memory, uint64_t address)
{
	size_t known = map_find(&memory->reaches, address);

	if (known == MAP_NONE) {
		known = find_reach(memory, address);
		map_add(&memory->reaches, address, known);
	}
	return known;
}

static void add_access(struct model_memory *memory, struct access access)
{
	memory->accesses = memory_grow(memory->accesses, memory->access_count,
				       &memory->access_capacity, sizeof(access));
	memory->accesses[memory->access_count++] = access;
}

static const struct kernel_parameters *parameters_of(struct model_memory *memory, const char *name)
{
	size_t index = map_find(&memory->kernels, (uintptr_t)name);

	if (index == MAP_NONE) {
		index = memory->parameter_count++;
		memory->parameters =
			memory_grow(memory->parameters, index, &memory->parameter_capacity,
				    sizeof(*memory->parameters));
		memory->parameters[index] = kernel_parameters_read(name);
		map_add(&memory->kernels, (uintptr_t)name, index);
	}
	return &memory->parameters[index];
}

static bool is_inside(const struct model_memory *memory, uint64_t address)
{
	uint64_t cursor = 0;
	const struct range *range =
		ranges_next(&memory->allocations, address, address + 1, &cursor);

	return range && memory->trace->allocations[range->value - 1].address < address;
}

/* A kernel without a single pointer must reach memory in another way. */
static bool find_kernel_accesses(struct model_memory *memory)
{
	const struct trace_operation *operation = memory->operation;
	const struct trace_arguments *arguments = operation->call->arguments;
	const struct kernel_parameters *parameters;

	if (!arguments || !operation->name || operation->call->function->class != CLASS_LAUNCH)
		return false;
	parameters = parameters_of(memory, operation->name);
	for (size_t i = 0; i < arguments->count; i++) {
		const struct trace_argument *argument = &arguments->items[i];
		uint64_t end = reach_of(memory, argument->address);
		bool is_const = !argument->offset_bytes &&
				argument->parameter < KERNEL_PARAMETERS &&
				parameters->is_const >> argument->parameter & 1;

		if (!end)
			continue;
		memory->seen.arguments++;
		memory->seen.inner_arguments += is_inside(memory, argument->address);
		add_access(memory, (struct access){argument->address, end, true, !is_const});
	}
	return memory->access_count > 0 && !parameters->has_table;
}

/* Rows with gaps between them reach further than their bytes. */
static bool is_plain(const struct trace_call *call)
{
	const char *name = call->function->name;

	return !strstr(name, "2D") && !strstr(name, "3D");
}

/* False: it is in no memory that is known. */
static bool add_end(struct model_memory *memory, uint64_t address, bool is_written)
{
	const struct trace_call *call = memory->operation->call;
	uint64_t bytes = memory->operation->size_bytes > call->size_bytes
				 ? memory->operation->size_bytes
				 : call->size_bytes;
	uint64_t end = address ? reach_of(memory, address) : 0;

	if (!end)
		return false;
	if (is_plain(call) && bytes < end - address)
		end = address + bytes;
	add_access(memory, (struct access){address, end, !is_written, is_written});
	return true;
}

static void find_accesses(struct model_memory *memory)
{
	const struct trace_operation *operation = memory->operation;
	bool is_copy = operation->kind == OPERATION_COPY, is_known;

	memory->access_count = 0;
	memory->is_overwriting = operation->kind != OPERATION_KERNEL;
	memory->reads_seen = memory->writes_seen = false;
	if (!operation->call)
		return;
	if (operation->kind == OPERATION_KERNEL) {
		memory->seen.kernels++;
		memory->reads_seen = memory->writes_seen = find_kernel_accesses(memory);
		memory->seen.unseen_kernels += !memory->reads_seen;
		return;
	}
	is_known = is_copy && add_end(memory, operation->call->src, false);
	memory->reads_seen = is_known || !is_copy || operation->engine == ENGINE_H2D;
	is_known = add_end(memory, operation->call->dst, true);
	memory->writes_seen = is_known || (is_copy && operation->engine == ENGINE_D2H);
}

/* Whether the device, or the host that waited, let the entry come before the operation at hand. */
static bool is_before(const struct model_memory *memory, const struct model *model,
		      const struct entry *entry)
{
	return clocks_is_before(memory->clocks, entry->stream, entry->number, memory->stream) ||
	       model->nodes[entry->node].end_ns <= model_enqueue_ns(memory->operation);
}

/* Joins who touched the memory to *node. False: some are not known. One that is not before the
 * operation at hand has replaced others, which may be. */
static bool join_entries(const struct model_memory *memory, struct model *model,
			 const struct ranges *ranges, const struct access *access, node_index *node)
{
	const struct range *range;
	uint64_t cursor = 0;
	uint32_t last = 0;
	int pieces = 0;

	while ((range = ranges_next(ranges, access->start, access->end, &cursor))) {
		if (++pieces > PIECES_LIMIT)
			return false;
		if (range->value == last)
			continue;
		last = range->value;
		for (uint32_t i = range->value; i; i = memory->entries[i].next) {
			if (!is_before(memory, model, &memory->entries[i]))
				return false;
			*node = model_nodes_join(model, *node, memory->entries[i].node);
		}
	}
	return true;
}

static const struct access unseen = {UNSEEN_START, UNSEEN_END, true, true};

static bool reads_device(const struct trace_operation *operation)
{
	return operation->kind == OPERATION_KERNEL ||
	       (operation->kind == OPERATION_COPY && operation->engine != ENGINE_H2D);
}

static bool find_needs(const struct model_memory *memory, struct model *model, node_index *needs)
{
	bool is_all = memory->reads_seen;

	if (is_all && reads_device(memory->operation))
		is_all = join_entries(memory, model, &memory->writers, &unseen, needs);
	for (size_t i = 0; is_all && i < memory->access_count; i++)
		if (memory->accesses[i].is_read)
			is_all = join_entries(memory, model, &memory->writers, &memory->accesses[i],
					      needs);
	return is_all;
}

static bool find_reuses(const struct model_memory *memory, struct model *model, node_index *reuses)
{
	bool is_all = memory->writes_seen;

	for (size_t i = 0; is_all && i < memory->access_count; i++) {
		const struct access *access = &memory->accesses[i];

		if (access->is_written)
			is_all = join_entries(memory, model, &memory->writers, access, reuses) &&
				 join_entries(memory, model, &memory->readers, access, reuses) &&
				 join_entries(memory, model, &memory->writers, &unseen, reuses) &&
				 join_entries(memory, model, &memory->readers, &unseen, reuses);
	}
	return is_all;
}

struct model_touched model_memory_enter(struct model_memory *memory, struct model *model,
					const struct trace_operation *operation)
{
	struct model_touched touched = {NODE_NONE, NODE_NONE, false, false};

	memory->operation = operation;
	memory->stream = (uint32_t)(operation->stream - memory->trace->streams);
	memory->number = clocks_enter(memory->clocks, memory->stream);
	follow_allocations(memory, model_enqueue_ns(operation));
	find_accesses(memory);
	touched.needs_all = !find_needs(memory, model, &touched.needs);
	touched.reuses_all = !find_reuses(memory, model, &touched.reuses);
	return touched;
}

static uint32_t add_entry(struct model_memory *memory, struct entry entry)
{
	memory->entries = memory_grow(memory->entries, memory->entry_count, &memory->entry_capacity,
				      sizeof(entry));
	memory->entries[memory->entry_count] = entry;
	return (uint32_t)memory->entry_count++;
}

/* One a stream: the first of the list from now on. */
static uint32_t merge_entry(struct model_memory *memory, struct model *model, uint32_t first,
			    struct entry entry)
{
	for (uint32_t i = first; i; i = memory->entries[i].next) {
		struct entry *same = &memory->entries[i];

		if (same->stream != entry.stream)
			continue;
		if (entry.number > same->number)
			same->number = entry.number;
		same->node = model_nodes_join(model, same->node, entry.node);
		return first;
	}
	entry.next = first;
	return add_entry(memory, entry);
}

/* Who touched [access->start, access->end) last, from now on: the operation at hand, unless node is
 * none, and those that it did not come after. With keeps_before those too that it did. */
static void put_entry(struct model_memory *memory, struct model *model, struct ranges *ranges,
		      const struct access *access, node_index node, bool keeps_before)
{
	const struct range *range;
	uint64_t cursor = 0;
	uint32_t last = 0, first = 0;

	if (node != NODE_NONE)
		first = add_entry(memory, (struct entry){memory->stream, memory->number, node, 0});
	while ((range = ranges_next(ranges, access->start, access->end, &cursor))) {
		if (range->value == last)
			continue;
		last = range->value;
		for (uint32_t i = range->value; i; i = memory->entries[i].next) {
			struct entry entry = memory->entries[i];

			if (keeps_before || !is_before(memory, model, &entry))
				first = merge_entry(memory, model, first, entry);
		}
	}
	ranges_set(ranges, access->start, access->end, first);
}

void model_memory_leave(struct model_memory *memory, struct model *model, node_index node)
{
	if (!memory->writes_seen)
		put_entry(memory, model, &memory->writers, &unseen, node, true);
	else if (!memory->reads_seen)
		put_entry(memory, model, &memory->readers, &unseen, node, true);
	for (size_t i = 0; i < memory->access_count; i++) {
		const struct access *access = &memory->accesses[i];

		if (access->is_written) {
			put_entry(memory, model, &memory->writers, access, node, false);
			put_entry(memory, model, &memory->readers, access, NODE_NONE, false);
		} else {
			put_entry(memory, model, &memory->readers, access, node, true);
		}
	}
}
