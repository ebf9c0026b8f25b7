/*
 * Finds waits that a thread makes for a time: right after them it reads the time between two
 * events, and waited for the later one. Call sites with few such waits count as set-up and are left
 * out.
 *
 * One pass over the calls. One thread.
 */
#ifndef STREAMTRACE_TIME_READS_H
#define STREAMTRACE_TIME_READS_H

#include "base/memory.h"
#include "trace/trace.h"

/* A map from the index (in trace.calls) of each such synchronization to that of its first
 * cudaEventElapsedTime(). Free by map_free(). */
struct map time_reads_find(const struct trace *trace);

/* Whether the trace can have any: it calls cudaEventElapsedTime(). */
bool time_reads_exist(const struct trace *trace);

#endif
