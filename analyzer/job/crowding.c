#include "job/crowding.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* The median of fewer says little. */
#define LEAST_LIKE 4

struct crowding {
	const struct trace *trace;
	const struct rendezvous *rendezvous;
	int64_t *transfers_ns; /* by kernel of the rendezvous: the shortest of like ones */
	uint32_t *kernel_of;   /* by operation: in the rendezvous; NO_COLLECTIVE: none */
	double *waited; /* by operation: so much of the collectives beside it was a wait; -1: none was */
	int64_t *lost_ns;
};

#define NO_COLLECTIVE UINT32_MAX

static int64_t length_of(const struct trace_operation *operation)
{
	return max_ns(operation->end_ns - operation->start_ns, 0);
}

static const struct trace_operation *kernel_at(const struct crowding *crowding, size_t index)
{
	return &crowding->trace->operations[crowding->rendezvous->kernels[index].operation];
}

/* Kernels of the rendezvous by what they do. */
struct like {
	uint64_t kind;
	uint32_t index;
};

static int compare_like(const void *a, const void *b)
{
	const struct like *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static void find_transfers(struct crowding *crowding)
{
	size_t count = crowding->rendezvous->count;
	struct like *like = memory_array(count, sizeof(*like));

	for (size_t i = 0; i < count; i++)
		like[i] = (struct like){crowding->rendezvous->kernels[i].kind, (uint32_t)i};
	if (count)
		qsort(like, count, sizeof(*like), compare_like);
	for (size_t i = 0, end; i < count; i = end) {
		int64_t least_ns = INT64_MAX;

		for (end = i; end < count && like[end].kind == like[i].kind; end++)
			least_ns =
				min_ns(least_ns, length_of(kernel_at(crowding, like[end].index)));
		for (size_t k = i; k < end; k++)
			crowding->transfers_ns[like[k].index] = least_ns;
	}
	free(like);
}

static int64_t overlap_ns(const struct trace_operation *a, const struct trace_operation *b)
{
	return min_ns(a->end_ns, b->end_ns) - max_ns(a->start_ns, b->start_ns);
}

/* Both are ordered by their starts. A collective's kernel that is over is passed once. */
static void find_waited(struct crowding *crowding)
{
	const struct trace *trace = crowding->trace;
	size_t first = 0, count = crowding->rendezvous->count;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		double beside_ns = 0, waited_ns = 0;

		while (first < count && kernel_at(crowding, first)->end_ns <= operation->start_ns)
			first++;
		for (size_t k = first;
		     k < count && kernel_at(crowding, k)->start_ns < operation->end_ns; k++) {
			double ns =
				(double)max_ns(0, overlap_ns(operation, kernel_at(crowding, k)));
			double length_ns = (double)max_ns(1, length_of(kernel_at(crowding, k)));

			beside_ns += ns;
			waited_ns += ns * (1 - (double)crowding->transfers_ns[k] / length_ns);
		}
		crowding->waited[i] = beside_ns > 0 ? waited_ns / beside_ns : -1;
	}
}

static int compare_texts(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return a && b ? strcmp(a, b) : (a ? 1 : -1);
}

static int compare_forms(const struct trace_operation_form *a, const struct trace_operation_form *b)
{
	int order = (a->blocks > b->blocks) - (a->blocks < b->blocks);

	order = order ? order
		      : (a->block_threads > b->block_threads) -
				(a->block_threads < b->block_threads);
	order = order ? order : (a->device_id > b->device_id) - (a->device_id < b->device_id);
	return order ? order : compare_texts(a->name, b->name);
}

static int compare_operations(const void *a, const void *b)
{
	const struct trace_operation *const *x = a, *const *y = b;
	int order = compare_forms((*x)->form, (*y)->form);

	return order ? order : (*x > *y) - (*x < *y);
}

/* The median of those without a collective beside them; -1: there are few. alone: room for all. */
static int64_t alone_ns(const struct crowding *crowding, const struct trace_operation **like,
			size_t count, int64_t *alone)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		if (crowding->waited[like[i] - crowding->trace->operations] < 0)
			alone[found++] = length_of(like[i]);
	return found < LEAST_LIKE ? -1 : median_ns(alone, found);
}

static void find_lost(struct crowding *crowding, const struct trace_operation **like, size_t count,
		      int64_t usual_ns)
{
	for (size_t i = 0; i < count; i++) {
		size_t index = (size_t)(like[i] - crowding->trace->operations);
		int64_t more_ns = length_of(like[i]) - usual_ns;

		if (usual_ns >= 0 && more_ns > 0 && crowding->waited[index] > 0)
			crowding->lost_ns[index] =
				(int64_t)((double)more_ns * crowding->waited[index]);
	}
}

static void find_all_lost(struct crowding *crowding)
{
	const struct trace *trace = crowding->trace;
	const struct trace_operation **sorted =
		memory_array(trace->operation_count, sizeof(*sorted));
	int64_t *alone = memory_array(trace->operation_count, sizeof(*alone));
	size_t count = 0;

	for (size_t i = 0; i < trace->operation_count; i++)
		if (trace->operations[i].form->kind == OPERATION_KERNEL &&
		    crowding->kernel_of[i] == NO_COLLECTIVE)
			sorted[count++] = &trace->operations[i];
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_operations);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && !compare_forms(sorted[i]->form, sorted[end]->form);)
			end++;
		find_lost(crowding, sorted + i, end - i,
			  alone_ns(crowding, sorted + i, end - i, alone));
	}
	free(alone);
	free(sorted);
}

int64_t *crowding_find(const struct trace *trace, const struct rendezvous *rendezvous)
{
	size_t operations = trace->operation_count;
	struct crowding crowding = {
		.trace = trace,
		.rendezvous = rendezvous,
		.transfers_ns = memory_array(rendezvous->count, sizeof(*crowding.transfers_ns)),
		.kernel_of = memory_array(operations, sizeof(*crowding.kernel_of)),
		.waited = memory_array(operations, sizeof(*crowding.waited)),
		.lost_ns = memory_array(operations, sizeof(*crowding.lost_ns)),
	};

	for (size_t i = 0; i < operations; i++)
		crowding.kernel_of[i] = NO_COLLECTIVE;
	for (uint32_t i = 0; i < rendezvous->count; i++)
		crowding.kernel_of[rendezvous->kernels[i].operation] = i;
	find_transfers(&crowding);
	find_waited(&crowding);
	find_all_lost(&crowding);
	free(crowding.transfers_ns);
	free(crowding.kernel_of);
	free(crowding.waited);
	return crowding.lost_ns;
}
