/*
 * The order that CUDA guarantees, whatever the times are. Its rules stand here and nowhere else.
 *
 * On the device:
 * - A stream runs what is enqueued in it one after the other.
 * - The barrier of the legacy default stream: an operation in it runs after everything enqueued
 *   before in the blocking streams of its context; an operation of a blocking stream runs after
 *   everything enqueued before in the legacy default stream. The device waits, not the host.
 *   Streams made with cudaStreamNonBlocking are exempt, and here also streams of unknown kind. The
 *   per-thread default stream is a blocking stream.
 * - An event stands for everything that an operation enqueued in its stream at the event's record
 *   would run after. A stream that waits for the event runs what is enqueued in it later after all
 *   that.
 * - A host function runs when an operation at its place in the stream would. Work enqueued behind
 *   the host function runs after it.
 *
 * On the host: synchronizing with a stream waits for everything enqueued in it; with the legacy
 * default stream, also for everything in its context's other streams, except those made with
 * cudaStreamNonBlocking.
 *
 * What "after" means is up to the user of this module: the model joins nodes, the clocks count, the
 * replay adds edges. Each user keeps something under the marks below; the functions tell, by
 * callbacks, which mark comes after which. Steps must be passed in the order of model_steps()
 * (model.h). One thread for each struct order.
 */
#ifndef STREAMTRACE_MODEL_ORDER_H
#define STREAMTRACE_MODEL_ORDER_H

#include "trace/trace.h"

/* A mark: a set of work that something can come after. */
enum order_mark_kind {
	ORDER_NONE,
	ORDER_STREAM,	/* all that the stream ran or waited for so far; index: the stream's */
	ORDER_LEGACY,	/* all in the legacy default stream of a context; index: the context's */
	ORDER_BLOCKING, /* all in the blocking streams of a context; index: the context's */
	ORDER_EVENT	/* all that came before the event's record; index in trace.event_waits */
};

struct order_mark {
	enum order_mark_kind kind;
	uint32_t index;
};

/* A stream added by a fix. The stream takes over work of its parent. So an event recorded in the
 * parent stands for the work of both, and if the parent waits for an event, both wait. */
struct order_added {
	uint32_t parent; /* index in trace.streams */
	enum stream_flag flag;
};

/* The streams: the trace's, then the added ones. A stream's index counts in both. */
struct order {
	const struct trace *trace;
	struct order_stream *streams;
	size_t stream_count, context_count;
	uint32_t *context_ids; /* by a mark's index of a context */
};

/* Fills in *order; free it by order_free(). `added` (NULL if added_count is 0) may be freed
 * afterwards; the trace must outlive *order. */
void order_init(struct order *order, const struct trace *trace, const struct order_added *added,
		size_t added_count);
void order_free(struct order *order);

/* From now on as if all streams had been made with cudaStreamNonBlocking. */
void order_drop_barrier(struct order *order);

/* What an operation enqueued in the stream now runs after, beside the stream's ORDER_STREAM: the
 * mark of the barrier's other side, or one of kind ORDER_NONE. */
struct order_mark order_across(const struct order *order, uint32_t stream);

/* Iterates over the streams added for a parent: the first for the parent's index, the next for an
 * added stream's index; 0: no more. */
uint32_t order_sibling(const struct order *order, uint32_t stream);

/* Callbacks by which the functions below report: */
struct order_user {
	void *context;
	/* `into` now also stands for all that `from` stands for. */
	void (*join)(void *context, struct order_mark into, struct order_mark from);
	/* `into` now also stands for the current operation or host function. */
	void (*add)(void *context, struct order_mark into);
	/* The current operation or host function comes after all that the mark stands for, and is
	 * added to the mark next. The mark may then stand for it alone. NULL: not wanted. */
	void (*clear)(void *context, struct order_mark mark);
};

/* An operation of the stream is enqueued. Before, ask what the operation comes after: the stream's
 * ORDER_STREAM and order_across(). */
void order_operation(const struct order *order, const struct order_user *user, uint32_t stream);

/* A host function of the stream is enqueued. Before, ask as for an operation. */
void order_host_function(const struct order *order, const struct order_user *user, uint32_t stream);

/* An event (index in trace.event_waits) is recorded in the stream, or the stream waits for it. At the end of
 * a graph's branch the stream goes on behind the branch as behind work of its own: what joins it is the
 * branch's ORDER_STREAM. Added streams are no part of what begins and ends a branch. */
void order_record(const struct order *order, const struct order_user *user, uint32_t event,
		  uint32_t stream);
void order_wait(const struct order *order, const struct order_user *user, uint32_t event,
		uint32_t stream);

/* Whether an operation of `stream` runs after the operations enqueued earlier in the stream
 * `before`, even without an event. */
bool order_is_behind(const struct trace_stream *stream, const struct trace_stream *before);

/* Whether a host that synchronizes with the stream `named` waits for work in the stream `other`. */
bool order_sync_covers(const struct trace_stream *named, const struct trace_stream *other);

#endif
