#include "job/arrivals_make.h"

#include "base/minmax.h"
#include "model/model.h"
#include "trace/collectives.h"

#include <stdlib.h>

/* Sequences are below 2 to the power of this. */
#define SEQUENCE_BITS 32

struct making {
	const struct trace *trace;
	struct summary *summary;
	uint8_t *is_taken;   /* by operation: a collective has that kernel already */
	uint64_t step;	     /* sequences that are a multiple of it are taken */
	int64_t *readies_ns; /* by operation; NULL: not known */
};

/* By index in trace.operations: the end of what it comes after on the device; 0: nothing. */
static int64_t *find_readies(const struct trace *trace, const struct model *model)
{
	int64_t *readies_ns;

	if (model->trace != trace)
		return NULL;
	readies_ns = memory_array(trace->operation_count, sizeof(*readies_ns));
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];

		readies_ns[item->operation - trace->operations] =
			max_ns(0, max_ns(item->order_ns, item->barrier_order_ns));
	}
	return readies_ns;
}

static void make_communicators(struct making *making)
{
	const struct trace *trace = making->trace;
	struct summary *summary = making->summary;
	size_t count = trace->communicator_count;

	if (count > SUMMARY_COMMUNICATORS)
		count = SUMMARY_COMMUNICATORS;
	summary->communicators = memory_array(count, sizeof(*summary->communicators));
	summary->communicator_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct trace_communicator *from = &trace->communicators[i];

		summary->communicators[i] = (struct summary_communicator){
			.unique_id = from->unique_id ? strtoull(from->unique_id, NULL, 16) : 0,
			.rank = from->rank > 0 ? (uint32_t)from->rank : 0,
			.ranks = from->ranks > 0 ? (uint32_t)from->ranks : 0,
			.device_id = from->device_id,
		};
	}
}

/* Whether it can be an arrival: the summary has its communicator, and it has a number and a kernel. */
static bool is_arrival(const struct making *making, const struct trace_collective *row)
{
	return row->communicator < making->summary->communicator_count &&
	       row->kernel < making->trace->operation_count && row->sequence >= 0 &&
	       row->sequence >> SEQUENCE_BITS == 0 &&
	       (!collective_is_pairwise(row->operation) || row->root_or_peer >= 0);
}

static void count_collectives(struct making *making)
{
	for (size_t i = 0; i < making->trace->collective_count; i++) {
		const struct trace_collective *row = &making->trace->collectives[i];
		struct summary_communicator *communicator;

		if (row->communicator >= making->summary->communicator_count)
			continue;
		communicator = &making->summary->communicators[row->communicator];
		communicator->collectives++;
		communicator->matched += row->kernel < making->trace->operation_count;
	}
}

/* Whether it is the first that has its kernel; sends and receives count each. */
static bool is_first_of_kernel(struct making *making, const struct trace_collective *row)
{
	if (collective_is_pairwise(row->operation))
		return true;
	if (making->is_taken[row->kernel])
		return false;
	making->is_taken[row->kernel] = 1;
	return true;
}

static uint64_t find_step(const struct making *making, const bool *are_taken)
{
	size_t counts[SEQUENCE_BITS + 1] = {0},
				      count = 0; /* by the zeros that the sequence ends in */
	int bits = SEQUENCE_BITS;

	for (size_t i = 0; i < making->trace->collective_count; i++) {
		uint64_t sequence = (uint64_t)making->trace->collectives[i].sequence;

		if (are_taken[i])
			counts[sequence ? __builtin_ctzll(sequence) : SEQUENCE_BITS]++;
	}
	for (; bits >= 0 && count + counts[bits] <= ARRIVALS_MOST; bits--)
		count += counts[bits];
	return UINT64_C(1) << (bits + 1);
}

static struct arrival make_arrival(const struct making *making, const struct trace_collective *row)
{
	const struct trace_operation *kernel = &making->trace->operations[row->kernel];
	int64_t ready_ns = making->readies_ns ? making->readies_ns[row->kernel] : kernel->start_ns;
	bool is_pair = collective_is_pairwise(row->operation);

	return (struct arrival){
		.communicator = (uint32_t)row->communicator,
		.sequence = (uint32_t)row->sequence,
		.operation = row->operation,
		.peer = is_pair ? (uint32_t)row->root_or_peer : 0,
		.is_pair = is_pair,
		.bytes = row->bytes,
		.call_ns = max_ns(0, row->start_ns),
		.ready_ns = ready_ns,
		.start_ns = max_ns(0, kernel->start_ns),
		.end_ns = max_ns(max_ns(0, kernel->start_ns), kernel->end_ns),
	};
}

static bool are_same(const struct arrival *a, const struct arrival *b)
{
	return a->communicator == b->communicator && a->is_pair == b->is_pair &&
	       a->peer == b->peer && a->operation == b->operation && a->sequence == b->sequence;
}

/* Each once. */
static void drop_doubles(struct summary *summary)
{
	size_t count = 0;

	for (size_t i = 0; i < summary->arrival_count; i++)
		if (!count || !are_same(&summary->arrivals[count - 1], &summary->arrivals[i]))
			summary->arrivals[count++] = summary->arrivals[i];
	summary->arrival_count = count;
}

static void take_arrivals(struct making *making)
{
	const struct trace *trace = making->trace;
	struct summary *summary = making->summary;
	bool *are_taken = memory_array(trace->collective_count, sizeof(*are_taken));

	for (size_t i = 0; i < trace->collective_count; i++)
		are_taken[i] = is_arrival(making, &trace->collectives[i]) &&
			       is_first_of_kernel(making, &trace->collectives[i]);
	making->step = find_step(making, are_taken);
	summary->arrivals = memory_array(ARRIVALS_MOST, sizeof(*summary->arrivals));
	for (size_t i = 0; i < trace->collective_count && summary->arrival_count < ARRIVALS_MOST;
	     i++)
		if (are_taken[i] && (uint64_t)trace->collectives[i].sequence % making->step == 0)
			summary->arrivals[summary->arrival_count++] =
				make_arrival(making, &trace->collectives[i]);
	free(are_taken);
}

void arrivals_make(const struct trace *trace, const struct model *model, struct summary *summary)
{
	struct making making = {
		.trace = trace,
		.summary = summary,
		.is_taken = memory_array(trace->operation_count, sizeof(*making.is_taken)),
		.readies_ns = find_readies(trace, model),
	};

	make_communicators(&making);
	count_collectives(&making);
	take_arrivals(&making);
	arrivals_sort(summary->arrivals, summary->arrival_count);
	drop_doubles(summary);
	free(making.readies_ns);
	free(making.is_taken);
}
