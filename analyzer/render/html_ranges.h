/*
 * Makes lanes of the NVTX ranges of a host thread: a range inside another one is a lane below.
 *
 * One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_HTML_RANGES_H
#define STREAMTRACE_HTML_RANGES_H

#include "render/html_things.h"
#include "viewer/viewer.h"

/* Where lanes go that stand beside the calls of a host thread. The caller owns all of it. */
struct html_thread_lanes {
	const struct trace *trace;
	const struct host_record *record; /* NULL: the trace has no host states */
	struct html_things *things;
	struct viewer *viewer;
	json_t *lanes; /* an array that the lanes are appended to */
	/* origin_ns: the page's time 0, in the trace's time. end_ns: the page's end, in ns since
	 * origin_ns; events are cut to 0..end_ns. */
	int64_t origin_ns, end_ns;
};

/* Packs the events as a lane of the host and appends it. Frees name and events, but not the struct. Returns the
 * lane's object, which belongs to to->lanes. */
json_t *html_add_thread_lane(const struct html_thread_lanes *to, const char *kind, char *name,
			     lane_event_vector *events);

/* Adds the lanes of the thread's ranges. Nothing where it has none. */
void html_add_ranges(const struct html_thread_lanes *to, uint32_t thread_id);

#endif
