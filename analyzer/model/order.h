/*
 * The order that CUDA gives, whatever the times are. Its rules are written out here and nowhere
 * else.
 *
 * On the device:
 * - A stream runs what is enqueued in it one after the other.
 * - The barrier of the legacy default stream: an operation in it runs after all that was enqueued
 *   before in the blocking streams of its context, and an operation of a blocking stream runs after
 *   all that was enqueued before in the legacy default stream. The device waits, not the host.
 *   Streams made with cudaStreamNonBlocking are exempt, and so is here a stream of which the trace
 *   does not say what it is. The per-thread default stream is a blocking stream.
 * - An event stands for all that an operation would run after that is enqueued in its stream when
 *   the event is recorded. A stream that waits for the event runs what is enqueued in it later
 *   after all that.
 * - A host function runs when an operation at that point of its stream would, and what is enqueued
 *   behind it runs after it.
 *
 * On the host: to synchronize with a stream is to wait for all that is enqueued in it; with the
 * legacy default stream, also for all that is enqueued in the other streams of its context except
 * those made with cudaStreamNonBlocking.
 *
 * What "after" means differs: the model joins nodes, the clocks count, the replay adds edges. Each
 * keeps something under the marks below; the functions say which mark comes after which. Steps
 * must be passed in the order of model_steps(). One thread.
 */
#ifndef STREAMTRACE_MODEL_ORDER_H
#define STREAMTRACE_MODEL_ORDER_H

#include "trace/trace.h"

/* What something can come after. */
enum order_mark_kind {
	ORDER_NONE,
	ORDER_STREAM,	/* all that the stream ran or waited for so far; index: the stream's */
	ORDER_LEGACY,	/* all in the legacy default stream of a context; index: the context's */
	ORDER_BLOCKING, /* all in the blocking streams of a context; index: the context's */
	ORDER_EVENT	/* what an event was recorded behind; index in trace.event_waits */
};

struct order_mark {
	enum order_mark_kind kind;
	uint32_t index;
};

/* A stream that a fix adds. It takes over work of its parent: who waits for an event that is
 * recorded in the parent waits for both, and when the parent waits for an event both do. */
struct order_added {
	uint32_t parent; /* index in trace.streams */
	enum stream_flag flag;
};

/* Zero-initialize it; order_free() frees it. Streams: the trace's, then the added ones. */
struct order {
	struct order_stream *streams;
	size_t stream_count, context_count;
	uint32_t *context_ids;
};

/* Both arrays may be freed afterwards. */
void order_init(struct order *order, const struct trace *trace, const struct order_added *added,
		size_t added_count);
void order_free(struct order *order);

/* What an operation that is enqueued in the stream now runs after, beside ORDER_STREAM of it: the
 * other side of the barrier, or ORDER_NONE. */
struct order_mark order_across(const struct order *order, uint32_t stream);

/* The next stream that was added for the same parent as the stream, or for the stream; 0: none. */
uint32_t order_sibling(const struct order *order, uint32_t stream);

/* What the functions below tell: */
struct order_user {
	void *context;
	/* `into` stands for all that `from` stands for, too. */
	void (*join)(void *context, struct order_mark into, struct order_mark from);
	/* `into` stands for the current operation or host function, too. */
	void (*add)(void *context, struct order_mark into);
	/* The current operation comes after all that the mark stands for, and is added to it next:
	 * from then on the mark can stand for it alone. May be NULL. */
	void (*clear)(void *context, struct order_mark mark);
};

/* An operation of the stream, when the user knows what it comes after. */
void order_operation(const struct order *order, const struct order_user *user, uint32_t stream);

/* A host function, likewise. */
void order_host_function(const struct order *order, const struct order_user *user, uint32_t stream);

/* An event, by index in trace.event_waits, recorded in a stream, or waited for by one. */
void order_record(const struct order *order, const struct order_user *user, uint32_t event,
		  uint32_t stream);
void order_wait(const struct order *order, const struct order_user *user, uint32_t event,
		uint32_t stream);

/* Whether an operation of the one stream runs after those that were enqueued before in the other,
 * without an event. */
bool order_is_behind(const struct trace_stream *stream, const struct trace_stream *before);

/* Whether a host that synchronizes with the one stream waits for what is in the other. */
bool order_sync_covers(const struct trace_stream *named, const struct trace_stream *other);

#endif
