/* Which calls ran while another thread was in one of some calls. */
#ifndef STREAMTRACE_BESIDE_CALLS_H
#define STREAMTRACE_BESIDE_CALLS_H

#include "trace/trace.h"

#include <stdint.h>

/* is_one: by index in trace.calls. The result, too: not 0 where the call overlaps with one of them
 * of another thread. Freed with free(). */
uint32_t *beside_calls(const struct trace *trace, const bool *is_one);

#endif
