/* Writes tracks and slices of a Perfetto trace. A track is one packet, a slice is two packets. One thread. Failures
 * to write show in ferror(group->packets->out). */
#ifndef STREAMTRACE_EXPORT_PERFETTO_SLICES_H
#define STREAMTRACE_EXPORT_PERFETTO_SLICES_H

#include "export/perfetto_group.h"

/* Begins the packet that describes a track. track: the uuid of track_of(). name may be NULL. The caller adds fields
 * to group->packets->packet, then passes the result to perfetto_end_track(), which ends the packet. */
size_t perfetto_begin_track(const struct group *group, uint64_t track, const char *name);
void perfetto_end_track(const struct group *group, size_t part);

/* Begins a slice in the current packet. Call after packet_begin() with the same start_ns. name: an id of
 * packets_name(). The caller adds fields to group->packets->packet, then passes the result to perfetto_end_slice()
 * as part. perfetto_end_slice() ends the packet, and writes the packet of the slice's end. */
size_t perfetto_begin_slice(const struct group *group, uint64_t track, int64_t start_ns,
			    uint64_t name);
void perfetto_end_slice(const struct group *group, size_t part, uint64_t track, int64_t end_ns);

/* Adds an argument to the slice that is being begun. name and text: see packets_annotation(); text need not live on. */
void perfetto_write_number(const struct group *group, const char *name, uint64_t value);
void perfetto_write_text(const struct group *group, const char *name, const char *text);

#endif
