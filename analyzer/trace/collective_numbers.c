#include "trace/collective_numbers.h"

#include "base/memory.h"
#include "trace/collectives.h"
#include "trace/id_index.h"

#include <stdlib.h>

static int64_t next_of_pair(struct map *pairs, const struct trace_collective *collective)
{
	const uint64_t key = ((uint64_t)collective->communicator << 33) |
			     ((uint64_t)(uint32_t)collective->root_or_peer << 1) |
			     (collective->operation == COLLECTIVE_SEND ? 1 : 0);
	const size_t before = map_find(pairs, key);
	const size_t number = before == MAP_NONE ? 0 : before + 1;

	map_set(pairs, key, number);
	return (int64_t)number;
}

static void count_sequences(struct trace *trace, const bool *is_replayed)
{
	int64_t *next = memory_array(trace->communicator_count, sizeof(*next));
	struct map pairs = {0};

	for (size_t i = 0; i < trace->collective_count; i++) {
		struct trace_collective *collective = &trace->collectives[i];
		const size_t communicator = collective->communicator;

		if (communicator == NO_COMMUNICATOR || !is_replayed[communicator])
			continue;
		collective->sequence = collective_is_pairwise(collective->operation)
					       ? next_of_pair(&pairs, collective)
					       : next[communicator]++;
	}
	map_free(&pairs);
	free(next);
}

void collective_numbers_renew(struct trace *trace)
{
	bool *is_replayed = memory_array(trace->communicator_count, sizeof(*is_replayed));
	bool is_any = false;

	for (size_t i = 0; i < trace->collective_count; i++) {
		const struct trace_collective *collective = &trace->collectives[i];

		if (!collective->is_replayed || collective->communicator == NO_COMMUNICATOR)
			continue;
		is_replayed[collective->communicator] = true;
		is_any = true;
	}
	if (is_any)
		count_sequences(trace, is_replayed);
	free(is_replayed);
}
