#include "model/order.h"

#include "base/memory.h"

#include <stdlib.h>

struct order_stream {
	uint32_t context; /* index of its context */
	uint32_t sibling; /* the next added one with the same parent; 0: none */
	enum stream_flag flag;
};

/* The side of the barrier that a stream is on. */
static enum order_mark_kind side_of(enum stream_flag flag)
{
	return flag == STREAM_NULL	 ? ORDER_LEGACY
	       : flag == STREAM_BLOCKING ? ORDER_BLOCKING
					 : ORDER_NONE;
}

static enum order_mark_kind other_side(enum order_mark_kind side)
{
	return side == ORDER_LEGACY	? ORDER_BLOCKING
	       : side == ORDER_BLOCKING ? ORDER_LEGACY
					: ORDER_NONE;
}

bool order_is_behind(const struct trace_stream *stream, const struct trace_stream *before)
{
	enum order_mark_kind side = side_of(stream->flag);

	return stream == before ||
	       (stream->context_id == before->context_id && side != ORDER_NONE &&
		side_of(before->flag) == other_side(side));
}

bool order_sync_covers(const struct trace_stream *named, const struct trace_stream *other)
{
	return named == other ||
	       (named->flag == STREAM_NULL && other->flag != STREAM_NON_BLOCKING &&
		named->context_id == other->context_id);
}

static uint32_t context_of(struct order *order, uint32_t id)
{
	uint32_t i = 0;

	while (i < order->context_count && order->context_ids[i] != id)
		i++;
	if (i == order->context_count)
		order->context_ids[order->context_count++] = id;
	return i;
}

void order_init(struct order *order, const struct trace *trace, const struct order_added *added,
		size_t added_count)
{
	order->trace = trace;
	order->stream_count = trace->stream_count + added_count;
	order->streams = memory_array(order->stream_count, sizeof(*order->streams));
	order->context_ids = memory_array(trace->stream_count, sizeof(*order->context_ids));
	order->context_count = 0;
	for (size_t i = 0; i < trace->stream_count; i++)
		order->streams[i] = (struct order_stream){
			.context = context_of(order, trace->streams[i].context_id),
			.flag = trace->streams[i].flag};
	for (size_t i = 0; i < added_count; i++) {
		struct order_stream *parent = &order->streams[added[i].parent];
		size_t index = trace->stream_count + i;

		order->streams[index] = (struct order_stream){.context = parent->context,
							      .sibling = parent->sibling,
							      .flag = added[i].flag};
		parent->sibling = (uint32_t)index;
	}
}

void order_free(struct order *order)
{
	free(order->streams);
	free(order->context_ids);
	*order = (struct order){0};
}

void order_drop_barrier(struct order *order)
{
	for (size_t i = 0; i < order->stream_count; i++)
		order->streams[i].flag = STREAM_NON_BLOCKING;
}

static struct order_mark side_mark(const struct order *order, uint32_t stream)
{
	const struct order_stream *row = &order->streams[stream];

	return (struct order_mark){side_of(row->flag), row->context};
}

struct order_mark order_across(const struct order *order, uint32_t stream)
{
	const struct order_stream *row = &order->streams[stream];

	return (struct order_mark){other_side(side_of(row->flag)), row->context};
}

uint32_t order_sibling(const struct order *order, uint32_t stream)
{
	return order->streams[stream].sibling;
}

/* Both come after what is in their stream. */
static void pass_in_stream(const struct order_user *user, uint32_t stream)
{
	struct order_mark mark = {ORDER_STREAM, stream};

	if (user->clear)
		user->clear(user->context, mark);
	user->add(user->context, mark);
}

void order_operation(const struct order *order, const struct order_user *user, uint32_t stream)
{
	struct order_mark side = side_mark(order, stream);

	pass_in_stream(user, stream);
	/* An operation in the legacy default stream has waited for the blocking streams, too: so
	 * has whatever waits for it. */
	if (side.kind == ORDER_LEGACY && user->clear) {
		user->clear(user->context, side);
		user->clear(user->context, order_across(order, stream));
	}
	if (side.kind != ORDER_NONE)
		user->add(user->context, side);
}

void order_host_function(const struct order *order, const struct order_user *user, uint32_t stream)
{
	struct order_mark side = side_mark(order, stream);

	pass_in_stream(user, stream);
	if (side.kind != ORDER_NONE)
		user->add(user->context, side);
}

static void end_branch(const struct order *order, const struct order_user *user, uint32_t event,
		       uint32_t stream)
{
	const struct trace_stream *branch = order->trace->event_waits[event].recorder;
	struct order_mark from = {ORDER_STREAM, (uint32_t)(branch - order->trace->streams)};
	struct order_mark side = side_mark(order, stream);

	user->join(user->context, (struct order_mark){ORDER_STREAM, stream}, from);
	if (side.kind != ORDER_NONE)
		user->join(user->context, side, from);
}

void order_record(const struct order *order, const struct order_user *user, uint32_t event,
		  uint32_t stream)
{
	struct order_mark mark = {ORDER_EVENT, event}, across = order_across(order, stream);

	if (trace_ends_branch(&order->trace->event_waits[event]))
		return;
	user->join(user->context, mark, (struct order_mark){ORDER_STREAM, stream});
	if (across.kind != ORDER_NONE)
		user->join(user->context, mark, across);
	if (trace_is_graph_wait(&order->trace->event_waits[event]))
		return;
	for (uint32_t i = order_sibling(order, stream); i; i = order_sibling(order, i))
		user->join(user->context, mark, (struct order_mark){ORDER_STREAM, i});
}

void order_wait(const struct order *order, const struct order_user *user, uint32_t event,
		uint32_t stream)
{
	struct order_mark mark = {ORDER_EVENT, event}, side = side_mark(order, stream);

	if (trace_ends_branch(&order->trace->event_waits[event])) {
		end_branch(order, user, event, stream);
		return;
	}
	user->join(user->context, (struct order_mark){ORDER_STREAM, stream}, mark);
	/* Which of an added stream's operations needed the event is not known: all wait. */
	for (uint32_t i = order_sibling(order, stream); i; i = order_sibling(order, i))
		user->join(user->context, (struct order_mark){ORDER_STREAM, i}, mark);
	if (side.kind != ORDER_NONE)
		user->join(user->context, side, mark);
}
