/* The numbers of collectives in their communicators. One thread. */
#ifndef STREAMTRACE_COLLECTIVE_NUMBERS_H
#define STREAMTRACE_COLLECTIVE_NUMBERS_H

#include "trace/trace.h"

/* Counts anew on communicators of which graphs were launched: the library counted the captured calls, of which
 * each launch is one more. All ranks launch them in the same order. */
void collective_numbers_renew(struct trace *trace);

#endif
