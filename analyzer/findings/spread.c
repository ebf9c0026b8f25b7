#include "findings/spread.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Quartiles of fewer say little. */
#define LEAST_COUNT 4

/* Those that vary by more do not do the same: their data differ. */
#define MOST_SPREAD 0.1

/* So many operations, evenly taken from all, say as much. */
#define MOST_SAMPLES 65536

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_names(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return a && b ? strcmp(a, b) : (a ? 1 : -1);
}

static int compare_kinds(const struct trace_operation *a, const struct trace_operation *b)
{
	int order = compare_numbers(a->kind, b->kind);

	if (!order)
		order = compare_numbers(a->engine, b->engine);
	if (!order)
		order = compare_numbers(a->device_id, b->device_id);
	if (!order)
		order = compare_numbers(a->size_bytes, b->size_bytes);
	if (!order)
		order = compare_numbers(a->blocks, b->blocks);
	return order ? order : compare_names(a->name, b->name);
}

static int64_t duration(const struct trace_operation *operation)
{
	return operation->end_ns - operation->start_ns;
}

static int compare(const void *a, const void *b)
{
	const struct trace_operation *const *x = a, *const *y = b;
	int order = compare_kinds(*x, *y);

	return order ? order : (duration(*x) > duration(*y)) - (duration(*x) < duration(*y));
}

/* Like operations, the shortest first. */
static double half_spread(const struct trace_operation *const *like, size_t count)
{
	int64_t middle_ns = duration(like[count / 2]);
	int64_t between_ns = duration(like[count * 3 / 4]) - duration(like[count / 4]);

	return middle_ns > 0 ? (double)between_ns / 2 / (double)middle_ns : 0;
}

double spread_measure(const struct trace *trace)
{
	size_t step = trace->operation_count / MOST_SAMPLES + 1, count = 0, first, i;
	const struct trace_operation **sorted =
		memory_array(trace->operation_count / step + 1, sizeof(*sorted));
	double sum_ns = 0, spread_ns = 0;

	for (i = 0; i < trace->operation_count; i += step)
		sorted[count++] = &trace->operations[i];
	qsort(sorted, count, sizeof(*sorted), compare);
	for (first = 0; first < count; first = i) {
		double like_ns = 0, spread;

		for (i = first; i < count && !compare_kinds(sorted[i], sorted[first]); i++)
			like_ns += (double)duration(sorted[i]);
		spread = half_spread(sorted + first, i - first);
		if (i - first < LEAST_COUNT || spread > MOST_SPREAD)
			continue;
		sum_ns += like_ns;
		spread_ns += like_ns * spread;
	}
	free(sorted);
	return sum_ns > 0 ? spread_ns / sum_ns : 0;
}
