/* A process's lane among those of all of a page's processes, on one time axis. One thread. */
#ifndef STREAMTRACE_HTML_RANKS_H
#define STREAMTRACE_HTML_RANKS_H

#include "findings/analysis.h"

#include <jansson.h>

/* clock: processes with the same one share it; start_us since 1970 by that clock; wall_us; and of columns of equal
 * times a digit each, 0 to 9 ninths of it: work, in which the GPU ran something else than collectives, and
 * collectives. The caller owns it. */
json_t *html_ranks_lane(const struct trace *trace, const struct analysis *analysis);

#endif
