#include "job/arrivals.h"

#include "base/memory.h"
#include "base/packing.h"

#include <stdlib.h>

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_arrivals(const void *left, const void *right)
{
	const struct arrival *a = left, *b = right;
	int order = compare_numbers(a->communicator, b->communicator);

	order = order ? order : (int)a->is_pair - (int)b->is_pair;
	order = order ? order : compare_numbers(a->peer, b->peer);
	/* Those that join all ranks are counted together, others by operation. */
	if (a->is_pair)
		order = order ? order : compare_numbers(a->operation, b->operation);
	return order ? order : compare_numbers(a->sequence, b->sequence);
}

void arrivals_sort(struct arrival *arrivals, size_t count)
{
	if (count)
		qsort(arrivals, count, sizeof(*arrivals), compare_arrivals);
}

/* The difference, of hostile times too. */
static void pack_later(struct packing *packing, int64_t time_ns, int64_t since_ns)
{
	pack_signed(packing, (int64_t)((uint64_t)time_ns - (uint64_t)since_ns));
}

static int64_t unpack_later(struct unpacking *unpacking, int64_t since_ns)
{
	return (int64_t)((uint64_t)since_ns + (uint64_t)unpack_signed(unpacking));
}

void *arrivals_pack(const struct arrival *arrivals, size_t count, size_t *size)
{
	struct packing packing = {0};
	struct arrival before = {0};

	for (size_t i = 0; i < count; i++) {
		const struct arrival *arrival = &arrivals[i];

		pack_number(&packing, (uint64_t)arrival->operation << 1 | arrival->is_pair);
		pack_signed(&packing, (int64_t)arrival->communicator - before.communicator);
		pack_signed(&packing, (int64_t)arrival->sequence - before.sequence);
		if (arrival->is_pair)
			pack_number(&packing, arrival->peer);
		pack_later(&packing, (int64_t)arrival->bytes, (int64_t)before.bytes);
		pack_later(&packing, arrival->start_ns, before.end_ns);
		pack_later(&packing, arrival->end_ns, arrival->start_ns);
		pack_later(&packing, arrival->call_ns, arrival->start_ns);
		pack_later(&packing, arrival->ready_ns, arrival->start_ns);
		before = *arrival;
	}
	*size = packing.size;
	return packing.bytes ? (void *)packing.bytes : memory_array(1, 1);
}

static struct arrival unpack_arrival(struct unpacking *unpacking, const struct arrival *before)
{
	uint64_t kind = unpack_number(unpacking);
	struct arrival arrival = {.operation = (uint32_t)(kind >> 1), .is_pair = kind & 1};
	int64_t communicator = unpack_later(unpacking, before->communicator);
	int64_t sequence = unpack_later(unpacking, before->sequence);

	if (arrival.is_pair)
		arrival.peer = (uint32_t)unpack_number(unpacking);
	arrival.bytes = (uint64_t)unpack_later(unpacking, (int64_t)before->bytes);
	arrival.start_ns = unpack_later(unpacking, before->end_ns);
	arrival.end_ns = unpack_later(unpacking, arrival.start_ns);
	arrival.call_ns = unpack_later(unpacking, arrival.start_ns);
	arrival.ready_ns = unpack_later(unpacking, arrival.start_ns);
	unpacking->is_damaged |= communicator < 0 || communicator > UINT32_MAX || sequence < 0 ||
				 sequence > UINT32_MAX || kind >> 1 > UINT16_MAX;
	arrival.communicator = (uint32_t)communicator;
	arrival.sequence = (uint32_t)sequence;
	return arrival;
}

static bool is_time(int64_t time_ns)
{
	return time_ns >= 0 && time_ns <= INT64_MAX / 2;
}

static bool is_sound(const struct arrival *arrival, size_t communicator_count)
{
	return arrival->communicator < communicator_count && is_time(arrival->start_ns) &&
	       is_time(arrival->end_ns) && arrival->start_ns <= arrival->end_ns &&
	       is_time(arrival->call_ns) && is_time(arrival->ready_ns);
}

struct arrival *arrivals_unpack(const void *bytes, size_t size, size_t count,
				size_t communicator_count)
{
	struct unpacking unpacking = {.bytes = bytes, .size = size};
	struct arrival *arrivals, before = {0};

	if (count > ARRIVALS_MOST || count > size)
		return NULL;
	arrivals = memory_array(count ? count : 1, sizeof(*arrivals));
	for (size_t i = 0; i < count; i++) {
		arrivals[i] = unpack_arrival(&unpacking, &before);
		if (unpacking.is_damaged || !is_sound(&arrivals[i], communicator_count) ||
		    (i && compare_arrivals(&before, &arrivals[i]) >= 0)) {
			free(arrivals);
			return NULL;
		}
		before = arrivals[i];
	}
	return arrivals;
}
