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
	int64_t movable_ns;	     /* the smallest by_ns of the movable waits */
	int64_t needed_ns;	     /* the longest time to the first touch, of the needed waits */
};

struct first_use_lines {
	struct first_use_line *items; /* to be freed */
	size_t count;
};

/* Synchronizations and D2H copies that blocked their thread, and after which it enqueued more. None if
 * the trace has no first uses. */
struct first_use_lines first_use_waits(const struct observed *observed);

#endif
