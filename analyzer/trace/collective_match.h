/* Finds the kernels of collectives while a trace is loaded. One thread. */
#ifndef STREAMTRACE_COLLECTIVE_MATCH_H
#define STREAMTRACE_COLLECTIVE_MATCH_H

#include "trace/collective_spans.h"

/* Moves the spans' collectives into the trace, and finds the kernel of each. A collective captured
 * into a graph is stored once for each launch of the graph. Call after calls and operations are
 * joined. The caller must still collective_spans_free() the spans. */
void collective_match(struct collective_spans *spans, struct trace *trace);

#endif
