#include "replay/observed/own_waits.h"

#include "base/thresholds.h"
#include "model/rates.h"
#include "replay/observed/timeline_private.h"

/* Without staging. */
static bool is_direct(uint8_t kind)
{
	return kind == MEMORY_PINNED || kind == MEMORY_DEVICE || kind == MEMORY_ARRAY ||
	       kind == MEMORY_DEVICE_STATIC;
}

/* The host does not wait for such a copy, even if a small one is done before the call returns. */
static bool is_asynchronous(const struct trace_operation_form *copy)
{
	return copy->is_async && is_direct(copy->src_kind) && is_direct(copy->dst_kind);
}

/* Whether the call waited for its set: of host memory always; of device memory if it took too long
 * to be chance. */
static bool is_waited_set(const struct trace_call *call, const struct trace_operation *set)
{
	return !set->form->is_async && call->end_ns >= set->end_ns &&
	       (set->form->dst_kind == MEMORY_PINNED || set->form->dst_kind == MEMORY_MANAGED ||
		set->form->dst_kind == MEMORY_MANAGED_STATIC ||
		(set->end_ns - call->start_ns >= SURPRISE_NS &&
		 call->end_ns - set->end_ns <= SURPRISE_NS));
}

static bool is_waited_copy(const struct trace_call *call, const struct trace_operation *copy)
{
	int64_t half_ns = copy->start_ns + (copy->end_ns - copy->start_ns) / 2;

	return !is_asynchronous(copy->form) &&
	       (call->end_ns >= copy->end_ns || (call->end_ns > half_ns && rates_is_staged(copy)));
}

bool own_waits_is_one(const struct trace_call *call)
{
	switch (call->operation->form->kind) {
	case OPERATION_COPY:
		return is_waited_copy(call, call->operation);
	case OPERATION_SET:
		return is_waited_set(call, call->operation);
	default:
		return false;
	}
}
