/* Counts the host waits of each line, judged by when the host first used their results. One
 * thread. */
#ifndef STREAMTRACE_FIRST_USE_WAITS_H
#define STREAMTRACE_FIRST_USE_WAITS_H

#include "detectors/evidence/first_use.h"
#include "replay/observed.h"
#include "trace/site.h"

struct first_use_line {
	struct site site;
	const char *function;	     /* name of the call */
	size_t counts[JUDGED_COUNT]; /* number of waits, by enum first_use_judgement */
	int64_t movable_ns;	     /* the smallest by_ns of the movable waits; 0: no such wait */
	int64_t needed_ns;	     /* the largest by_ns of the needed waits; 0: no such wait */
	/* The host's memory of copies that these waits covered, copy by copy; how much of it was watched from the wait on, and
	 * how much was touched or given back before the next wait. */
	size_t places, watched, relied_on;
};

struct first_use_lines {
	struct first_use_line *items; /* to be freed */
	size_t count;
};

/* Counts the synchronizations and D2H copies that blocked their thread, had a result, and after
 * which the thread enqueued more. count is 0 if the trace has no first uses. Strings belong to the
 * trace. */
struct first_use_lines first_use_waits(const struct observed *observed);

/* The line of this call, or NULL. */
const struct first_use_line *first_use_line_of(const struct first_use_lines *lines,
					       const struct trace *trace,
					       const struct trace_call *call);

#endif
