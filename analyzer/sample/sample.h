/*
 * Sampling: a few slices of a long run that stand for all of it, as a trace with a window for each
 * slice (trace.h). A window's weight is the number of slices that it stands for.
 *
 * Runs repeat themselves: what a fix saves in ten of ten thousand similar iterations tells what it
 * saves in all, if the ten agree. From each stratum (strata.h) a few slices are taken, evenly over
 * the order of the slices' idle time. How much the slices' answers differ gives the sampling error.
 * One thread.
 */
#ifndef STREAMTRACE_SAMPLE_H
#define STREAMTRACE_SAMPLE_H

#include "trace/trace.h"

struct sample;

/* Takes a sample of the trace, which must outlive the sample. NULL: analyze the whole trace. The
 * run is then short, or hardly repeats itself, or its times are too large to be summed; or the
 * trace has several windows, first uses, or more than 1 % of its operations without a known
 * call. */
struct sample *sample_take(const struct trace *trace);

/* Frees the sample with its trace; NULL does nothing. */
void sample_free(struct sample *sample);

/* The slices as a trace, owned by the sample and valid until sample_grow() or sample_free(). Its
 * calls, operations, event waits, host functions and windows are its own; all else belongs to the
 * whole run's trace. Do not close it. */
const struct trace *sample_trace(const struct sample *sample);

/* The number of slices in the sample, and in the run. */
size_t sample_taken(const struct sample *sample);
size_t sample_slices(const struct sample *sample);

/* by_window: a value for each window of sample_trace(), by index. The values estimate a sum over
 * all slices of the run. Returns that sum's sampling error, in the unit of by_window, which the
 * true error exceeds with a probability of about 5 %. */
double sample_error(const struct sample *sample, const int64_t *by_window);

/* Takes more slices, so that the error of by_window should be at most most_error (> 0), and makes
 * sample_trace() anew. False: more than half of the slices would be needed. Free the sample then,
 * and analyze the whole run instead. */
bool sample_grow(struct sample *sample, const int64_t *by_window, double most_error);

#endif
