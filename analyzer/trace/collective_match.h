/* Which kernels collectives have, while a trace is loaded. One thread. */
#ifndef STREAMTRACE_COLLECTIVE_MATCH_H
#define STREAMTRACE_COLLECTIVE_MATCH_H

#include "trace/collective_spans.h"

/* Makes the trace's collectives of the spans' ones, once calls and operations are joined: with their kernels,
 * and once for each launch of a graph that they were captured into. */
void collective_match(struct collective_spans *spans, struct trace *trace);

#endif
