#include "cupti/managed_memory.h"

#include "cupti/cupti_library.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define COUNTER(counter)                                                                           \
	{                                                                                          \
		.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES,          \
		.kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_##counter, .enable = 1          \
	}

#define NOT_ASKED (-1)

/* What CUPTI answered last. */
static _Atomic int answer = NOT_ASKED;
static atomic_bool is_asking;

static CUptiResult enable_counters(void)
{
	CUpti_ActivityUnifiedMemoryCounterConfig counters[] = {
		COUNTER(BYTES_TRANSFER_HTOD), COUNTER(BYTES_TRANSFER_DTOH),
		COUNTER(BYTES_TRANSFER_DTOD), COUNTER(CPU_PAGE_FAULT_COUNT),
		COUNTER(GPU_PAGE_FAULT),      COUNTER(THRASHING),
		COUNTER(THROTTLING),	      COUNTER(REMOTE_MAP),
	};
	CUptiResult result = cupti.cuptiActivityConfigureUnifiedMemoryCounter(
		counters, sizeof(counters) / sizeof(counters[0]));

	return result ? result
		      : cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
}

/* If the machine cannot count, nothing is lost: not a cupti-error, but the metadata tells it. */
void managed_memory_enable(void)
{
	int last = atomic_load(&answer);

	/* Not ready: an H100 before it has a context. */
	if ((last != NOT_ASKED && last != CUPTI_ERROR_NOT_INITIALIZED &&
	     last != CUPTI_ERROR_NOT_READY) ||
	    atomic_exchange(&is_asking, true))
		return;
	atomic_store(&answer, (int)enable_counters());
	atomic_store(&is_asking, false);
}

void managed_memory_disable(void)
{
	if (atomic_load(&answer) == CUPTI_SUCCESS)
		cupti.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
}

void managed_memory_describe(struct store *store)
{
	int result = atomic_load(&answer);
	const char *text = "unknown error";
	char reason[128];

	if (result == NOT_ASKED)
		return;
	if (result == CUPTI_SUCCESS) {
		store_metadata(store, "managed_memory", "on");
		return;
	}
	cupti.cuptiGetResultString((CUptiResult)result, &text);
	snprintf(reason, sizeof(reason), "%s (%d)", text, result);
	store_metadata(store, "managed_memory", reason);
}
