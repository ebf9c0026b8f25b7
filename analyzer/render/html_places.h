/* Where a finding's time was lost, and what fixing some of it saves, for a timeline. One thread. */
#ifndef STREAMTRACE_HTML_PLACES_H
#define STREAMTRACE_HTML_PLACES_H

#include "render/html_lanes.h"

/* Its worst places, the worst first: start_ns and end_ns, text (or null), waiter and waited, who waited
 * for whom: [lane, start, end, thing, id] of the measured run, or null. */
json_t *html_places(struct html_page *page, const struct finding *finding);

/* What it saves to fix some of its places, the longest first: [how many, ns] each, up to all of them,
 * never less than with fewer. null
 * where that is not known or would take long. */
json_t *html_curve(const struct html_page *page, const struct finding *finding);

#endif
