/* Tracks and slices of a Perfetto trace, each a packet or two. */
#ifndef STREAMTRACE_EXPORT_PERFETTO_SLICES_H
#define STREAMTRACE_EXPORT_PERFETTO_SLICES_H

#include "export/perfetto_group.h"

/* The packet of a track, without its end. name: or NULL. */
size_t perfetto_begin_track(const struct group *group, uint64_t track, const char *name);
void perfetto_end_track(const struct group *group, size_t part);

/* A slice's begin, up to what the caller adds; its packet has begun. name: of packets_name(). */
size_t perfetto_begin_slice(const struct group *group, uint64_t track, int64_t start_ns,
			    uint64_t name);
void perfetto_end_slice(const struct group *group, size_t part, uint64_t track, int64_t end_ns);

#endif
