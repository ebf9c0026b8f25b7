#include "gate/scale.h"

#include "base/mix.h"

#include <assert.h>
#include <string.h>

struct vote {
	double ratio, weight;
};

typedef VECTOR(struct vote) votes;

static int compare_names(const void *a, const void *b)
{
	const struct work_count *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static const char *name_of(const struct trace_operation *operation)
{
	static const char *const copies[ENGINE_COUNT] = {"copy in a device", "copy to a device",
							 "copy to the host", "peer copy"};

	if (operation->form->kind == OPERATION_SET)
		return "set";
	if (operation->form->kind == OPERATION_COPY)
		return copies[operation->form->engine];
	return operation->form->name ? operation->form->name : "kernel";
}

void scale_sort(work_counts *counts)
{
	size_t kept = 0;

	vector_sort(counts, compare_names);
	for (size_t i = 0; i < counts->count; i++)
		if (kept && !compare_names(&counts->items[kept - 1], &counts->items[i]))
			counts->items[kept - 1].operations += counts->items[i].operations;
		else
			counts->items[kept++] = counts->items[i];
	counts->count = kept;
}

work_counts scale_count(const struct trace *trace, struct arena *arena)
{
	work_counts counts = {0};
	struct map known = {0};

	for (size_t i = 0; i < trace->operation_count; i++) {
		const char *name = name_of(&trace->operations[i]);
		uint64_t key = mix(1, (uint64_t)(uintptr_t)name);
		size_t index = map_find(&known, key);

		if (index == MAP_NONE) {
			index = counts.count;
			map_add(&known, key, index);
			*vector_add(&counts) = (struct work_count){arena_text(arena, name), 0};
		}
		assert(counts.items);
		counts.items[index].operations++;
	}
	map_free(&known);
	scale_sort(&counts);
	return counts;
}

static int compare_votes(const void *a, const void *b)
{
	const struct vote *x = a, *y = b;

	return (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

/* Each name has as many votes as the side that ran it less often. */
static votes collect_votes(const work_counts *run, const work_counts *base)
{
	votes found = {0};
	size_t i = 0, k = 0;

	while (i < run->count && k < base->count) {
		int order = compare_names(&run->items[i], &base->items[k]);
		double x = (double)run->items[i].operations, y = (double)base->items[k].operations;

		i += order <= 0;
		k += order >= 0;
		if (!order)
			*vector_add(&found) = (struct vote){x / y, x < y ? x : y};
	}
	return found;
}

double scale_of(const work_counts *run, const work_counts *base)
{
	votes found = collect_votes(run, base);
	double all = 0, sum = 0, scale = 1;

	vector_sort(&found, compare_votes);
	for (size_t i = 0; i < found.count; i++)
		all += found.items[i].weight;
	for (size_t i = 0; i < found.count && 2 * sum < all; i++) {
		sum += found.items[i].weight;
		scale = found.items[i].ratio;
	}
	vector_free(&found);
	return scale;
}

bool scale_is_known(const work_counts *run, const work_counts *base)
{
	votes found = collect_votes(run, base);
	bool is_known = found.count;

	vector_free(&found);
	return is_known;
}
