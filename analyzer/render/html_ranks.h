/* The lane of a process beside those of the page's other processes, on one time axis. One thread. */
#ifndef STREAMTRACE_HTML_RANKS_H
#define STREAMTRACE_HTML_RANKS_H

#include "findings/analysis.h"

#include <jansson.h>

/* An object: clock, a name that processes with the same clock share; start_us since 1970 by that clock; wall_us;
 * work and collectives. These two are texts with a digit for each of a number of equal parts of the run: how many
 * ninths of the part the GPU ran collectives, or other operations (work). The caller releases it. */
json_t *html_ranks_lane(const struct trace *trace, const struct analysis *analysis);

#endif
