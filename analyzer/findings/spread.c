#include "findings/spread.h"

#include "base/memory.h"
#include "base/sort.h"
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

/* By what makes calls alike. */
static int compare_forms(const void *a, const void *b)
{
	const struct trace_call_form *const *x = a, *const *y = b;

	return (*x)->function == (*y)->function
		       ? compare_numbers((*x)->size_bytes, (*y)->size_bytes)
		       : ((*x)->function > (*y)->function) - ((*x)->function < (*y)->function);
}

static int64_t call_duration(const struct trace_call *call)
{
	return call->end_ns - call->start_ns;
}

/* The numbers of the calls' forms in the order of compare_forms(), equal for equal ones. Free by
 * map_free(). */
static struct map number_forms(const call_vector *calls)
{
	VECTOR(const struct trace_call_form *) forms = {0};
	struct map numbers = {0};
	size_t number = 0;

	for (size_t i = 0; i < calls->count; i++)
		if (map_add(&numbers, (uint64_t)(uintptr_t)calls->items[i]->form, 0))
			*vector_add(&forms) = calls->items[i]->form;
	vector_sort(&forms, compare_forms);
	for (size_t i = 0; i < forms.count; i++) {
		number += i > 0 && compare_forms(&forms.items[i - 1], &forms.items[i]);
		map_set(&numbers, (uint64_t)(uintptr_t)forms.items[i], number);
	}
	vector_free(&forms);
	return numbers;
}

/* Like calls together, of these the shortest first. */
static void sort_calls(call_vector *calls)
{
	struct map numbers = number_forms(calls);
	struct sort_key *keys = memory_array(calls->count, sizeof(*keys));
	struct room room = {0};

	for (size_t i = 0; i < calls->count; i++)
		keys[i] =
			(struct sort_key){sort_signed(call_duration(calls->items[i])), (uint32_t)i};
	sort_by_key(keys, calls->count, &room);
	for (size_t i = 0; i < calls->count; i++)
		keys[i].key =
			map_find(&numbers, (uint64_t)(uintptr_t)calls->items[keys[i].index]->form);
	sort_by_key(keys, calls->count, &room);
	sort_elements(calls->items, sizeof(*calls->items), keys, calls->count);
	room_free(&room);
	free(keys);
	map_free(&numbers);
}

struct spread_order {
	call_vector calls;
};

struct spread_order *spread_order_create(const struct trace *trace, const struct evidence *evidence)
{
	struct spread_order *order = memory_array(1, sizeof(*order));

	for (size_t i = 0; i < trace->call_count; i++)
		if (!evidence_of(evidence, &trace->calls[i]).cause)
			*vector_add(&order->calls) = &trace->calls[i];
	sort_calls(&order->calls);
	return order;
}

void spread_order_free(struct spread_order *order)
{
	if (order)
		vector_free(&order->calls);
	free(order);
}

static call_vector find_gone(const struct trace *trace, const struct spread_order *order,
			     const struct edits *edits)
{
	call_vector gone = {0};

	for (size_t i = 0; i < order->calls.count; i++)
		if (edits->calls[order->calls.items[i] - trace->calls] & EDIT_GONE)
			*vector_add(&gone) = order->calls.items[i];
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

struct spread_calls spread_measure_gone(const struct trace *trace, const struct spread_order *order,
					const struct edits *edits)
{
	call_vector gone = find_gone(trace, order, edits);
	struct spread_calls spread = {0};

	for (size_t first = 0, i; first < gone.count; first = i) {
		int64_t like_ns = 0;

		for (i = first; i < gone.count &&
				!compare_forms(&gone.items[i]->form, &gone.items[first]->form);
		     i++)
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
