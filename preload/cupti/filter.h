/* Selects those of CUPTI's records that belong to a window (recorder/windows.h). Writer thread. */
#ifndef STREAMTRACE_ACTIVITY_FILTER_H
#define STREAMTRACE_ACTIVITY_FILTER_H

#include <cupti.h>

#include <stdbool.h>

/* False: the record is an operation, wait, event record or overhead outside of all windows; it must
 * not be stored, and is no loss. Always true for other records, which describe devices, contexts,
 * streams and memory. */
bool activity_filter_wants(const CUpti_Activity *record);

#endif
