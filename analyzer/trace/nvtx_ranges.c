/* NVTX ranges: how a thread's ranges contain each other, and which contain a call. */
#include "base/minmax.h"
#include "base/search.h"
#include "trace/loader.h"

#include <stdlib.h>
#include <string.h>

/* A damaged file could have any number of ranges that are open at once. */
#define RANGE_HOPS_LIMIT 1024

typedef VECTOR(struct trace_range) range_vector;

static int compare_threads(const struct trace_range *x, const struct trace_range *y)
{
	if (x->thread_id != y->thread_id)
		return x->thread_id < y->thread_id ? -1 : 1;
	return (int)y->is_pushed - (int)x->is_pushed;
}

/* Of ranges that begin at once, the longest is the outer one; of equal ones, the first. */
static int compare_ranges(const void *a, const void *b)
{
	const struct trace_range *x = a, *y = b;
	const int order = compare_threads(x, y);

	if (order)
		return order;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns > y->end_ns ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* When what the trace has ended. */
static int64_t last_time(const struct trace *trace)
{
	int64_t last_ns = 0;

	for (size_t i = 0; i < trace->call_count; i++)
		last_ns = max_ns(last_ns, trace->calls[i].end_ns);
	for (size_t i = 0; i < trace->operation_count; i++)
		last_ns = max_ns(last_ns, trace->operations[i].end_ns);
	return last_ns;
}

static const char *text_of(struct trace_loader *loader, struct rows *rows, int64_t id)
{
	size_t index;

	if (id == ROW_NULL)
		return NULL;
	index = trace_find_id(rows, id, &loader->string_map, TABLE_strings);
	return index == MAP_NONE ? NULL : loader->strings.items[index];
}

static void read_ranges(struct trace_loader *loader, range_vector *ranges)
{
	struct nvtx_ranges_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_nvtx_ranges, "");
	while (rows_next_nvtx_ranges(&rows, &row)) {
		if (row.end_ns != ROW_NULL)
			trace_check_times(&loader->duration_ns, &rows, row.start_ns, row.end_ns);
		*vector_add(ranges) = (struct trace_range){
			.id = row.id,
			.start_ns = row.start_ns,
			.end_ns = row.end_ns,
			.name = text_of(loader, &rows, row.name_id),
			.domain = text_of(loader, &rows, row.domain_id),
			.thread_id = (uint32_t)row.thread_id,
			.color = (uint32_t)row_or(row.color, 0),
			.has_color = row.color != ROW_NULL,
			.is_pushed = row.is_pushed != 0,
			.is_open = row.end_ns == ROW_NULL,
		};
	}
	rows_close(&rows);
}

static void end_open_ranges(const struct trace *trace, range_vector *ranges)
{
	int64_t last_ns = ranges->count ? last_time(trace) : 0;

	for (size_t i = 0; i < ranges->count; i++)
		last_ns =
			max_ns(last_ns, max_ns(ranges->items[i].start_ns, ranges->items[i].end_ns));
	for (size_t i = 0; i < ranges->count; i++)
		if (ranges->items[i].is_open)
			ranges->items[i].end_ns = last_ns;
}

/* The last range still open, of the range before and those that were open when it began. */
static const struct trace_range *find_outer(const struct trace_range *range)
{
	const struct trace_range *outer = range - 1;

	for (int hops = 0; outer && outer->end_ns <= range->start_ns; outer = outer->outer)
		if (++hops > RANGE_HOPS_LIMIT)
			return NULL;
	return outer;
}

static void nest_ranges(struct trace_range *ranges, size_t count)
{
	int64_t row_ends[TRACE_RANGE_ROWS] = {0};

	for (size_t i = 0; i < count; i++) {
		struct trace_range *range = &ranges[i];
		uint8_t row = 0;

		if (i && !compare_threads(range, range - 1))
			range->outer = find_outer(range);
		else
			memset(row_ends, 0, sizeof(row_ends));
		while (row < TRACE_RANGE_ROWS - 1 && row_ends[row] > range->start_ns)
			row++;
		range->row = row;
		row_ends[row] = max_ns(row_ends[row], range->end_ns);
	}
}

void trace_read_nvtx_ranges(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	range_vector ranges = {0};

	read_ranges(loader, &ranges);
	end_open_ranges(trace, &ranges);
	vector_sort(&ranges, compare_ranges);
	vector_move(&ranges, trace->ranges, trace->range_count);
	nest_ranges(trace->ranges, trace->range_count);
}

/* The last range of the thread, pushed or started, that began by then; NULL: none did. */
static const struct trace_range *last_begun(const struct trace *trace, uint32_t thread_id,
					    bool is_pushed, int64_t time_ns)
{
	const struct trace_range wanted = {.thread_id = thread_id, .is_pushed = is_pushed};
	const struct trace_range *ranges = trace->ranges;
	size_t low = search(
		trace->range_count, i,
		compare_threads(&ranges[i], &wanted) < 0 ||
			(!compare_threads(&ranges[i], &wanted) && ranges[i].start_ns <= time_ns));

	return low && !compare_threads(&ranges[low - 1], &wanted) ? &ranges[low - 1] : NULL;
}

/* The range, or the first around it, that contains the time. */
static const struct trace_range *range_containing(const struct trace_range *range, int64_t time_ns)
{
	for (int hops = 0; range && range->end_ns <= time_ns; range = range->outer)
		if (++hops > RANGE_HOPS_LIMIT)
			return NULL;
	return range;
}

const struct trace_range *trace_range_of(const struct trace *trace, const struct trace_call *call)
{
	const struct trace_range *range = NULL;

	for (int is_pushed = 1; call && !range && is_pushed >= 0; is_pushed--)
		range = range_containing(
			last_begun(trace, call->form->thread_id, is_pushed, call->start_ns),
			call->start_ns);
	return range;
}

const struct trace_range *trace_range_around(const struct trace *trace,
					     const struct trace_range *range,
					     const struct trace_call *call)
{
	const bool is_pushed = range->is_pushed;

	range = range_containing(range->outer, call->start_ns);
	if (range || !is_pushed)
		return range;
	return range_containing(last_begun(trace, call->form->thread_id, false, call->start_ns),
				call->start_ns);
}
