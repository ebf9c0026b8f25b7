/* Finds the functions and lines of call sites in the files that the program was loaded from. One
 * thread. */
#ifndef STREAMTRACE_TRACE_SYMBOLS_H
#define STREAMTRACE_TRACE_SYMBOLS_H

#include "trace/trace.h"

/* Fills in what frames lack (trace_resolve_sites()). True: each module needed was there, with the
 * traced build id. */
bool symbols_resolve(struct trace *trace);

#endif
