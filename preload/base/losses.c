#include "base/losses.h"

#include <stdatomic.h>

static const char *const names[LOSS_COUNT] = {
	[LOSS_RING_OVERFLOW] = "ring-overflow",
	[LOSS_CORRELATION] = "correlation-lost",
	[LOSS_EXIT_TIMEOUT] = "exit-timeout",
	[LOSS_BACKWARD_CALL] = "backward-call",
	[LOSS_CUPTI_DROPPED] = "cupti-dropped",
	[LOSS_CUPTI_DISCARDED] = "cupti-discarded",
	[LOSS_UNTIMED] = "untimed",
	[LOSS_UNKNOWN_RECORD] = "unknown-record",
	[LOSS_CUPTI_ERROR] = "cupti-error",
	[LOSS_HOST_FUNCTION] = "host-function",
	[LOSS_STACK_TABLE_FULL] = "stack-table-full",
	[LOSS_ARGUMENTS] = "arguments-lost",
	[LOSS_FIRST_USE] = "first-use-lost",
	[LOSS_FIRST_USE_SMALL] = "first-use-small",
};

static _Atomic uint64_t counts[LOSS_COUNT];

void losses_count(enum loss loss, uint64_t count)
{
	atomic_fetch_add_explicit(&counts[loss], count, memory_order_relaxed);
}

uint64_t losses_take(enum loss loss)
{
	return atomic_exchange(&counts[loss], 0);
}

const char *losses_name(enum loss loss)
{
	return names[loss];
}

void losses_after_fork(void)
{
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		atomic_store(&counts[loss], 0);
}
