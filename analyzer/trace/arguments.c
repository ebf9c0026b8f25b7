#include "trace/loader.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Where a set's rows begin, while the array still grows. */
struct set_start {
	size_t first, count;
};

static void settle_sets(struct trace *trace, const struct set_start *starts, size_t count)
{
	trace->arguments = memory_array(count, sizeof(*trace->arguments));
	trace->arguments_count = count;
	for (size_t i = 0; i < count; i++)
		trace->arguments[i] = (struct trace_arguments){
			trace->private->arguments.items + starts[i].first, starts[i].count};
}

typedef VECTOR(struct set_start) set_vector;

/* Rows of a set come one after the other. */
static void take_argument(struct trace_loader *loader, set_vector *starts, int64_t *set_id,
			  const struct launch_arguments_row *row)
{
	struct trace_private *private = loader->trace->private;

	if (!starts->count || row->id != *set_id) {
		map_add(&loader->argument_map, (uint64_t)row->id, starts->count);
		*vector_add(starts) = (struct set_start){private->arguments.count, 0};
	}
	*set_id = row->id;
	*vector_add(&private->arguments) = (struct trace_argument){
		.parameter = (uint32_t)row->parameter,
		.offset_bytes = (uint32_t)row->offset_bytes,
		.address = (uint64_t)row->address,
	};
	assert(starts->count);
	starts->items[starts->count - 1].count++;
}

static void read_blocks(struct trace_loader *loader, set_vector *starts, int64_t *set_id)
{
	struct launch_arguments_row row;
	struct block_rows blocks;

	block_rows_open(&blocks, &loader->database, TABLE_launch_arguments, NULL, INT64_MIN,
			INT64_MAX);
	while (block_rows_next(&blocks, INT64_MAX, &row))
		take_argument(loader, starts, set_id, &row);
	block_rows_close(&blocks);
}

void trace_read_arguments(struct trace_loader *loader)
{
	set_vector starts = {0};
	struct launch_arguments_row row;
	struct rows rows;
	int64_t set_id = 0; /* of the row before */

	rows_open(&rows, &loader->database, TABLE_launch_arguments, "ORDER BY id, position");
	while (rows_next_launch_arguments(&rows, &row))
		take_argument(loader, &starts, &set_id, &row);
	rows_close(&rows);
	read_blocks(loader, &starts, &set_id);
	settle_sets(loader->trace, starts.items, starts.count);
	vector_free(&starts);
}

typedef VECTOR(struct trace_allocation) allocation_vector;

static void add_allocation(allocation_vector *allocations, struct trace_allocation allocation)
{
	if (allocation.address && allocation.size_bytes &&
	    allocation.address + allocation.size_bytes >= allocation.address)
		*vector_add(allocations) = allocation;
}

static bool is_static_kind(int64_t kind)
{
	return kind == MEMORY_DEVICE_STATIC || kind == MEMORY_MANAGED_STATIC;
}

static bool is_host_kind(int64_t kind)
{
	return kind == MEMORY_PAGEABLE || kind == MEMORY_PINNED || kind == MEMORY_MANAGED ||
	       kind == MEMORY_MANAGED_STATIC;
}

/* CUPTI's records are there outside of windows, too. */
static void add_recorded(struct trace_loader *loader, allocation_vector *allocations)
{
	struct allocations_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_allocations, "WHERE is_release = 0");
	while (rows_next_allocations(&rows, &row))
		add_allocation(allocations, (struct trace_allocation){
						    .time_ns = row.time_ns,
						    .address = (uint64_t)row.address,
						    .size_bytes = (uint64_t)row.size_bytes,
						    .is_host = is_host_kind(row.memory_kind),
						    .is_static = is_static_kind(row.memory_kind)});
	rows_close(&rows);
}

bool trace_is_managed(const struct trace_call *call)
{
	return call->form->function->class == CLASS_ALLOC &&
	       strstr(call->form->function->name, "Managed");
}

/* Registered and mapped memory is in the calls alone. */
static void add_called(const struct trace_loader *loader, allocation_vector *allocations)
{
	for (size_t i = 0; i < loader->trace->call_count; i++) {
		const struct trace_call *call = &loader->trace->calls[loader->call_places[i]];
		enum function_class class =
			call->form->function ? call->form->function->class : CLASS_OTHER;

		if (call->form->result ||
		    (class != CLASS_ALLOC && class != CLASS_HOST_ALLOC && class != CLASS_REGISTER))
			continue;
		add_allocation(allocations,
			       (struct trace_allocation){
				       .time_ns = call->end_ns,
				       .address = call->form->dst,
				       .size_bytes = call->form->size_bytes,
				       .is_mapped = !strcmp(call->form->function->name, "cuMemMap"),
				       .is_host = class != CLASS_ALLOC || trace_is_managed(call)});
	}
}

static int compare_allocations(const void *a, const void *b)
{
	const struct trace_allocation *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

/* Whether the numbers of a launch that ran a kernel were read: not one that was captured. */
static bool has_launch_of_numbers(const struct trace *trace)
{
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_call *call = trace->operations[i].call;

		if (call && call->form->numbers && call->form->function->class == CLASS_LAUNCH)
			return true;
	}
	return false;
}

void trace_read_allocations(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	allocation_vector allocations = {0};

	if (loader->database.error)
		return;
	trace->sees_arguments = trace->arguments_count || has_launch_of_numbers(trace);
	if (!trace->sees_arguments)
		return;
	/* Most come twice, which does no harm. */
	add_recorded(loader, &allocations);
	add_called(loader, &allocations);
	vector_sort(&allocations, compare_allocations);
	vector_move(&allocations, trace->allocations, trace->allocation_count);
}
