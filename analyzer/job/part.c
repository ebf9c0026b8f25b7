#include "job/part.h"

#include "base/memory.h"
#include "job/rendezvous.h"
#include "sample/sliced_trace.h"
#include "trace/collectives.h"

#include <stdlib.h>

/* More are not replayed one by one. */
#define MOST_CALLS (UINT32_C(1) << 22)

struct part {
	struct sliced_trace sliced;
	struct trace_collective *collectives;
};

/* Calls of the whole run, from first up to end. */
struct section {
	uint32_t first, end;
};

static int compare_indexes(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/* The kernels of collectives, in order, each once; freed with free(). */
static size_t *find_kernels(const struct trace *whole, size_t *count)
{
	size_t *kernels = memory_array(whole->collective_count, sizeof(*kernels)), found = 0;

	*count = 0;
	for (size_t i = 0; i < whole->collective_count; i++)
		if (whole->collectives[i].kernel < whole->operation_count)
			kernels[found++] = whole->collectives[i].kernel;
	if (found)
		qsort(kernels, found, sizeof(*kernels), compare_indexes);
	for (size_t i = 0; i < found; i++)
		if (!*count || kernels[*count - 1] != kernels[i])
			kernels[(*count)++] = kernels[i];
	return kernels;
}

/* From the first call of these kernels up to the last. */
static struct section section_of(const struct trace *whole, const size_t *kernels, size_t count)
{
	struct section section = {UINT32_MAX, 0};

	for (size_t i = 0; i < count; i++) {
		const struct trace_call *call = whole->operations[kernels[i]].call;
		uint32_t index;

		if (!call)
			continue;
		index = (uint32_t)(call - whole->calls);
		section.first = index < section.first ? index : section.first;
		section.end = index + 1 > section.end ? index + 1 : section.end;
	}
	return section;
}

/* With as many kernels before as behind those in the middle. */
static struct section choose_section(const struct trace *whole)
{
	const size_t around = RENDEZVOUS_REACH;
	size_t count, first;
	size_t *kernels = find_kernels(whole, &count);
	struct section section = {0, (uint32_t)whole->call_count};

	first = count > PATHS_MOST_KERNELS ? (count - PATHS_MOST_KERNELS) / 2 : 0;
	if (first > around)
		section = section_of(whole, kernels + first - around,
				     PATHS_MOST_KERNELS + 2 * around);
	if (!count)
		section.end = 0;
	free(kernels);
	return section;
}

/* Their kernels are now those of the part; they keep their order. */
static void take_collectives(struct part *part, const struct trace *whole, struct section section)
{
	uint32_t *moved = memory_array(whole->operation_count, sizeof(*moved)), next = 0;
	struct trace *trace = &part->sliced.trace;

	for (size_t i = 0; i < whole->operation_count; i++) {
		const struct trace_call *call = whole->operations[i].call;

		moved[i] = UINT32_MAX;
		if (call && call >= whole->calls + section.first &&
		    call < whole->calls + section.end)
			moved[i] = next++;
	}
	part->collectives = memory_array(whole->collective_count, sizeof(*part->collectives));
	trace->collectives = part->collectives;
	trace->collective_count = 0;
	for (size_t i = 0; i < whole->collective_count; i++) {
		struct trace_collective row = whole->collectives[i];

		if (row.kernel >= whole->operation_count || moved[row.kernel] == UINT32_MAX)
			continue;
		row.kernel = moved[row.kernel];
		part->collectives[trace->collective_count++] = row;
	}
	free(moved);
}

struct part *part_make(const struct trace *whole)
{
	struct section section = choose_section(whole);
	struct slice slice = {.run_up = section.first,
			      .first = section.first,
			      .end = section.end,
			      .run_down = section.end};
	const double weight = 1;
	struct part *part;

	if (section.end <= section.first || section.end - section.first > MOST_CALLS)
		return NULL;
	part = memory_array(1, sizeof(*part));
	part->sliced = sliced_trace_make(whole, &slice, &weight, 1);
	take_collectives(part, whole, section);
	return part;
}

void part_free(struct part *part)
{
	if (!part)
		return;
	sliced_trace_free(&part->sliced);
	free(part->collectives);
	free(part);
}

const struct trace *part_trace(const struct part *part)
{
	return &part->sliced.trace;
}
