/* Makes the arrivals (arrivals.h) of a process from its trace. One thread. */
#ifndef STREAMTRACE_ARRIVALS_MAKE_H
#define STREAMTRACE_ARRIVALS_MAKE_H

#include "job/summary.h"

struct model;

/* Sets the summary's communicators and arrivals; summary_free() frees them. model is of trace, or of a sample of
 * it. A sample's model does not say when the device was ready: then ready_ns is the kernel's start. */
void arrivals_make(const struct trace *trace, const struct model *model, struct summary *summary);

#endif
