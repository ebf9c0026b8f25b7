/*
 * A part of a long run, of consecutive collectives, as a trace: for a model of paths.h where the run's analysis is
 * of a sample, which has no consecutive ones. One thread.
 */
#ifndef STREAMTRACE_PART_H
#define STREAMTRACE_PART_H

#include "trace/trace.h"

struct part;

/* Of a trace that must outlive it: the kernels of which rendezvous_find() takes the same as of the whole run;
 * of a run with few of them all of it. NULL: there are none, or too many calls are between them. */
struct part *part_make(const struct trace *whole);
void part_free(struct part *part);

const struct trace *part_trace(const struct part *part);

#endif
