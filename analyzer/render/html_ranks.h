/* The lane of a process beside those of the page's other processes, on one time axis. One thread. */
#ifndef STREAMTRACE_HTML_RANKS_H
#define STREAMTRACE_HTML_RANKS_H

#include "findings/analysis.h"

#include <jansson.h>

/* Returns a JSON object, which the caller releases. clock: a name that processes with the same clock share; "":
 * unknown. start_us: the run's start in us since 1970 by that clock. wall_us: the run's length in us. work,
 * collectives: texts of one digit for each of 160 equal parts of the run. A digit of collectives says in how many
 * ninths of the part the GPU ran collectives (NCCL); a digit of work says so for all other operations. */
json_t *html_ranks_lane(const struct trace *trace, const struct analysis *analysis);

#endif
