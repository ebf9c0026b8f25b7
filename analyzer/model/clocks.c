#include "model/clocks.h"

#include "base/memory.h"
#include "base/thresholds.h"
#include "model/order.h"

#include <stdlib.h>

struct clocks {
	const struct trace *trace;
	struct order order;
	/* By stream, and by context for each side of the barrier: rows of stream_count numbers. */
	uint32_t *streams, *legacy, *blocking;
	uint32_t *numbers; /* operations so far, by stream */
	uint32_t **events; /* by event wait; NULL: not recorded, or waited for already */
	uint32_t stream;   /* of the current operation */
};

static uint32_t *row_in(const struct clocks *clocks, uint32_t *rows, uint32_t index)
{
	return rows + (size_t)index * clocks->order.stream_count;
}

/* NULL: an event that was not recorded. */
static uint32_t *row_of(const struct clocks *clocks, struct order_mark mark)
{
	switch (mark.kind) {
	case ORDER_STREAM:
		return row_in(clocks, clocks->streams, mark.index);
	case ORDER_LEGACY:
		return row_in(clocks, clocks->legacy, mark.index);
	case ORDER_BLOCKING:
		return row_in(clocks, clocks->blocking, mark.index);
	case ORDER_EVENT:
		return clocks->events[mark.index];
	case ORDER_NONE:
		break;
	}
	return NULL;
}

static void join_clocks(void *context, struct order_mark into, struct order_mark from)
{
	const struct clocks *clocks = context;
	uint32_t *to = row_of(clocks, into);
	const uint32_t *row = row_of(clocks, from);

	for (size_t i = 0; row && i < clocks->order.stream_count; i++)
		if (row[i] > to[i])
			to[i] = row[i];
}

/* With all that the operation comes after. */
static void add_clock(void *context, struct order_mark into)
{
	const struct clocks *clocks = context;

	if (into.kind != ORDER_STREAM)
		join_clocks(context, into, (struct order_mark){ORDER_STREAM, clocks->stream});
}

static struct order_user user_of(struct clocks *clocks)
{
	return (struct order_user){.context = clocks, .join = join_clocks, .add = add_clock};
}

struct clocks *clocks_create(const struct trace *trace)
{
	size_t count = trace->stream_count;
	struct clocks *clocks;

	if (count > CLOCKS_MOST_STREAMS)
		return NULL;
	clocks = memory_array(1, sizeof(*clocks));
	clocks->trace = trace;
	order_init(&clocks->order, trace, NULL, 0);
	clocks->streams = memory_array(count * count, sizeof(uint32_t));
	clocks->legacy = memory_array(clocks->order.context_count * count, sizeof(uint32_t));
	clocks->blocking = memory_array(clocks->order.context_count * count, sizeof(uint32_t));
	clocks->numbers = memory_array(count, sizeof(uint32_t));
	clocks->events = memory_array(trace->event_wait_count, sizeof(uint32_t *));
	return clocks;
}

struct clocks *clocks_create_explicit(const struct trace *trace)
{
	struct clocks *clocks = clocks_create(trace);

	if (clocks)
		order_drop_barrier(&clocks->order);
	return clocks;
}

void clocks_free(struct clocks *clocks)
{
	if (!clocks)
		return;
	for (size_t i = 0; i < clocks->trace->event_wait_count; i++)
		free(clocks->events[i]);
	free(clocks->events);
	free(clocks->numbers);
	free(clocks->blocking);
	free(clocks->legacy);
	free(clocks->streams);
	order_free(&clocks->order);
	free(clocks);
}

uint32_t clocks_enter(struct clocks *clocks, uint32_t stream)
{
	struct order_user user = user_of(clocks);
	struct order_mark across = order_across(&clocks->order, stream);

	if (across.kind != ORDER_NONE)
		join_clocks(clocks, (struct order_mark){ORDER_STREAM, stream}, across);
	clocks->stream = stream;
	row_in(clocks, clocks->streams, stream)[stream] = ++clocks->numbers[stream];
	order_operation(&clocks->order, &user, stream);
	return clocks->numbers[stream];
}

void clocks_record(struct clocks *clocks, uint32_t event)
{
	struct order_user user = user_of(clocks);

	free(clocks->events[event]);
	clocks->events[event] = memory_array(clocks->order.stream_count, sizeof(uint32_t));
	order_record(
		&clocks->order, &user, event,
		(uint32_t)(clocks->trace->event_waits[event].recorder - clocks->trace->streams));
}

void clocks_wait(struct clocks *clocks, uint32_t event)
{
	struct order_user user = user_of(clocks);

	order_wait(&clocks->order, &user, event,
		   (uint32_t)(clocks->trace->event_waits[event].waiter - clocks->trace->streams));
	free(clocks->events[event]);
	clocks->events[event] = NULL;
}

bool clocks_is_before(const struct clocks *clocks, uint32_t stream, uint32_t number, uint32_t other)
{
	return row_in(clocks, clocks->streams, other)[stream] >= number;
}
