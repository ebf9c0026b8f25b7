/*
 * Which waits a thread makes for a time: right behind them it reads the time between two events, of
 * which the later one was waited for. At least so many of a call site that it is no set-up.
 *
 * One pass over the calls. One thread.
 */
#ifndef STREAMTRACE_TIME_READS_H
#define STREAMTRACE_TIME_READS_H

#include "base/memory.h"
#include "trace/trace.h"

/* Of such synchronizes the index in trace.calls, to that of the first cudaEventElapsedTime(). Freed
 * with map_free(). */
struct map time_reads_find(const struct trace *trace);

/* Whether there can be any. */
bool time_reads_exist(const struct trace *trace);

#endif
