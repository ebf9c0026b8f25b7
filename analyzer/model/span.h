/* A span of time in ns: [start_ns, end_ns). */
#ifndef STREAMTRACE_MODEL_SPAN_H
#define STREAMTRACE_MODEL_SPAN_H

#include <stdint.h>

/* A span is empty if start_ns equals end_ns. */
struct span {
	int64_t start_ns, end_ns;
};

#endif
