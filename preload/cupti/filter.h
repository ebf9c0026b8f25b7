/* Which of CUPTI's records belong to a window of the recording. Writer thread. */
#ifndef STREAMTRACE_ACTIVITY_FILTER_H
#define STREAMTRACE_ACTIVITY_FILTER_H

#include <cupti.h>

#include <stdbool.h>

/* False for operations, waits, event records and overheads outside of every window: they are not
 * lost, they were not asked for. What describes the device is always wanted. */
bool activity_filter_wants(const CUpti_Activity *record);

#endif
