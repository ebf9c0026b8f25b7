/* Which copies a second run is to watch (streamtrace run --first-use=TRACE). */
#ifndef STREAMTRACE_FIRST_USE_QUESTION_H
#define STREAMTRACE_FIRST_USE_QUESTION_H

#include "trace/trace.h"

/* The call sites of D2H copies whose waits are inconclusive: waits that the report names, and waits
 * that it assumes necessary because the trace cannot show it. As STREAMTRACE_FIRST_USE has them,
 * malloc'ed; NULL where there are none. Resolve the sites before. */
char *first_use_question(const struct trace *trace);

#endif
