#include "render/html_ranges.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "trace/texts.h"

#include <stdlib.h>
#include <string.h>

struct row {
	lane_event_vector events;
};

static void put_range(const struct html_thread_lanes *to, struct row rows[TRACE_RANGE_ROWS],
		      const struct trace_range *range)
{
	struct lane_event event = {
		.start_ns = max_ns(range->start_ns - to->origin_ns, 0),
		.end_ns = min_ns(range->end_ns - to->origin_ns, to->end_ns),
		.id = range - to->trace->ranges,
		.link = -1,
		.class = VIEWER_RANGE,
	};

	if (event.end_ns < event.start_ns)
		return;
	event.thing = html_range_thing(to->things, range);
	html_count_thing(to->things, event.thing, event.start_ns, event.end_ns);
	*vector_add(&rows[range->row].events) = event;
}

json_t *html_add_thread_lane(const struct html_thread_lanes *to, const char *kind, char *name,
			     lane_event_vector *events)
{
	json_t *object = json_pack("{s:s, s:s, s:s}", "kind", kind, "group", "Host", "name", name);
	struct lane_packs packs = viewer_packs(to->viewer);

	lane_pack(object, events, to->end_ns, true, &packs);
	json_array_append_new(to->lanes, object);
	vector_free(events);
	free(name);
	return object;
}

static bool is_of_same_lanes(const struct trace_range *a, const struct trace_range *b)
{
	return a->thread_id == b->thread_id && a->is_pushed == b->is_pushed;
}

/* "loader-0" of "thread loader-0". */
static const char *without_word(const char *thread)
{
	static const char word[] = "thread ";

	return strncmp(thread, word, strlen(word)) ? thread : thread + strlen(word);
}

/* Adds the lanes of the pushed, or of the started ranges that begin at index first. Returns the index behind
 * them. */
static size_t add_kind(const struct html_thread_lanes *to, size_t first)
{
	const struct trace *trace = to->trace;
	const struct trace_range *range = &trace->ranges[first];
	struct row rows[TRACE_RANGE_ROWS] = {0};
	char *thread = trace_text_thread(trace, range->thread_id);
	size_t i;

	for (i = first; i < trace->range_count && is_of_same_lanes(range, &trace->ranges[i]); i++)
		put_range(to, rows, &trace->ranges[i]);
	for (int row = 0; row < TRACE_RANGE_ROWS; row++)
		if (rows[row].events.count)
			html_add_thread_lane(to, "ranges",
					     memory_format("NVTX %s%s", without_word(thread),
							   range->is_pushed ? "" : " started"),
					     &rows[row].events);
	free(thread);
	return i;
}

void html_add_ranges(const struct html_thread_lanes *to, uint32_t thread_id)
{
	const struct trace *trace = to->trace;
	size_t first = search(trace->range_count, i, trace->ranges[i].thread_id < thread_id);

	while (first < trace->range_count && trace->ranges[first].thread_id == thread_id)
		first = add_kind(to, first);
}
