#include "model/order.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define STREAM_LIMIT 2048 /* the clocks then take 48 MB */

struct model_order {
	const struct trace *trace;
	size_t stream_count;
	/* By stream; and by the context's first stream, what the barrier makes its default stream,
	 * or its blocking ones, wait for. A row has stream_count numbers. */
	uint32_t *clocks, *legacy, *blocking;
	uint32_t *numbers;    /* operations so far, by stream */
	uint32_t *contexts;   /* by stream: the first one of its context */
	uint32_t **snapshots; /* by event wait; NULL: not recorded, or waited for already */
};

static uint32_t *row(const struct model_order *order, uint32_t *clocks, uint32_t stream)
{
	return clocks + (size_t)stream * order->stream_count;
}

static void merge(const struct model_order *order, uint32_t *into, const uint32_t *from)
{
	for (size_t i = 0; i < order->stream_count; i++)
		if (from[i] > into[i])
			into[i] = from[i];
}

struct model_order *model_order_create(const struct trace *trace)
{
	size_t count = trace->stream_count;
	struct model_order *order;

	if (count > STREAM_LIMIT)
		return NULL;
	order = memory_array(1, sizeof(*order));
	order->trace = trace;
	order->stream_count = count;
	order->clocks = memory_array(count * count, sizeof(uint32_t));
	order->legacy = memory_array(count * count, sizeof(uint32_t));
	order->blocking = memory_array(count * count, sizeof(uint32_t));
	order->numbers = memory_array(count, sizeof(uint32_t));
	order->contexts = memory_array(count, sizeof(uint32_t));
	order->snapshots = memory_array(trace->event_wait_count, sizeof(uint32_t *));
	for (size_t i = 0; i < count; i++)
		while (trace->streams[order->contexts[i]].context_id !=
		       trace->streams[i].context_id)
			order->contexts[i]++;
	return order;
}

void model_order_free(struct model_order *order)
{
	if (!order)
		return;
	for (size_t i = 0; i < order->trace->event_wait_count; i++)
		free(order->snapshots[i]);
	free(order->snapshots);
	free(order->contexts);
	free(order->numbers);
	free(order->blocking);
	free(order->legacy);
	free(order->clocks);
	free(order);
}

/* What the barrier puts before the stream's next operation. */
static void cross_barrier(const struct model_order *order, uint32_t stream, uint32_t *clock)
{
	enum stream_flag flag = order->trace->streams[stream].flag;

	if (flag == STREAM_NULL)
		merge(order, clock, row(order, order->blocking, order->contexts[stream]));
	if (flag == STREAM_BLOCKING)
		merge(order, clock, row(order, order->legacy, order->contexts[stream]));
}

/* And what it puts before the other side's. */
static void extend_barrier(const struct model_order *order, uint32_t stream, const uint32_t *clock)
{
	enum stream_flag flag = order->trace->streams[stream].flag;

	if (flag == STREAM_NULL)
		merge(order, row(order, order->legacy, order->contexts[stream]), clock);
	if (flag == STREAM_BLOCKING)
		merge(order, row(order, order->blocking, order->contexts[stream]), clock);
}

uint32_t model_order_enter(struct model_order *order, uint32_t stream)
{
	uint32_t *clock = row(order, order->clocks, stream);

	cross_barrier(order, stream, clock);
	clock[stream] = ++order->numbers[stream];
	extend_barrier(order, stream, clock);
	return clock[stream];
}

void model_order_record(struct model_order *order, uint32_t wait)
{
	uint32_t recorder =
		(uint32_t)(order->trace->event_waits[wait].recorder - order->trace->streams);
	uint32_t *snapshot = memory_array(order->stream_count, sizeof(*snapshot));

	memcpy(snapshot, row(order, order->clocks, recorder),
	       order->stream_count * sizeof(*snapshot));
	cross_barrier(order, recorder, snapshot);
	free(order->snapshots[wait]);
	order->snapshots[wait] = snapshot;
}

void model_order_wait(struct model_order *order, uint32_t wait)
{
	uint32_t waiter =
		(uint32_t)(order->trace->event_waits[wait].waiter - order->trace->streams);
	uint32_t *snapshot = order->snapshots[wait];

	if (!snapshot)
		return;
	merge(order, row(order, order->clocks, waiter), snapshot);
	extend_barrier(order, waiter, snapshot);
	free(snapshot);
	order->snapshots[wait] = NULL;
}

bool model_order_is_before(const struct model_order *order, uint32_t stream, uint32_t number,
			   uint32_t other)
{
	return row(order, order->clocks, other)[stream] >= number;
}
