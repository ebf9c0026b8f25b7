/* What it cost the program that memory of its copies was watched (`run --first-use`, `run --races`). Any thread. */
#ifndef STREAMTRACE_WATCH_COSTS_H
#define STREAMTRACE_WATCH_COSTS_H

#include "trace/trace.h"

struct watch_cost {
	const char *option; /* of `streamtrace run`, without its dashes */
	size_t copies;	    /* whose memory was watched */
	int64_t ns; /* that the program's threads spent in changes of protection and in faults */
};

/* One for each kind of watch, which may have been off. */
enum { WATCH_COSTS = 2 };

/* Stores in costs the kinds that were on in the trace, and returns how many. */
size_t watch_costs_find(const struct trace *trace, struct watch_cost costs[WATCH_COSTS]);

#endif
