#include "detectors/evidence/launch_ways.h"

#include "base/mix.h"

#include <assert.h>

static uint64_t key_of(const struct trace_call *before, const struct trace_call *call)
{
	uint64_t key = 1;

	if (before) {
		key = mix(key, (uint64_t)(uintptr_t)before->form->site);
		key = mix(key, (uint64_t)(uintptr_t)before->form->function);
	}
	key = mix(key, (uint64_t)(uintptr_t)call->form->site);
	return mix(key, (uint64_t)(uintptr_t)call->form->function);
}

void launch_ways_note(struct launch_ways *ways, const struct trace_call *before,
		      const struct trace_call *call, bool is_long)
{
	uint64_t key = key_of(before, call);
	size_t found = map_find(&ways->index, key);

	if (found == MAP_NONE) {
		found = ways->all.count;
		map_add(&ways->index, key, found);
		*vector_add(&ways->all) = (struct launch_way){0};
	}
	assert(ways->all.items);
	ways->all.items[found].times++;
	ways->all.items[found].long_times += is_long;
}

bool launch_ways_is_rarely_long(const struct launch_ways *ways, const struct trace_call *before,
				const struct trace_call *call)
{
	size_t found = map_find(&ways->index, key_of(before, call));

	return found != MAP_NONE &&
	       2 * ways->all.items[found].long_times < ways->all.items[found].times;
}

void launch_ways_free(struct launch_ways *ways)
{
	map_free(&ways->index);
	vector_free(&ways->all);
}
