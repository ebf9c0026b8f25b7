/* Functions and lines of call sites, from the files that the program was loaded from. One thread. */
#ifndef STREAMTRACE_TRACE_SYMBOLS_H
#define STREAMTRACE_TRACE_SYMBOLS_H

#include "trace/trace.h"

/* Fills in what frames lack (trace_resolve_sites()). Whether the file of each module that was asked for was there
 * as it was traced. */
bool symbols_resolve(struct trace *trace);

#endif
