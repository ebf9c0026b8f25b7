/* Finds which copies a second run should watch (streamtrace run --first-use=TRACE). */
#ifndef STREAMTRACE_FIRST_USE_QUESTION_H
#define STREAMTRACE_FIRST_USE_QUESTION_H

#include "trace/trace.h"

/* Returns the call sites of D2H copies whose waits are inconclusive, in the form of
 * STREAMTRACE_FIRST_USE; the caller frees the text. Inconclusive are waits that the report names,
 * and waits that it assumes necessary because the trace cannot decide. NULL: there are none. The
 * caller must have resolved the trace's sites. One thread. */
char *first_use_question(const struct trace *trace);

#endif
