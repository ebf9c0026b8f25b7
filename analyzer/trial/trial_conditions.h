/*
 * Who relies on a wait that a trial's fix takes away. Calculates only; one thread at a time for each trace.
 *
 * cudaFree() and copies of pageable memory wait for the device, which nobody asked them to. Something may rely on that:
 * work of another stream on the same memory (races/races.h), or the host that reads what a copy brought, or writes
 * what one has read. A synchronize is asked for: trial_waits.h.
 */
#ifndef STREAMTRACE_TRIAL_CONDITIONS_H
#define STREAMTRACE_TRIAL_CONDITIONS_H

#include "findings/analysis.h"

/* Why the waits of the count calls must stay, as the end of a sentence, malloc'ed; NULL: nothing relies on them, as far as
 * libstrace_try.so does not keep the order by other means. The calls are by start. */
char *trial_conditions_unmet(const struct analysis *analysis, const struct trace_call *const *calls,
			     size_t count);

#endif
