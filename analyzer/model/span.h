/* A stretch of time. */
#ifndef STREAMTRACE_MODEL_SPAN_H
#define STREAMTRACE_MODEL_SPAN_H

#include <stdint.h>

/* Empty when start == end. */
struct span {
	int64_t start_ns, end_ns;
};

#endif
