/* Finds the calls that ran while another thread was in a given call. Any thread. */
#ifndef STREAMTRACE_BESIDE_CALLS_H
#define STREAMTRACE_BESIDE_CALLS_H

#include "trace/trace.h"

#include <stdint.h>

/* is_one[i] is true if trace.calls[i] is a given call. In the result, element i is not 0 if
 * trace.calls[i] overlaps a given call of another thread. The caller frees the array. */
uint32_t *beside_calls(const struct trace *trace, const bool *is_one);

#endif
