/* The range of a saving with the first three layers of range.h: replays, the spread of equal
 * operations and a sample's error. Findings are weighed and compared by this range, which is never
 * shown: reports show it with the last layer. */
#ifndef STREAMTRACE_INTERVAL_PRIVATE_H
#define STREAMTRACE_INTERVAL_PRIVATE_H

#include "findings/range.h"

#include <stdint.h>

struct analysis;

/* In ns. */
struct interval {
	int64_t low_ns, estimate_ns, high_ns;
};

/* Returns *saved with the last layer of range.h. Call after analysis->idle and analysis->check are
 * set. Any thread. */
struct stated range_stated(const struct analysis *analysis, const struct interval *saved);

#endif
