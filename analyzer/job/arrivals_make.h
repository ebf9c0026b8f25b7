/* When a process came to its collectives (arrivals.h), from its trace. */
#ifndef STREAMTRACE_ARRIVALS_MAKE_H
#define STREAMTRACE_ARRIVALS_MAKE_H

#include "job/summary.h"

struct model;

/* Fills in the summary's communicators and arrivals. model: of the whole trace; or of a sample, which does
 * not say when the device was ready: then the kernels count as launched in time. */
void arrivals_make(const struct trace *trace, const struct model *model, struct summary *summary);

#endif
