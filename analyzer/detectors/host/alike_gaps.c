#include "detectors/host/alike_gaps.h"

#include "base/mix.h"

size_t alike_gaps_group(struct alike_gaps *gaps, const struct trace_call *since,
			const struct trace_call *call)
{
	const uint64_t key =
		mix(mix(mix(0, (uintptr_t)since->form->site), (uintptr_t)call->form->site),
		    call->form->thread_id);
	size_t group = map_find(&gaps->numbers, key);

	if (group == MAP_NONE) {
		group = gaps->groups.count;
		map_add(&gaps->numbers, key, group);
		*vector_add(&gaps->groups) = (struct alike_group){{0}, {0}};
	}
	return group;
}

void alike_gaps_add(struct alike_gaps *gaps, size_t group, const struct host_part *part)
{
	const uint64_t key = mix(mix(mix(0, group), part->line), part->kind);
	struct alike_group *sums = &gaps->groups.items[group];
	size_t share = map_find(&gaps->by_line, key);

	if (share == MAP_NONE) {
		share = gaps->shares.count;
		map_add(&gaps->by_line, key, share);
		*vector_add(&gaps->shares) = *part;
	} else {
		gaps->shares.items[share].ns += part->ns;
	}
	if (!sums->ns[part->kind] ||
	    gaps->shares.items[share].ns > gaps->shares.items[sums->longest[part->kind]].ns)
		sums->longest[part->kind] = share;
	sums->ns[part->kind] += part->ns;
}

const struct host_part *alike_gaps_main(const struct alike_gaps *gaps, size_t group)
{
	const struct alike_group *sums = &gaps->groups.items[group];
	int64_t all_ns = 0;

	for (int kind = 0; kind < HOST_KIND_COUNT; kind++)
		all_ns += sums->ns[kind];
	for (int kind = 0; kind < HOST_KIND_COUNT; kind++)
		if (2 * sums->ns[kind] > all_ns)
			return &gaps->shares.items[sums->longest[kind]];
	return NULL;
}

void alike_gaps_free(struct alike_gaps *gaps)
{
	map_free(&gaps->numbers);
	vector_free(&gaps->groups);
	map_free(&gaps->by_line);
	vector_free(&gaps->shares);
}
