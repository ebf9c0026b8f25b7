/* Finds the calls that ran while another thread was in one of some given calls. */
#ifndef STREAMTRACE_BESIDE_CALLS_H
#define STREAMTRACE_BESIDE_CALLS_H

#include "trace/trace.h"

#include <stdint.h>

/* is_one: for each of trace.calls, whether it is given. Returns for each of trace.calls whether it
 * overlaps a given call of another thread (not 0), to be freed. */
uint32_t *beside_calls(const struct trace *trace, const bool *is_one);

#endif
