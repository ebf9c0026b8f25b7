/*
 * Sampling: a few slices of a long run that stand for all of it, as a trace with a window for each
 * slice (trace.h). A window's weight is the number of slices that it stands for.
 *
 * Runs repeat themselves: what a fix saves in ten of ten thousand similar iterations tells what it
 * saves in all, if the ten agree. From each stratum (strata.h) a few slices are taken, evenly over
 * the run. How much their answers differ is the sampling error. One thread.
 */
#ifndef STREAMTRACE_SAMPLE_H
#define STREAMTRACE_SAMPLE_H

#include "trace/trace.h"

struct sample;

/* Takes a sample of the trace, which must outlive it; free it by sample_free(). NULL: the run is
 * short, or hardly repeats itself, or the trace has several windows, first uses, or operations
 * without a known call. */
struct sample *sample_take(const struct trace *trace);
void sample_free(struct sample *sample);

/* The slices as a trace, owned by the sample and valid until sample_grow(). It has calls,
 * operations, event waits and host functions of its own; all else belongs to the whole run's trace.
 * Do not close it. */
const struct trace *sample_trace(const struct sample *sample);

/* The number of slices in the sample, and in the run. */
size_t sample_taken(const struct sample *sample);
size_t sample_slices(const struct sample *sample);

/* The sampling error (in by_window's unit) of a sum over all slices, of which only some were asked:
 * exceeded with a probability of about 5 %. by_window: the value for each window of sample_trace(),
 * by index. */
double sample_error(const struct sample *sample, const int64_t *by_window);

/* Adds slices, so that the error of by_window should be at most most_error. False: most slices
 * would be needed, so analyze the whole run instead. */
bool sample_grow(struct sample *sample, const int64_t *by_window, double most_error);

#endif
