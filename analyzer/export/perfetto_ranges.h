/* NVTX ranges of a Perfetto trace. */
#ifndef STREAMTRACE_EXPORT_PERFETTO_RANGES_H
#define STREAMTRACE_EXPORT_PERFETTO_RANGES_H

#include "export/perfetto_group.h"

/* Tracks below those of their threads, a track for ranges that do not overlap, and the ranges as slices. */
void perfetto_write_ranges(const struct group *group);

#endif
