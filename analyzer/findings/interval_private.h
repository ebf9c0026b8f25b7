/* The range of a saving by replays, by which findings are weighed and compared. It is never
 * shown. */
#ifndef STREAMTRACE_INTERVAL_PRIVATE_H
#define STREAMTRACE_INTERVAL_PRIVATE_H

#include "findings/range.h"

#include <stdint.h>

struct analysis;

/* In ns. */
struct interval {
	int64_t low_ns, estimate_ns, high_ns;
};

/* Adds the last layer of range.h. Call after the analysis has its idle time. Any thread. */
struct stated range_stated(const struct analysis *analysis, const struct interval *saved);

#endif
