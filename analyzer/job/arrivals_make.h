/* Makes the arrivals (arrivals.h) of a process from its trace. One thread. */
#ifndef STREAMTRACE_ARRIVALS_MAKE_H
#define STREAMTRACE_ARRIVALS_MAKE_H

#include "job/summary.h"

struct model;

/* Sets the summary's communicators and arrivals; summary_free() frees them. model: of the trace, or
 * of a sample of the trace. A sample's model does not say when the device was ready: ready_ns is
 * then the kernel's start. */
void arrivals_make(const struct trace *trace, const struct model *model, struct summary *summary);

#endif
