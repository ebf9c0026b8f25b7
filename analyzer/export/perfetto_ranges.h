/* Writes the NVTX ranges of a Perfetto trace. One thread. Failures to write show in ferror(group->packets->out). */
#ifndef STREAMTRACE_EXPORT_PERFETTO_RANGES_H
#define STREAMTRACE_EXPORT_PERFETTO_RANGES_H

#include "export/perfetto_group.h"

/* Writes the ranges of the group's trace as slices, on tracks below the tracks of their threads. Ranges that overlap
 * are on different tracks. Call after the threads' tracks were written. */
void perfetto_write_ranges(const struct group *group);

#endif
