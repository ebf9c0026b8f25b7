#include "cupti/filter.h"

#include "store/window_rows.h"

#define INCLUDES(type, record)                                                                     \
	window_rows_include(((const type *)(record))->start, ((const type *)(record))->end,        \
			    ((const type *)(record))->correlationId)

bool activity_filter_wants(const CUpti_Activity *record)
{
	const CUpti_ActivityOverhead3 *overhead;

	if (!window_rows_are_partial())
		return true;
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
	case CUPTI_ACTIVITY_KIND_KERNEL:
		return INCLUDES(CUpti_ActivityKernel10, record);
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		return INCLUDES(CUpti_ActivityMemcpy6, record);
	case CUPTI_ACTIVITY_KIND_MEMCPY2:
		return INCLUDES(CUpti_ActivityMemcpyPtoP4, record);
	case CUPTI_ACTIVITY_KIND_MEMSET:
		return INCLUDES(CUpti_ActivityMemset4, record);
	case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
		return INCLUDES(CUpti_ActivityGraphTrace2, record);
	case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
		return INCLUDES(CUpti_ActivitySynchronization2, record);
	case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
		return window_rows_include(
			0, 0, ((const CUpti_ActivityCudaEvent2 *)record)->correlationId);
	case CUPTI_ACTIVITY_KIND_OVERHEAD:
		overhead = (const void *)record;
		return window_rows_include(overhead->start, overhead->end, 0);
	default:
		return true;
	}
}
