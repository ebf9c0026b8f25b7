/*
 * Calls that do not return. Looked for twice a second, from the writer thread: which wrapped call each thread is in,
 * and since when. Costs the program's threads nothing.
 */
#ifndef STREAMTRACE_WATCH_STUCK_H
#define STREAMTRACE_WATCH_STUCK_H

#include "stack/caller.h"

#include <stdbool.h>
#include <stdint.h>

struct stuck_call {
	uint32_t thread_id;
	int function; /* enum function of functions.h */
	int64_t entered_ns;
	struct caller caller;
};

/* Whether a call has not returned for after_ns, which was not found so before. Writer thread. */
bool stuck_find(struct stuck_call *stuck, int64_t after_ns);

#endif
