#include "races/chunks.h"

#include "base/memory.h"
#include "base/search.h"
#include "races/race_words.h"

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void add_address(struct chunks *chunks, struct map *seen, uint64_t address)
{
	if (!address || map_find(seen, address) != MAP_NONE)
		return;
	map_add(seen, address, 1);
	*vector_add(&chunks->addresses) = address;
}

struct chunks chunks_find(const struct trace *trace)
{
	struct chunks chunks = {0};
	struct map seen = {0};

	for (size_t i = 0; i < trace->arguments_count; i++)
		for (size_t j = 0; j < trace->arguments[i].count; j++)
			add_address(&chunks, &seen, trace->arguments[i].items[j].address);
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_call *call = race_call_of(&trace->operations[i]);

		if (!call || trace->operations[i].form->kind == OPERATION_KERNEL)
			continue;
		add_address(&chunks, &seen, call->form->dst);
		add_address(&chunks, &seen, call->form->src);
	}
	map_free(&seen);
	vector_sort(&chunks.addresses, compare_addresses);
	return chunks;
}

void chunks_free(struct chunks *chunks)
{
	vector_free(&chunks->addresses);
}

uint64_t chunks_end(const struct chunks *chunks, uint64_t start, uint64_t end)
{
	const size_t next = search(chunks->addresses.count, i, chunks->addresses.items[i] <= start);

	return next < chunks->addresses.count && chunks->addresses.items[next] < end
		       ? chunks->addresses.items[next]
		       : end;
}
