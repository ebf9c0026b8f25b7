/*
 * A few slices of a long run that stand for all of it: as a trace with a window for each (trace.h), which
 * weighs as much as the slices that it stands for.
 *
 * Runs repeat themselves: what a fix saves in ten of ten thousand like iterations says what it saves in all
 * of them, as far as the ten agree. From each stratum (strata.h) a few slices are taken, evenly over the
 * run. How much the answer differs between them is its sampling error. One thread.
 */
#ifndef STREAMTRACE_SAMPLE_H
#define STREAMTRACE_SAMPLE_H

#include "trace/trace.h"

struct sample;

/* Of a trace that must outlive it. NULL: the run is short, or repeats itself too little; or the trace has
 * several windows, first uses, or operations whose calls are not known. */
struct sample *sample_take(const struct trace *trace);
void sample_free(struct sample *sample);

/* The slices as a trace, until the sample changes. Calls, operations, waits for events and host functions are
 * its own, all else belongs to the run's: nothing is to be closed. */
const struct trace *sample_trace(const struct sample *sample);

/* Slices that are in the trace, and in the run. */
size_t sample_taken(const struct sample *sample);
size_t sample_slices(const struct sample *sample);

/* What an answer can be wrong by because only some slices were asked, with a probability of about 5 %, where
 * in each window (by index in the trace) it was so much. */
double sample_error(const struct sample *sample, const int64_t *by_window);

/* Takes more slices, for an error of no more than that. False: it takes most slices, then the run is as
 * quick. */
bool sample_grow(struct sample *sample, const int64_t *by_window, double most_error);

#endif
