#include "export/perfetto_ranges.h"

#include "base/mix.h"
#include "export/nvtx_names.h"
#include "export/perfetto_slices.h"

#include <stdlib.h>

static uint64_t track_of_range(const struct group *group, const struct trace_range *range)
{
	return track_of(group, TRACK_OF_RANGES,
			(uint64_t)range->thread_id * 2 * TRACE_RANGE_ROWS +
				(range->is_pushed ? 0 : TRACE_RANGE_ROWS) + range->row);
}

static void write_track(const struct group *group, const struct trace_range *range)
{
	size_t track = perfetto_begin_track(group, track_of_range(group, range),
					    range->is_pushed ? "NVTX" : "NVTX started");

	protobuf_number(&group->packets->packet, TRACK_PARENT,
			track_of(group, TRACK_OF_THREAD, range->thread_id));
	perfetto_end_track(group, track);
}

/* Each name once. */
static uint64_t name_of(const struct group *group, const struct trace_range *range)
{
	uint64_t key = mix(mix(1, packets_key(range->name)), packets_key(range->domain));
	char *name = export_range_name(range);
	uint64_t id = packets_name(group->packets, key, name);

	free(name);
	return id;
}

static void write_range(const struct group *group, const struct trace_range *range)
{
	const uint64_t track = track_of_range(group, range);
	size_t part;

	packet_begin(group->packets, range->start_ns);
	part = perfetto_begin_slice(group, track, range->start_ns, name_of(group, range));
	perfetto_end_slice(group, part, track, range->end_ns);
}

void perfetto_write_ranges(const struct group *group)
{
	const struct trace *trace = group->trace;
	struct map tracks = {0};

	for (size_t i = 0; i < trace->range_count; i++)
		if (map_add(&tracks, track_of_range(group, &trace->ranges[i]), i))
			write_track(group, &trace->ranges[i]);
	for (size_t i = 0; i < trace->range_count && !ferror(group->packets->out); i++)
		write_range(group, &trace->ranges[i]);
	map_free(&tracks);
}
