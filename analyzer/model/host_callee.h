/*
 * What the program's own line called at a look: the frame between the line and what stood innermost.
 * Any thread.
 */
#ifndef STREAMTRACE_HOST_CALLEE_H
#define STREAMTRACE_HOST_CALLEE_H

#include "base/memory.h"
#include "trace/trace.h"

/* Of Python the package ("NumPy"), of its standard library module and function ("queue.get"); of
 * native code the library's function ("std::sort", "memcpy"), or else the library's file name. NULL:
 * the line called nothing of a library, or the stack does not tell. is_python: the line is Python's
 * (site_describe()). site may be NULL. The text is the arena's, the trace's or static. */
const char *host_callee(const struct trace_site *site, bool is_python, struct arena *arena);

#endif
