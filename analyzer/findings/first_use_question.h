/* Finds which copies a second run should watch (streamtrace run --first-use=TRACE). */
#ifndef STREAMTRACE_FIRST_USE_QUESTION_H
#define STREAMTRACE_FIRST_USE_QUESTION_H

#include "trace/trace.h"

/* Returns the call sites of D2H copies whose waits are inconclusive, in the form of
 * STREAMTRACE_FIRST_USE, to be freed: waits that the report names, and waits that it assumes
 * necessary because the trace cannot decide. NULL: none. Resolve the trace's sites before. One
 * thread. */
char *first_use_question(const struct trace *trace);

#endif
