#include "races/host_orders.h"

#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "replay/observed/evidence.h"

#include <stdlib.h>
#include <string.h>

/* Calls by other threads may begin later and end earlier than the last that began before a time. */
enum { CALLS_LOOKED_BACK = 16 };
/* Of all waits between two operations so many are looked at: those of a loop that polls are more. */
enum { WAITS_LOOKED_AT = 64 };

typedef VECTOR(const struct trace_call *) call_list;

typedef VECTOR(int64_t) time_list;

struct host_orders {
	const struct observed *observed;
	call_list waits, lucks; /* by start */
	int64_t *first_ends_ns; /* by index in waits: the least end of it and all later ones */
	/* Sorted: when they ended. */
	time_list wait_ends, luck_ends, signals;
};

static bool is_wait(const struct trace_call *call)
{
	switch (call->form->function->class) {
	case CLASS_STREAM_SYNC:
	case CLASS_STREAM_QUERY:
	case CLASS_EVENT_SYNC:
	case CLASS_EVENT_QUERY:
	case CLASS_EVENT_ELAPSED:
	case CLASS_DEVICE_SYNC:
		return !call->form->result;
	default:
		return false;
	}
}

/* The evidence says whether it waited for work of others. */
static bool is_luck(const struct observed *observed, const struct trace_call *call)
{
	const struct call_evidence evidence = evidence_of(observed->evidence, call);

	return evidence.cause && evidence.split.stream_ns + evidence.split.other_streams_ns +
						 evidence.split.copy_ns +
						 evidence.split.staging_ns >
					 0;
}

static bool is_blocking_copy(const struct trace_call *call)
{
	return call->form->function->class == CLASS_COPY && !call->form->result &&
	       !strstr(call->form->function->name, "Async");
}

static bool is_signal(const struct trace *trace, const struct model_operation *operation)
{
	const struct trace_operation_form *form = operation->operation->form;

	return form->kind == OPERATION_KERNEL
		       ? !trace->sees_arguments || operation->result != MODEL_RESULT_NONE
		       : form->engine == ENGINE_D2H && form->size_bytes <= FLAG_MOST_BYTES;
}

static int compare_times(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void find_ends(struct host_orders *orders, const struct model *model)
{
	const struct trace *trace = model->trace;

	for (size_t i = 0; i < orders->waits.count; i++)
		*vector_add(&orders->wait_ends) = orders->waits.items[i]->end_ns;
	for (size_t i = 0; i < orders->lucks.count; i++)
		*vector_add(&orders->luck_ends) = orders->lucks.items[i]->end_ns;
	for (size_t i = 0; i < trace->host_function_count; i++) {
		*vector_add(&orders->signals) = trace->host_functions[i].start_ns;
		*vector_add(&orders->signals) = trace->host_functions[i].end_ns;
	}
	for (size_t i = 0; i < model->operation_count; i++)
		if (is_signal(trace, &model->operations[i]))
			*vector_add(&orders->signals) = model->operations[i].operation->end_ns;
	vector_sort(&orders->wait_ends, compare_times);
	vector_sort(&orders->luck_ends, compare_times);
	vector_sort(&orders->signals, compare_times);
}

static bool has_time(const time_list *times, int64_t from_ns, int64_t until_ns)
{
	const size_t first = search(times->count, i, times->items[i] < from_ns);

	return first < times->count && times->items[first] <= until_ns;
}

bool host_orders_may_know(const struct host_orders *orders, int64_t from_ns, int64_t until_ns)
{
	return has_time(&orders->wait_ends, from_ns, until_ns) ||
	       host_orders_has_signal(orders, from_ns, until_ns);
}

bool host_orders_has_signal(const struct host_orders *orders, int64_t from_ns, int64_t until_ns)
{
	return has_time(&orders->signals, from_ns, until_ns);
}

bool host_orders_has_luck(const struct host_orders *orders, int64_t from_ns, int64_t until_ns)
{
	return has_time(&orders->luck_ends, from_ns, until_ns);
}

struct host_orders *host_orders_create(const struct observed *observed)
{
	const struct trace *trace = observed->model->trace;
	struct host_orders *orders = memory_array(1, sizeof(*orders));
	int64_t least_ns = INT64_MAX;

	orders->observed = observed;
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (is_wait(call))
			*vector_add(&orders->waits) = call;
		else if (is_blocking_copy(call) || is_luck(observed, call))
			*vector_add(&orders->lucks) = call;
	}
	orders->first_ends_ns = memory_array(orders->waits.count, sizeof(int64_t));
	for (size_t i = orders->waits.count; i-- > 0;)
		orders->first_ends_ns[i] = least_ns =
			min_ns(least_ns, orders->waits.items[i]->end_ns);
	find_ends(orders, observed->model);
	return orders;
}

void host_orders_free(struct host_orders *orders)
{
	vector_free(&orders->waits);
	vector_free(&orders->lucks);
	vector_free(&orders->wait_ends);
	vector_free(&orders->luck_ends);
	vector_free(&orders->signals);
	free(orders->first_ends_ns);
	free(orders);
}

bool host_orders_has_wait(const struct host_orders *orders, const struct trace_operation *operation,
			  int64_t before_ns)
{
	const int64_t enqueued_ns = model_enqueue_ns(operation);
	const size_t first =
		search(orders->waits.count, i, orders->waits.items[i]->start_ns < enqueued_ns);

	return first < orders->waits.count && orders->first_ends_ns[first] <= before_ns;
}

/* It waited for the operation's stream, or for something behind it there. */
static bool surely_waits_for(const struct host_orders *orders, const struct trace_call *call,
			     const struct trace_operation *operation)
{
	const struct model *model = orders->observed->model;
	const struct trace_operation *cause = evidence_of(orders->observed->evidence, call).cause;

	if (call->end_ns < operation->end_ns)
		return false;
	if (cause && cause->form->stream == operation->form->stream &&
	    model_enqueue_ns(cause) >= model_enqueue_ns(operation))
		return true;
	switch (call->form->function->class) {
	case CLASS_DEVICE_SYNC:
		return model->device_count == 1;
	case CLASS_STREAM_SYNC:
	case CLASS_STREAM_QUERY:
		return model_stream_of(model, call) == operation->form->stream;
	default:
		return false;
	}
}

bool host_orders_has_sure_wait(const struct host_orders *orders,
			       const struct trace_operation *operation, int64_t before_ns)
{
	const int64_t enqueued_ns = model_enqueue_ns(operation);
	const size_t first =
		search(orders->waits.count, i, orders->waits.items[i]->start_ns < enqueued_ns);

	for (size_t i = first; i < orders->waits.count && i - first < WAITS_LOOKED_AT; i++) {
		const struct trace_call *call = orders->waits.items[i];

		if (call->start_ns >= before_ns)
			break;
		if (call->end_ns <= before_ns && surely_waits_for(orders, call, operation))
			return true;
	}
	return false;
}

const struct trace_call *host_orders_only_wait(const struct host_orders *orders,
					       const struct trace_operation *operation,
					       int64_t before_ns)
{
	const int64_t enqueued_ns = model_enqueue_ns(operation);
	const size_t first =
		search(orders->waits.count, i, orders->waits.items[i]->start_ns < enqueued_ns);
	const struct trace_call *sure = NULL;

	for (size_t i = first; i < orders->waits.count; i++) {
		const struct trace_call *call = orders->waits.items[i];

		if (call->start_ns >= before_ns)
			break;
		if (i - first == WAITS_LOOKED_AT || !call->form->site ||
		    call->form->site != orders->waits.items[first]->form->site)
			return NULL;
		if (!sure && call->end_ns <= before_ns && surely_waits_for(orders, call, operation))
			sure = call;
	}
	return sure;
}

const struct trace_call *host_orders_luck(const struct host_orders *orders,
					  const struct trace_operation *operation,
					  int64_t before_ns)
{
	const size_t after = search(orders->lucks.count, i,
				    orders->lucks.items[i]->start_ns < operation->end_ns);

	for (size_t i = after; i > 0 && after - i < CALLS_LOOKED_BACK; i--) {
		const struct trace_call *call = orders->lucks.items[i - 1];

		if (call->end_ns >= operation->end_ns && call->end_ns <= before_ns)
			return call;
	}
	return NULL;
}
