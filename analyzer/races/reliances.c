#include "races/reliances.h"

#include "base/mix.h"
#include "races/race_words.h"

static uint64_t line_of(const struct trace_call *call)
{
	return call ? (uintptr_t)call->form->site : 0;
}

void reliances_add(struct reliances *reliances, struct reliance pair)
{
	const uint64_t key = mix(mix(line_of(pair.wait), line_of(race_call_of(pair.first))),
				 line_of(race_call_of(pair.second)));
	const size_t index = map_find(&reliances->by_lines, key);

	if (index != MAP_NONE) {
		reliances->found.items[index].count++;
		return;
	}
	map_add(&reliances->by_lines, key, reliances->found.count);
	pair.count = 1;
	*vector_add(&reliances->found) = pair;
}

static int compare_reliances(const void *a, const void *b)
{
	const struct reliance *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->first->start_ns > y->first->start_ns) -
	       (x->first->start_ns < y->first->start_ns);
}

void reliances_move(struct reliances *reliances, struct races *races)
{
	vector_sort(&reliances->found, compare_reliances);
	vector_move(&reliances->found, races->reliances, races->reliance_count);
	map_free(&reliances->by_lines);
}
