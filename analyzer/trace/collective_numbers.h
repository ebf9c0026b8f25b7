/* The sequence numbers of collectives in their communicators. One thread. */
#ifndef STREAMTRACE_COLLECTIVE_NUMBERS_H
#define STREAMTRACE_COLLECTIVE_NUMBERS_H

#include "trace/trace.h"

/* Numbers the collectives anew on communicators with graph launches: the library counted a captured
 * call once, but each launch is one more. All ranks launch in the same order, so they agree. */
void collective_numbers_renew(struct trace *trace);

#endif
