/*
 * When the whole process was stopped: by SIGSTOP, a debugger, or a machine that stood still.
 *
 * Evidence: the looks at the program's threads (model/host_record.h) come at a distance. When the process is stopped
 * nobody looks, at any thread: each row of that time has too few looks for how long it is. Time in which a thread was
 * ready to run and had no processor explains missing looks, too, and is none of it.
 *
 * Inference: where in a row's time its looks are missing is not recorded. It is taken to be the end of the time
 * between two rows of any thread. One thread.
 */
#ifndef STREAMTRACE_INCIDENT_STOPS_H
#define STREAMTRACE_INCIDENT_STOPS_H

#include "model/span.h"
#include "trace/trace.h"

struct stops {
	struct span *spans; /* in order, apart from each other */
	size_t count;
};

/* The stops in the span. Free by stops_free(). */
struct stops stops_find(const struct trace *trace, struct span span);
void stops_free(struct stops *stops);

/* How long of the span the process was stopped, in ns. */
int64_t stops_within(const struct stops *stops, struct span span);

#endif
