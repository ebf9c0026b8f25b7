/* The range that replays give a saving: what findings are weighed and compared by, and nobody is shown. */
#ifndef STREAMTRACE_INTERVAL_PRIVATE_H
#define STREAMTRACE_INTERVAL_PRIVATE_H

#include "findings/range.h"

#include <stdint.h>

struct analysis;

/* In ns. */
struct interval {
	int64_t low_ns, estimate_ns, high_ns;
};

/* The last layer of range.h. The analysis has its idle time. Any thread. */
struct stated range_stated(const struct analysis *analysis, const struct interval *saved);

#endif
