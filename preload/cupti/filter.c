#include "cupti/filter.h"

#include "recorder/windows.h"

#define HOLD(type, record)                                                                         \
	windows_hold(((const type *)(record))->start, ((const type *)(record))->end,               \
		     ((const type *)(record))->correlationId)

bool activity_filter_wants(const CUpti_Activity *record)
{
	const CUpti_ActivityOverhead3 *overhead;

	if (!windows_are_partial())
		return true;
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
	case CUPTI_ACTIVITY_KIND_KERNEL:
		return HOLD(CUpti_ActivityKernel10, record);
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		return HOLD(CUpti_ActivityMemcpy6, record);
	case CUPTI_ACTIVITY_KIND_MEMCPY2:
		return HOLD(CUpti_ActivityMemcpyPtoP4, record);
	case CUPTI_ACTIVITY_KIND_MEMSET:
		return HOLD(CUpti_ActivityMemset4, record);
	case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
		return HOLD(CUpti_ActivitySynchronization2, record);
	case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
		return windows_hold(0, 0,
				    ((const CUpti_ActivityCudaEvent2 *)record)->correlationId);
	case CUPTI_ACTIVITY_KIND_OVERHEAD:
		overhead = (const void *)record;
		return windows_hold(overhead->start, overhead->end, 0);
	default:
		return true;
	}
}
