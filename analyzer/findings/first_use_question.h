/* Which copies a second run is to watch (streamtrace run --first-use=TRACE). */
#ifndef STREAMTRACE_FIRST_USE_QUESTION_H
#define STREAMTRACE_FIRST_USE_QUESTION_H

#include "trace/trace.h"

/* The call sites of the copies to the host that waits in question covered: those that the report
 * names, and those that it counts as needed because the trace cannot show it. As
 * STREAMTRACE_FIRST_USE has them, malloc'ed; NULL where there are none. Resolve the sites
 * before. */
char *first_use_question(const struct trace *trace);

#endif
