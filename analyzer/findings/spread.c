#include "findings/spread.h"

#include "base/memory.h"
#include "base/thresholds.h"
#include "base/vector.h"

#include <stdlib.h>
#include <string.h>

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
	int order = compare_numbers(a->form->kind, b->form->kind);

	if (!order)
		order = compare_numbers(a->form->engine, b->form->engine);
	if (!order)
		order = compare_numbers(a->form->device_id, b->form->device_id);
	if (!order)
		order = compare_numbers(a->form->size_bytes, b->form->size_bytes);
	if (!order)
		order = compare_numbers(a->form->blocks, b->form->blocks);
	return order ? order : compare_names(a->form->name, b->form->name);
}

static int64_t operation_ns(const struct trace_operation *operation)
{
	return operation->end_ns - operation->start_ns;
}

static int compare_ns(const void *a, const void *b)
{
	const struct trace_operation *const *x = a, *const *y = b;
	int order = compare_kinds(*x, *y);

	return order ? order
		     : (operation_ns(*x) > operation_ns(*y)) -
			       (operation_ns(*x) < operation_ns(*y));
}

/* Like operations, the shortest first. */
static double half_spread(const struct trace_operation *const *like, size_t count)
{
	int64_t middle_ns = operation_ns(like[count / 2]);
	int64_t between_ns = operation_ns(like[count * 3 / 4]) - operation_ns(like[count / 4]);

	return middle_ns > 0 ? (double)between_ns / 2 / (double)middle_ns : 0;
}

double spread_measure(const struct trace *trace)
{
	size_t step = trace->operation_count / SPREAD_MOST_SAMPLES + 1, count = 0, first, i;
	const struct trace_operation **sorted =
		memory_array(trace->operation_count / step + 1, sizeof(*sorted));
	double sum_ns = 0, spread_ns = 0;

	for (i = 0; i < trace->operation_count; i += step)
		sorted[count++] = &trace->operations[i];
	qsort(sorted, count, sizeof(*sorted), compare_ns);
	for (first = 0; first < count; first = i) {
		double like_ns = 0, spread;

		for (i = first; i < count && !compare_kinds(sorted[i], sorted[first]); i++)
			like_ns += (double)operation_ns(sorted[i]);
		spread = half_spread(sorted + first, i - first);
		if (i - first < TYPICAL_LEAST_TIMES || spread > SPREAD_MOST)
			continue;
		sum_ns += like_ns;
		spread_ns += like_ns * spread;
	}
	free(sorted);
	return sum_ns > 0 ? spread_ns / sum_ns : 0;
}

typedef VECTOR(const struct trace_call *) call_vector;

static int compare_functions(const struct trace_call *a, const struct trace_call *b)
{
	return a->form->function == b->form->function
		       ? compare_numbers(a->form->size_bytes, b->form->size_bytes)
		       : (a->form->function > b->form->function) -
				 (a->form->function < b->form->function);
}

static int64_t call_duration(const struct trace_call *call)
{
	return call->end_ns - call->start_ns;
}

static int compare_calls(const void *a, const void *b)
{
	const struct trace_call *const *x = a, *const *y = b;
	int order = compare_functions(*x, *y);

	return order ? order
		     : (call_duration(*x) > call_duration(*y)) -
			       (call_duration(*x) < call_duration(*y));
}

static call_vector find_gone(const struct trace *trace, const struct edits *edits,
			     const struct evidence *evidence)
{
	call_vector gone = {0};

	for (size_t i = 0; i < trace->call_count; i++)
		if (edits->calls[i] & EDIT_GONE && !evidence_of(evidence, &trace->calls[i]).cause)
			*vector_add(&gone) = &trace->calls[i];
	vector_sort(&gone, compare_calls);
	return gone;
}

/* Half the distance between the quartiles, as a share of the median. */
static double share_of_calls(const struct trace_call *const *like, size_t count)
{
	int64_t middle_ns = call_duration(like[count / 2]);
	int64_t between_ns = call_duration(like[count * 3 / 4]) - call_duration(like[count / 4]);
	double share = middle_ns > 0 ? (double)between_ns / 2 / (double)middle_ns : 0;

	return share < SPREAD_MOST_OF_CALLS ? share : SPREAD_MOST_OF_CALLS;
}

struct spread_calls spread_measure_gone(const struct trace *trace, const struct edits *edits,
					const struct evidence *evidence)
{
	call_vector gone = find_gone(trace, edits, evidence);
	struct spread_calls spread = {0};

	for (size_t first = 0, i; first < gone.count; first = i) {
		int64_t like_ns = 0;

		for (i = first;
		     i < gone.count && !compare_functions(gone.items[i], gone.items[first]); i++)
			like_ns += trace_weigh_ns(trace, gone.items[i]->start_ns,
						  call_duration(gone.items[i]));
		spread.gone_ns += like_ns;
		if (i - first >= TYPICAL_LEAST_TIMES)
			spread.spread_ns +=
				(int64_t)((double)like_ns *
					  share_of_calls(gone.items + first, i - first));
	}
	vector_free(&gone);
	return spread;
}
