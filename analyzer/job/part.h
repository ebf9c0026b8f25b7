/*
 * A part of a long run as a trace of its own: consecutive collectives from the middle. If a run's analysis is of
 * a sample, which has no consecutive collectives, the model of paths.h is made of this part. One thread.
 */
#ifndef STREAMTRACE_PART_H
#define STREAMTRACE_PART_H

#include "trace/trace.h"

struct part;

/* The part with the kernels that rendezvous_find() chooses, of the part and of the whole run alike; the whole run,
 * if it has few collectives. whole must outlive the result. NULL: there are no collectives, or too many calls between
 * them. */
struct part *part_make(const struct trace *whole);
/* part may be NULL. */
void part_free(struct part *part);

/* The part's trace, which belongs to the part. */
const struct trace *part_trace(const struct part *part);

#endif
