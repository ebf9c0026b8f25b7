/* The sequence numbers of collectives in their communicators. One thread. */
#ifndef STREAMTRACE_COLLECTIVE_NUMBERS_H
#define STREAMTRACE_COLLECTIVE_NUMBERS_H

#include "trace/trace.h"

/* Changes trace_collective.sequence on communicators with graph launches: libstrace.so counted a
 * captured call once, but each launch of the graph is one more collective. All ranks launch in the
 * same order, so their numbers agree. Only for collective_match() (collective_match.h), when
 * trace->collectives is complete: sorted by start_ns, with one collective for each launch. */
void collective_numbers_renew(struct trace *trace);

#endif
