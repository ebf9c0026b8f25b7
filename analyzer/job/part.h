/*
 * A part of a long run as a trace of its own: consecutive collectives from the middle. A sample of
 * a run has no consecutive collectives. If a run's analysis is of a sample, the model of paths.h is
 * made of a part. One thread.
 */
#ifndef STREAMTRACE_PART_H
#define STREAMTRACE_PART_H

#include "trace/trace.h"

struct part;

/* Makes the part around the kernels that rendezvous_find() (rendezvous.h) chooses from the whole
 * run: it chooses the same kernels from the part. If the run has few collectives, the part is the
 * whole run. whole must outlive the result, which part_free() frees. NULL: the run has no
 * collectives, or the part would have more than 4 million calls. */
struct part *part_make(const struct trace *whole);
/* part may be NULL. */
void part_free(struct part *part);

/* The part's trace, which belongs to the part. */
const struct trace *part_trace(const struct part *part);

#endif
