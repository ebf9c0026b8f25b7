/*
 * Where a finding's time was lost, and what it saves to fix a part of it, for the timeline. Call after
 * html_lanes() made the measured run. The caller releases the results. One thread.
 */
#ifndef STREAMTRACE_HTML_PLACES_H
#define STREAMTRACE_HTML_PLACES_H

#include "render/html_lanes.h"

/* An array of the finding's longest waits, the longest first. Each has start_ns and end_ns, text (or null), waiter and
 * waited: the event that waited and the event that it waited for, as [lane, start, end, thing, id] of the measured
 * run, or null. */
json_t *html_places(struct html_page *page, const struct finding *finding);

/* What it saves to fix only the longest waits: an array of [how many, saved ns], up to all of them; the saving never
 * falls. null: it is not known, or would take long to replay. */
json_t *html_curve(const struct html_page *page, const struct finding *finding);

#endif
