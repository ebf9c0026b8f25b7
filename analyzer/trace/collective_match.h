/* Finds the kernels of collectives while a trace is loaded. One thread. */
#ifndef STREAMTRACE_COLLECTIVE_MATCH_H
#define STREAMTRACE_COLLECTIVE_MATCH_H

#include "trace/collective_spans.h"

/* Stores the spans' collectives in the trace, each with its kernel; a captured one once for each
 * launch of its graph. Call after calls and operations are joined. */
void collective_match(struct collective_spans *spans, struct trace *trace);

#endif
