/*
 * A group: one process of the Perfetto trace that is being written. An exported trace has one or two groups: the run,
 * and the run after the fixes. One thread. Failures to write show in ferror() of packets->out.
 */
#ifndef STREAMTRACE_EXPORT_PERFETTO_GROUP_H
#define STREAMTRACE_EXPORT_PERFETTO_GROUP_H

#include "export/event_causes.h"
#include "export/event_names.h"
#include "export/exporters.h"
#include "export/perfetto_packets.h"

/* What a track shows. The value is a part of the track's uuid (track_of()), and must be below 8. */
enum track_kind {
	TRACK_OF_PROCESS = 1,
	TRACK_OF_THREAD,
	TRACK_OF_FUNCTIONS,
	TRACK_OF_STREAM,
	TRACK_OF_RANGES,
	TRACK_OF_STATES,
	TRACK_OF_STEPS
};

/* All pointers belong to the caller, and outlive the group. */
struct group {
	struct packets *packets;
	const struct exporting *exporting;
	const struct trace *trace;
	const struct observed *observed;
	struct causes *causes;
	struct export_sites *sites;
	uint16_t
		*findings; /* findings[i]: of trace.calls[i], 0: none; NULL: no numbers are shown */
	uint64_t process_id;
	uint64_t first_event; /* the event id of trace.operations[0] */
	unsigned number;      /* 2 * exporting->part, + 1 for the run after the fixes */
	const char *prefix;   /* what the names of the process and its queues begin with */
};

/* Returns the uuid of a track. index: a number below 2^40 that differs between the group's tracks of the kind. */
static inline uint64_t track_of(const struct group *group, enum track_kind kind, uint64_t index)
{
	return (uint64_t)(group->number / 2) << 44 |
	       (uint64_t)(kind * 2 + group->number % 2) << 40 | index;
}

/* Returns the id of the operation's event in the file. */
static inline uint64_t event_of(const struct group *group, const struct trace_operation *operation)
{
	return group->first_event + (uint64_t)(operation - group->trace->operations);
}

/* Writes the operation as a packet of GPU work, in the queue of its stream (perfetto_work.c). */
void perfetto_write_operation(const struct group *group, const struct trace_operation *operation);

#endif
