/*
 * One process of a Perfetto trace while it is written: the run, or the run after the fixes.
 */
#ifndef STREAMTRACE_EXPORT_PERFETTO_GROUP_H
#define STREAMTRACE_EXPORT_PERFETTO_GROUP_H

#include "export/causes.h"
#include "export/export.h"
#include "export/names.h"
#include "export/perfetto_packets.h"

/* Tracks by what they show: the first group's, then the second's. Below 8. */
enum track_kind {
	TRACK_OF_PROCESS = 1,
	TRACK_OF_THREAD,
	TRACK_OF_FUNCTIONS,
	TRACK_OF_STREAM,
	TRACK_OF_RANGES
};

/* The run, or the run after the fixes. */
struct group {
	struct packets *packets;
	const struct exporting *exporting;
	const struct trace *trace;
	const struct observed *observed;
	struct causes *causes;
	struct export_sites *sites;
	uint16_t *findings; /* by index in trace.calls: its finding's number; NULL: none is told */
	uint64_t process_id;
	uint64_t first_event; /* id of operation 0 */
	unsigned number;      /* two of each trace: 0 or 1 of the first one */
	const char *prefix;   /* of the names of queues */
};

static inline uint64_t track_of(const struct group *group, enum track_kind kind, uint64_t index)
{
	return (uint64_t)(group->number / 2) << 44 |
	       (uint64_t)(kind * 2 + group->number % 2) << 40 | index;
}

static inline uint64_t event_of(const struct group *group, const struct trace_operation *operation)
{
	return group->first_event + (uint64_t)(operation - group->trace->operations);
}

/* The operation as a packet of GPU work, in the queue of its stream (perfetto_work.c). */
void perfetto_write_operation(const struct group *group, const struct trace_operation *operation);

#endif
