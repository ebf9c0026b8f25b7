#include "trace/private.h"

#include <stdlib.h>
#include <string.h>

#define POSITION_LIMIT 4096

/* Where a set's rows begin, before the array has come to rest. */
struct set_start {
	size_t first, count;
};

static void settle_sets(struct trace *trace, const struct set_start *starts, size_t count)
{
	trace->arguments = memory_array(count, sizeof(*trace->arguments));
	trace->arguments_count = count;
	for (size_t i = 0; i < count; i++)
		trace->arguments[i] = (struct trace_arguments){
			trace->private->arguments + starts[i].first, starts[i].count};
}

/* Rows come set by set; *sets is then the index of each by its id. */
static void read_sets(struct trace_loader *loader, struct map *sets)
{
	struct trace_private *private = loader->trace->private;
	struct set_start *starts = NULL;
	size_t count = 0, capacity = 0, item_count = 0, item_capacity = 0;
	struct query query;

	query_open(&query, &loader->database, "launch_arguments",
		   "SELECT id, position, parameter, offset_bytes, address FROM launch_arguments "
		   "ORDER BY id, position");
	while (query_next(&query)) {
		starts = memory_grow(starts, count, &capacity, sizeof(*starts));
		if (map_add(sets, query_bits(&query, 0), count))
			starts[count++] = (struct set_start){item_count, 0};
		query_integer(&query, 1, 0, POSITION_LIMIT);
		private->arguments = memory_grow(private->arguments, item_count, &item_capacity,
						 sizeof(*private->arguments));
		private->arguments[item_count++] = (struct trace_argument){
			.parameter = trace_read_id32(&query, 2),
			.offset_bytes = trace_read_id32(&query, 3),
			.address = query_bits(&query, 4),
		};
		starts[count - 1].count++;
	}
	query_close(&query);
	settle_sets(loader->trace, starts, count);
	free(starts);
}

/* Calls are in the order of their ids still. */
static void point_calls(struct trace_loader *loader, const struct map *sets)
{
	struct trace *trace = loader->trace;
	struct query query;
	size_t call = 0, set;

	query_open(&query, &loader->database, "calls",
		   "SELECT id, arguments_id FROM calls WHERE arguments_id IS NOT NULL ORDER BY id");
	while (query_next(&query)) {
		int64_t id = query_integer(&query, 0, INT64_MIN + 1, INT64_MAX);

		set = trace_find_id(&query, 1, sets, "launch_arguments");
		while (call < trace->call_count && loader->call_ids[call] < id)
			call++;
		if (set != MAP_NONE && call < trace->call_count && loader->call_ids[call] == id)
			trace->calls[call].arguments = &trace->arguments[set];
	}
	query_close(&query);
}

static void add_allocation(struct trace *trace, size_t *capacity,
			   struct trace_allocation allocation)
{
	if (!allocation.address || !allocation.size_bytes ||
	    allocation.address + allocation.size_bytes < allocation.address)
		return;
	trace->allocations = memory_grow(trace->allocations, trace->allocation_count, capacity,
					 sizeof(*trace->allocations));
	trace->allocations[trace->allocation_count++] = allocation;
}

static int compare_allocations(const void *a, const void *b)
{
	const struct trace_allocation *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

/* CUPTI's records are there outside of windows, too; registered and mapped memory is in the calls
 * alone. Most come twice, which does no harm. */
static void read_allocations(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	size_t capacity = 0;
	struct query query;

	query_open(&query, &loader->database, "allocations",
		   "SELECT time_ns, address, size_bytes FROM allocations WHERE is_release = 0");
	while (query_next(&query))
		add_allocation(trace, &capacity,
			       (struct trace_allocation){
				       .time_ns = query_integer(&query, 0, 0, TIME_LIMIT_NS),
				       .address = query_bits(&query, 1),
				       .size_bytes = query_bits(&query, 2)});
	query_close(&query);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		enum function_class class = call->function ? call->function->class : CLASS_OTHER;

		if (!call->result &&
		    (class == CLASS_ALLOC || class == CLASS_HOST_ALLOC || class == CLASS_REGISTER))
			add_allocation(
				trace, &capacity,
				(struct trace_allocation){
					.time_ns = call->end_ns,
					.address = call->dst,
					.size_bytes = call->size_bytes,
					.is_mapped = !strcmp(call->function->name, "cuMemMap")});
	}
	if (trace->allocation_count)
		qsort(trace->allocations, trace->allocation_count, sizeof(*trace->allocations),
		      compare_allocations);
}

void trace_read_arguments(struct trace_loader *loader)
{
	struct map sets = {0};

	if (!database_has_table(&loader->database, "launch_arguments"))
		return;
	read_sets(loader, &sets);
	if (loader->trace->arguments_count) {
		point_calls(loader, &sets);
		read_allocations(loader);
	}
	map_free(&sets);
}
