/* Selects those of CUPTI's records that belong to a window. Writer thread. */
#ifndef STREAMTRACE_ACTIVITY_FILTER_H
#define STREAMTRACE_ACTIVITY_FILTER_H

#include <cupti.h>

#include <stdbool.h>

/* False: an operation, wait, event record or overhead outside of all windows: not stored, and no
 * loss. Always true for records that describe the device. */
bool activity_filter_wants(const CUpti_Activity *record);

#endif
