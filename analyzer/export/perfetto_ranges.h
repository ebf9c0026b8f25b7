/* NVTX ranges of a Perfetto trace. */
#ifndef STREAMTRACE_EXPORT_PERFETTO_RANGES_H
#define STREAMTRACE_EXPORT_PERFETTO_RANGES_H

#include "export/perfetto_group.h"

/* Writes the ranges of the group's trace as slices, on tracks below those of their threads. A track has ranges that do
 * not overlap. */
void perfetto_write_ranges(const struct group *group);

#endif
