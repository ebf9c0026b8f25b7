/*
 * The NVTX ranges of a host thread as lanes of a timeline: ranges in each other are below each other.
 *
 * One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_HTML_RANGES_H
#define STREAMTRACE_HTML_RANGES_H

#include "render/html_things.h"
#include "viewer/viewer.h"

/* Where they go. */
struct html_range_lanes {
	const struct trace *trace;
	struct html_things *things;
	struct viewer *viewer;
	json_t *lanes;
	int64_t origin_ns,
		end_ns; /* the page's time 0, and how long it is: what is outside is cut */
};

/* Adds lanes for trace.ranges[first] and all that follow of its thread. */
void html_add_ranges(const struct html_range_lanes *to, size_t first);

/* The index of the thread's first range; trace.range_count: it has none. */
size_t html_ranges_of(const struct trace *trace, uint32_t thread_id);

#endif
