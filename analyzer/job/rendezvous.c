#include "job/rendezvous.h"

#include "base/minmax.h"
#include "base/mix.h"
#include "base/vector.h"
#include "trace/collectives.h"

#include <stdlib.h>

#define MOST_TRANSFER_NS (PATHS_NO_TRANSFER - 1)
enum role { WHOLE, ARRIVES, LEAVES, WITHIN };

/* An event, and what it is to its kernel. */
struct entry {
	struct paths_event event;
	uint32_t kernel; /* index in kernels */
	enum role role;
	bool is_eager;
};

/* A collective with a kernel. */
struct use {
	size_t operation, collective;
};

struct finding_events {
	const struct trace *trace;
	uint64_t member;
	struct use *uses; /* by operation, then collective */
	size_t use_count;
	struct rendezvous *rendezvous;
	VECTOR(struct entry) entries;
};

static int compare_uses(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->operation != y->operation)
		return x->operation < y->operation ? -1 : 1;
	return (x->collective > y->collective) - (x->collective < y->collective);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = paths_compare_events(&x->event, &y->event);

	return order ? order : (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

static void find_uses(struct finding_events *finding)
{
	const struct trace *trace = finding->trace;

	finding->uses = memory_array(trace->collective_count, sizeof(*finding->uses));
	for (size_t i = 0; i < trace->collective_count; i++)
		if (trace->collectives[i].kernel < trace->operation_count)
			finding->uses[finding->use_count++] =
				(struct use){trace->collectives[i].kernel, i};
	if (finding->use_count)
		qsort(finding->uses, finding->use_count, sizeof(*finding->uses), compare_uses);
}

static const struct trace_communicator *communicator_of(const struct finding_events *finding,
							const struct use *use)
{
	size_t index = finding->trace->collectives[use->collective].communicator;

	return index < finding->trace->communicator_count ? &finding->trace->communicators[index]
							  : NULL;
}

static uint32_t ranks_of(const struct finding_events *finding, const struct use *use)
{
	const struct trace_communicator *communicator = communicator_of(finding, use);

	return communicator && communicator->ranks > 0 ? (uint32_t)communicator->ranks : 1;
}

/* The end of the uses, from first on, that have the same kernel. */
static size_t end_of_kernel(const struct finding_events *finding, size_t first)
{
	size_t end = first + 1;

	while (end < finding->use_count &&
	       finding->uses[end].operation == finding->uses[first].operation)
		end++;
	return end;
}

static void note_use(const struct finding_events *finding, const struct use *use,
		     struct rendezvous_kernel *kernel)
{
	const struct trace_collective *row = &finding->trace->collectives[use->collective];
	uint32_t ranks = ranks_of(finding, use);

	kernel->ranks = ranks > kernel->ranks ? ranks : kernel->ranks;
	kernel->kind = mix(mix(mix(kernel->kind, row->operation), row->bytes), row->communicator);
}

static void find_kernels(struct finding_events *finding)
{
	struct rendezvous *rendezvous = finding->rendezvous;

	rendezvous->kernels = memory_array(finding->use_count, sizeof(*rendezvous->kernels));
	for (size_t i = 0, end; i < finding->use_count; i = end) {
		struct rendezvous_kernel *kernel = &rendezvous->kernels[rendezvous->count++];

		end = end_of_kernel(finding, i);
		kernel->operation = (uint32_t)finding->uses[i].operation;
		for (size_t k = i; k < end; k++)
			note_use(finding, &finding->uses[k], kernel);
	}
	rendezvous->all_count = rendezvous->count;
	rendezvous->are_eager = memory_array(rendezvous->count, sizeof(*rendezvous->are_eager));
}

/* The first with the most ranks of count ones. */
static size_t find_anchor(const struct rendezvous *rendezvous, size_t first, size_t count)
{
	size_t anchor = first;

	for (size_t i = first; i < first + count; i++)
		if (rendezvous->kernels[i].ranks > rendezvous->kernels[anchor].ranks)
			anchor = i;
	return anchor;
}

/* Those in the middle, of many. */
static void choose_part(struct finding_events *finding)
{
	struct rendezvous *rendezvous = finding->rendezvous;
	size_t first = (rendezvous->count - PATHS_MOST_KERNELS) / 2, used = 0, last = 0;

	first = find_anchor(rendezvous, first, RENDEZVOUS_REACH);
	for (size_t i = 0; i < PATHS_MOST_KERNELS && first + i < rendezvous->count; i++)
		rendezvous->kernels[i] = rendezvous->kernels[first + i];
	rendezvous->count = rendezvous->count - first < PATHS_MOST_KERNELS
				    ? rendezvous->count - first
				    : PATHS_MOST_KERNELS;
	while (finding->uses[used].operation < rendezvous->kernels[0].operation)
		used++;
	for (last = used;
	     last < finding->use_count &&
	     finding->uses[last].operation <= rendezvous->kernels[rendezvous->count - 1].operation;)
		last++;
	finding->use_count = last - used;
	for (size_t i = 0; i < finding->use_count; i++)
		finding->uses[i] = finding->uses[used + i];
}

static int64_t length_of(const struct finding_events *finding, const struct use *use)
{
	const struct trace_operation *operation = &finding->trace->operations[use->operation];

	return min_ns(max_ns(operation->end_ns - operation->start_ns, 0), MOST_TRANSFER_NS);
}

/* Of the rank alone. */
static struct paths_event own_event(const struct finding_events *finding, size_t number,
				    int64_t transfer_ns)
{
	return (struct paths_event){.communicator = finding->member,
				    .pair = PATHS_ALL,
				    .sequence = number,
				    .ranks = 1,
				    .seen = 1,
				    .transfer_ns = transfer_ns};
}

static struct paths_event event_of(const struct finding_events *finding, const struct use *use,
				   size_t kernel)
{
	const struct trace_collective *row = &finding->trace->collectives[use->collective];
	const struct trace_communicator *communicator = communicator_of(finding, use);
	struct paths_event event = own_event(finding, 2 * kernel, length_of(finding, use));
	bool is_pair = collective_is_pairwise(row->operation);
	uint64_t rank, peer;

	if (!communicator || !communicator->unique_id || communicator->ranks < 2 ||
	    row->sequence < 0 || (is_pair && (communicator->rank < 0 || row->root_or_peer < 0)))
		return event;
	rank = (uint64_t)communicator->rank;
	peer = (uint64_t)row->root_or_peer;
	event.communicator = strtoull(communicator->unique_id, NULL, 16);
	event.sequence = (uint64_t)row->sequence;
	event.ranks = is_pair ? 2 : (uint32_t)communicator->ranks;
	if (is_pair)
		event.pair =
			row->operation == COLLECTIVE_SEND ? rank << 32 | peer : peer << 32 | rank;
	return event;
}

/* Whether the rank only hands something over that others' buffers take. */
static bool is_eager(const struct finding_events *finding, const struct use *use)
{
	const struct trace_collective *row = &finding->trace->collectives[use->collective];
	const struct trace_communicator *communicator = communicator_of(finding, use);
	bool is_root = communicator && communicator->rank == row->root_or_peer;

	if (!communicator || communicator->rank < 0 || row->root_or_peer < 0 ||
	    row->bytes > RENDEZVOUS_EAGER_BYTES)
		return false;
	switch (row->operation) {
	case COLLECTIVE_SEND:
		return true;
	case COLLECTIVE_BROADCAST:
	case COLLECTIVE_SCATTER:
		return is_root;
	case COLLECTIVE_REDUCE:
	case COLLECTIVE_GATHER:
		return !is_root;
	default:
		return false;
	}
}

static void add_entry(struct finding_events *finding, struct paths_event event, size_t kernel,
		      enum role role)
{
	*vector_add(&finding->entries) = (struct entry){event, (uint32_t)kernel, role, false};
}

/* The event of a use. If its kernel waits for no other rank, its time says nothing about the transfer. */
static void add_use(struct finding_events *finding, const struct use *use, size_t kernel,
		    enum role role)
{
	struct paths_event event = event_of(finding, use, kernel);
	bool waits = event.ranks < 2 || !is_eager(finding, use);

	if (!waits)
		event.transfer_ns = PATHS_NO_TRANSFER;
	if (!waits && role == WHOLE)
		finding->rendezvous->are_eager[kernel] = true;
	add_entry(finding, event, kernel, role);
	finding->entries.items[finding->entries.count - 1].is_eager = !waits;
}

/* Whether all uses are of one communicator, and none a send or a receive. */
static bool is_alike(const struct finding_events *finding, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct trace_collective *row =
			&finding->trace->collectives[finding->uses[i].collective];

		if (collective_is_pairwise(row->operation) ||
		    communicator_of(finding, &finding->uses[i]) !=
			    communicator_of(finding, &finding->uses[first]))
			return false;
	}
	return true;
}

static void find_entries(struct finding_events *finding)
{
	for (size_t i = 0, kernel = 0, end; i < finding->use_count; i = end, kernel++) {
		end = end_of_kernel(finding, i);
		if (end == i + 1 || is_alike(finding, i, end)) {
			add_use(finding, &finding->uses[i], kernel, WHOLE);
			continue;
		}
		add_entry(finding, own_event(finding, 2 * kernel, 0), kernel, ARRIVES);
		add_entry(finding, own_event(finding, 2 * kernel + 1, 0), kernel, LEAVES);
		for (size_t k = i; k < end; k++)
			add_use(finding, &finding->uses[k], kernel, WITHIN);
	}
	vector_sort(&finding->entries, compare_entries);
}

/* A collective that a rank seems to have twice is one event: its transfer is the shorter. */
static uint32_t add_event(struct rendezvous *rendezvous, const struct paths_event *event)
{
	uint32_t index = (uint32_t)rendezvous->event_count;
	struct paths_event *next = &rendezvous->events[index];

	if (index && !paths_compare_events(next - 1, event)) {
		next[-1].transfer_ns = min_ns(next[-1].transfer_ns, event->transfer_ns);
		return index - 1;
	}
	*next = *event;
	rendezvous->event_count++;
	return index;
}

static void add_inner(struct rendezvous *rendezvous, const struct rendezvous_kernel *kernel,
		      uint32_t event, bool is_eager)
{
	struct paths_edges *inner = &rendezvous->inner;

	if (event == kernel->arrives || event == kernel->leaves)
		return;
	inner->items[inner->count++] = (struct paths_edge){event, kernel->arrives, 0};
	if (!is_eager)
		inner->items[inner->count++] = (struct paths_edge){kernel->leaves, event, 0};
}

static void give_events(struct finding_events *finding)
{
	struct rendezvous *rendezvous = finding->rendezvous;
	size_t count = finding->entries.count;
	uint32_t *events = memory_array(count, sizeof(*events));

	rendezvous->events = memory_array(count, sizeof(*rendezvous->events));
	rendezvous->inner.items = memory_array(2 * count, sizeof(*rendezvous->inner.items));
	for (size_t i = 0; i < count; i++) {
		const struct entry *entry = &finding->entries.items[i];
		struct rendezvous_kernel *kernel = &rendezvous->kernels[entry->kernel];

		events[i] = add_event(rendezvous, &entry->event);
		if (entry->role == WHOLE || entry->role == ARRIVES)
			kernel->arrives = events[i];
		if (entry->role == WHOLE || entry->role == LEAVES)
			kernel->leaves = events[i];
	}
	for (size_t i = 0; i < count; i++)
		if (finding->entries.items[i].role == WITHIN)
			add_inner(rendezvous,
				  &rendezvous->kernels[finding->entries.items[i].kernel], events[i],
				  finding->entries.items[i].is_eager);
	free(events);
}

struct rendezvous rendezvous_find(const struct trace *trace, uint64_t member)
{
	struct rendezvous rendezvous = {0};
	struct finding_events finding = {
		.trace = trace, .member = member, .rendezvous = &rendezvous};

	find_uses(&finding);
	find_kernels(&finding);
	if (rendezvous.count > PATHS_MOST_KERNELS + RENDEZVOUS_REACH)
		choose_part(&finding);
	else
		rendezvous.anchor = find_anchor(&rendezvous, 0, rendezvous.count);
	find_entries(&finding);
	give_events(&finding);
	free(finding.uses);
	vector_free(&finding.entries);
	return rendezvous;
}

void rendezvous_free(struct rendezvous *rendezvous)
{
	free(rendezvous->kernels);
	free(rendezvous->are_eager);
	free(rendezvous->events);
	free(rendezvous->inner.items);
	*rendezvous = (struct rendezvous){0};
}
