/*
 * Makes the lanes of a run for the timeline (viewer/viewer.h): engines and streams of each device, host
 * threads with what they did between their calls, host functions. The run is the measured one or a replayed one.
 *
 * Times of lanes are in ns since analysis->headline.origin_ns. One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_HTML_LANES_H
#define STREAMTRACE_HTML_LANES_H

#include "findings/analysis.h"
#include "render/html_things.h"
#include "replay/timeline.h"
#include "viewer/viewer.h"

/* What the runs of a page share. The caller sets trace, analysis, viewer and things.trace, and zeros the rest. The
 * first html_lanes() sets the rest. */
struct html_page {
	const struct trace *trace;
	const struct analysis *analysis;
	struct viewer *viewer; /* gets the lanes' bytes */
	struct html_things things;
	/* The rest is of the measured run. A lane's number is its index in lanes. stream_lanes[i]: the number of the
	 * lane of trace->streams[i]. */
	uint32_t *stream_lanes;
	/* For each operation, call and host function of the trace: the event's place in its lane (struct
	 * lane_event). */
	uint32_t *operation_places, *call_places, *function_places;
	struct map thread_lanes; /* thread id to number of the lane */
	size_t function_lane;	 /* number of the lane of host functions */
};

/* A replayed run. The caller owns all of it. */
struct html_run {
	const struct edits *edits;
	const struct timeline_times *times;
	bool is_coarse; /* lanes with many events get only levels, no chunks */
};

/* Makes a JSON object of the run, which the caller releases. Its members are lanes, an array, and end_ns, when the
 * last event ends. run NULL: the measured run. Call once with NULL, before all replayed runs. A lane of a replayed
 * run has the member base: the number of the measured lane of the same name, with the bases of the lane's chunks. Only
 * streams that the fix adds have none. */
json_t *html_lanes(struct html_page *page, const struct html_run *run);

/* Frees the arrays and the map that html_lanes() set in the page, but neither viewer nor things
 * (html_things_take()). */
void html_lanes_free(struct html_page *page);

#endif
