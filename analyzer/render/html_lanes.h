/*
 * A run as lanes of a timeline (viewer/viewer.h): engines and streams of each device, host threads, host
 * functions; as it was measured, or as a replay says.
 *
 * Times of lanes are since analysis.origin_ns. One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_HTML_LANES_H
#define STREAMTRACE_HTML_LANES_H

#include "findings/analysis.h"
#include "render/html_things.h"
#include "replay/timeline.h"
#include "viewer/viewer.h"

/* What all runs of a page have in common. */
struct html_page {
	const struct trace *trace;
	const struct analysis *analysis;
	struct viewer *viewer; /* that the page is written by */
	struct html_things things;
	uint32_t *stream_lanes; /* of the measured run, by index in trace.streams */
	/* Likewise, of each operation, call and host function: its place in its lane (lane.h). */
	uint32_t *operation_places, *call_places, *function_places;
	struct map thread_lanes; /* likewise, by thread id */
	size_t function_lane;	 /* likewise, of host functions */
};

/* A replayed run; NULL in place of it: the measured one, which comes first. */
struct html_run {
	const struct edits *edits;
	const struct timeline_times *times;
	bool is_coarse; /* lanes with many events have only their levels */
};

/* The run: its lanes and end_ns, when its last event ended. Lanes of a replayed run have base, the number of
 * the measured lane that bases of their chunks are in. */
json_t *html_lanes(struct html_page *page, const struct html_run *run);

/* Frees what html_lanes() put into the page. */
void html_lanes_free(struct html_page *page);

#endif
