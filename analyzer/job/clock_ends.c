#include "job/clock_ends.h"

#include "base/minmax.h"
#include "base/mix.h"
#include "base/vector.h"
#include "facts/facts.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const struct clock_end *end)
{
	return mix(mix(1, end->communicator), end->sequence);
}

int clock_end_compare(const struct clock_end *a, const struct clock_end *b)
{
	uint64_t x = hash_of(a), y = hash_of(b);

	if (a->ranks != b->ranks)
		return a->ranks > b->ranks ? -1 : 1;
	if (x != y)
		return x < y ? -1 : 1;
	if (a->communicator != b->communicator)
		return a->communicator < b->communicator ? -1 : 1;
	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static int compare_ends(const void *a, const void *b)
{
	return clock_end_compare(a, b);
}

/* The later part of the first one of two equal ones. */
static void join_ends(struct clock_end *end, const struct clock_end *other)
{
	end->start_ns = max_ns(end->start_ns, other->start_ns);
	end->end_ns = min_ns(end->end_ns, other->end_ns);
	end->last_end_ns = max_ns(end->last_end_ns, other->last_end_ns);
	end->seen += other->seen;
}

typedef VECTOR(struct clock_end) clock_end_vector;

/* Leaves the first ones, each once. */
static void prune_ends(clock_end_vector *ends)
{
	size_t kept = 0;

	vector_sort(ends, compare_ends);
	for (size_t i = 0; i < ends->count; i++)
		if (kept && !compare_ends(&ends->items[kept - 1], &ends->items[i]))
			join_ends(&ends->items[kept - 1], &ends->items[i]);
		else
			ends->items[kept++] = ends->items[i];
	ends->count = kept < CLOCK_ENDS_MOST ? kept : CLOCK_ENDS_MOST;
}

/* Most come behind those that are kept, and are not sorted. */
static void add_end(clock_end_vector *ends, struct clock_end end, bool *is_full)
{
	if (*is_full && clock_end_compare(&ends->items[CLOCK_ENDS_MOST - 1], &end) < 0)
		return;
	*vector_add(ends) = end;
	if (ends->count < 4 * CLOCK_ENDS_MOST)
		return;
	prune_ends(ends);
	*is_full = ends->count == CLOCK_ENDS_MOST;
}

static struct clock_end *collect_ends(const struct summary *summary, size_t *count)
{
	clock_end_vector ends = {0};
	struct clock_end *items;
	bool is_full = false;

	for (size_t i = 0; i < summary->arrival_count; i++) {
		const struct arrival *arrival = &summary->arrivals[i];
		const struct summary_communicator *communicator =
			&summary->communicators[arrival->communicator];

		if (arrival_joins_all(arrival) && communicator->unique_id &&
		    communicator->ranks > 1)
			add_end(&ends,
				(struct clock_end){.communicator = communicator->unique_id,
						   .sequence = arrival->sequence,
						   .ranks = communicator->ranks,
						   .start_ns = arrival->start_ns,
						   .end_ns = arrival->end_ns,
						   .last_end_ns = arrival->end_ns,
						   .seen = 1},
				&is_full);
	}
	prune_ends(&ends);
	vector_move(&ends, items, *count);
	return memory_shrink(items, *count, sizeof(*items));
}

struct clock_machines clock_ends_of(const struct summary *summary)
{
	struct clock_machines machines = {memory_array(1, sizeof(*machines.items)), 1};
	struct clock_machine *machine = machines.items;
	const char *host = summary->host ? summary->host : "";

	machine->name = memory_format("%s", summary->boot_id ? summary->boot_id : host);
	machine->host = memory_format("%s", host);
	machine->least_rank = summary->rank == SUMMARY_NO_RANK ? INT64_MAX : summary->rank;
	machine->ends = collect_ends(summary, &machine->end_count);
	return machines;
}

static void free_machine(struct clock_machine *machine)
{
	free(machine->name);
	free(machine->host);
	free(machine->ends);
}

static void merge_ends(struct clock_machine *to, const struct clock_machine *a,
		       const struct clock_machine *b)
{
	size_t i = 0, j = 0, most = a->end_count + b->end_count;

	to->ends = memory_array(most ? most : 1, sizeof(*to->ends));
	while ((i < a->end_count || j < b->end_count) && to->end_count < CLOCK_ENDS_MOST) {
		struct clock_end *end = &to->ends[to->end_count++];
		int order = i == a->end_count	? 1
			    : j == b->end_count ? -1
						: clock_end_compare(&a->ends[i], &b->ends[j]);

		*end = order <= 0 ? a->ends[i] : b->ends[j];
		if (order == 0)
			join_ends(end, &b->ends[j]);
		i += order <= 0;
		j += order >= 0;
	}
	to->ends = memory_shrink(to->ends, to->end_count, sizeof(*to->ends));
}

/* Of one machine; both are freed. */
static struct clock_machine merge_machine(struct clock_machine *a, struct clock_machine *b)
{
	struct clock_machine merged = {.least_rank = min_ns(a->least_rank, b->least_rank)};

	merged.name = memory_format("%s", a->name);
	merged.host = memory_format("%s", strcmp(a->host, b->host) <= 0 ? a->host : b->host);
	merge_ends(&merged, a, b);
	free_machine(a);
	free_machine(b);
	return merged;
}

struct clock_machines clock_ends_merge(struct clock_machines a, struct clock_machines b)
{
	struct clock_machines merged = {0};
	size_t i = 0, j = 0, most = a.count + b.count;

	merged.items = memory_array(most ? most : 1, sizeof(*merged.items));
	while (i < a.count || j < b.count) {
		struct clock_machine *to = &merged.items[merged.count++];
		int order = i == a.count   ? 1
			    : j == b.count ? -1
					   : strcmp(a.items[i].name, b.items[j].name);

		if (order == 0)
			*to = merge_machine(&a.items[i++], &b.items[j++]);
		else
			*to = order < 0 ? a.items[i++] : b.items[j++];
	}
	free(a.items);
	free(b.items);
	return merged;
}

void clock_ends_pack(const struct clock_machines *machines, struct packing *packing)
{
	pack_number(packing, machines->count);
	for (size_t i = 0; i < machines->count; i++) {
		const struct clock_machine *machine = &machines->items[i];

		pack_text(packing, machine->name);
		pack_text(packing, machine->host);
		pack_signed(packing, machine->least_rank);
		pack_number(packing, machine->end_count);
		for (size_t k = 0; k < machine->end_count; k++) {
			const struct clock_end *end = &machine->ends[k];

			pack_number(packing, end->communicator);
			pack_number(packing, end->sequence);
			pack_number(packing, end->ranks);
			pack_signed(packing, end->start_ns);
			pack_signed(packing, end->end_ns);
			pack_signed(packing, end->last_end_ns);
			pack_number(packing, end->seen);
		}
	}
}

static int64_t unpack_time(struct unpacking *unpacking)
{
	int64_t ns = unpack_signed(unpacking);

	unpacking->is_damaged |= ns < 0 || ns > INT64_MAX / 2;
	return ns;
}

static void unpack_machine(struct unpacking *unpacking, struct clock_machine *machine)
{
	size_t count;

	machine->name = unpack_text(unpacking);
	machine->host = unpack_text(unpacking);
	machine->least_rank = unpack_signed(unpacking);
	count = unpack_count(unpacking);
	unpacking->is_damaged |= count > CLOCK_ENDS_MOST;
	machine->ends = memory_array(CLOCK_ENDS_MOST, sizeof(*machine->ends));
	while (machine->end_count < count && !unpacking->is_damaged) {
		struct clock_end *end = &machine->ends[machine->end_count++];

		end->communicator = unpack_number(unpacking);
		end->sequence = (uint32_t)unpack_number(unpacking);
		end->ranks = (uint32_t)unpack_number(unpacking);
		end->start_ns = unpack_time(unpacking);
		end->end_ns = unpack_time(unpacking);
		end->last_end_ns = unpack_time(unpacking);
		end->seen = (uint32_t)unpack_number(unpacking);
		unpacking->is_damaged |=
			machine->end_count > 1 && clock_end_compare(end - 1, end) >= 0;
	}
	machine->ends = memory_shrink(machine->ends, machine->end_count, sizeof(*machine->ends));
}

struct clock_machines clock_ends_unpack(struct unpacking *unpacking)
{
	struct clock_machines machines = {0};
	size_t count = unpack_count(unpacking);

	machines.items = memory_array(count ? count : 1, sizeof(*machines.items));
	while (machines.count < count && !unpacking->is_damaged) {
		unpack_machine(unpacking, &machines.items[machines.count++]);
		unpacking->is_damaged |=
			machines.count > 1 && strcmp(machines.items[machines.count - 2].name,
						     machines.items[machines.count - 1].name) >= 0;
	}
	return machines;
}

void clock_ends_free(struct clock_machines *machines)
{
	for (size_t i = 0; i < machines->count; i++)
		free_machine(&machines->items[i]);
	free(machines->items);
	*machines = (struct clock_machines){0};
}
