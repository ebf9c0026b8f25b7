/*
 * Makes lanes of the NVTX ranges of a host thread: a range inside another one is a lane below.
 *
 * One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_HTML_RANGES_H
#define STREAMTRACE_HTML_RANGES_H

#include "render/html_things.h"
#include "viewer/viewer.h"

/* Where the lanes of ranges go. The caller owns all of it. */
struct html_range_lanes {
	const struct trace *trace;
	struct html_things *things;
	struct viewer *viewer;
	json_t *lanes; /* an array that the lanes are appended to */
	/* origin_ns: the page's time 0, in the trace's time. end_ns: the page's end, in ns since
	 * origin_ns; ranges are cut to 0..end_ns. */
	int64_t origin_ns, end_ns;
};

/* Adds lanes for trace->ranges[first] and the following ranges of the same thread. first must be the thread's first
 * range. */
void html_add_ranges(const struct html_range_lanes *to, size_t first);

/* Returns the index of the thread's first range; trace->range_count: the thread has no ranges. */
size_t html_ranges_of(const struct trace *trace, uint32_t thread_id);

#endif
