/*
 * Where a finding's time was lost, and what it saves to fix a part of the finding, for the timeline. Call after
 * html_lanes() made the measured run. Times are in ns since analysis->headline.origin_ns. The caller releases the
 * results. One thread.
 */
#ifndef STREAMTRACE_HTML_PLACES_H
#define STREAMTRACE_HTML_PLACES_H

#include "render/html_lanes.h"

/* Returns a JSON array of the finding's longest waits, at most 50, the longest first. Each wait has start_ns,
 * end_ns, text, waiter and waited. text describes the wait; JSON null: no description. waiter and waited are the
 * event that waited and the event that was waited for: [lane, start, end, thing, id] of the measured run; JSON null:
 * unknown. */
json_t *html_places(struct html_page *page, const struct finding *finding);

/* Returns a JSON array of the races that the report lists (races_shown()), in that order. Each has the members of a place of
 * html_places(): waiter is the second access, waited the first, the time that from the first one's end to the second one or, if
 * the second came too early, from that to the end. text is the race's sentence; flag says how far apart they are. A touch of
 * the host is an event without a thing, whose end is its start. */
json_t *html_races(struct html_page *page, bool all);

/* Returns what it saves to fix only the longest waits: a JSON array of [number of waits, saved ns]. The last row is
 * of all waits; the saving never falls from row to row. JSON null: the saving of a part is unknown, or its replay
 * would take too long. */
json_t *html_curve(const struct html_page *page, const struct finding *finding);

#endif
