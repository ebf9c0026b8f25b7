#include "managed_memory.h"

#include "cupti_library.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define COUNTER(counter)                                                                           \
	{                                                                                          \
		.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES,          \
		.kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_##counter, .enable = 1          \
	}

/* What CUPTI answered last. */
static _Atomic int answer = CUPTI_ERROR_NOT_INITIALIZED;

static CUptiResult enable(void)
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

/* A machine that cannot count loses nothing: it is no cupti-error, the metadata says it. */
void managed_memory_enable(void)
{
	if (atomic_load(&answer) == CUPTI_ERROR_NOT_INITIALIZED)
		atomic_store(&answer, enable());
}

void managed_memory_disable(void)
{
	if (atomic_load(&answer) == CUPTI_SUCCESS)
		cupti.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
}

void managed_memory_describe(struct store *store)
{
	CUptiResult result = atomic_load(&answer);
	const char *text = "unknown error";
	char reason[128];

	if (result == CUPTI_SUCCESS) {
		store_metadata(store, "managed_memory", "on");
		return;
	}
	cupti.cuptiGetResultString(result, &text);
	snprintf(reason, sizeof(reason), "%s (%d)", text, (int)result);
	store_metadata(store, "managed_memory", reason);
}
