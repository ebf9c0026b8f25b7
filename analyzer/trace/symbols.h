/* Finds the functions and lines of call sites in the files that the program was loaded from. One
 * thread. */
#ifndef STREAMTRACE_TRACE_SYMBOLS_H
#define STREAMTRACE_TRACE_SYMBOLS_H

#include "trace/trace.h"

/* Fills in the functions, files and lines that frames lack: trace_resolve_sites() says which.
 * Removes DEBUGINFOD_URLS from the environment. True: each module needed was there, with the traced
 * build id. False: some frames may still lack them. */
bool symbols_resolve(struct trace *trace);

#endif
