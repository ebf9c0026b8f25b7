/*
 * Finds synchronizations that a thread makes only to measure time: the thread's next call is
 * cudaEventElapsedTime(). After cudaEventSynchronize() it must ask for the same event. Call sites
 * with few such synchronizations count as set-up, and are left out.
 *
 * Passes once over the calls. Any thread.
 */
#ifndef STREAMTRACE_TIME_READS_H
#define STREAMTRACE_TIME_READS_H

#include "base/memory.h"
#include "trace/trace.h"

/* A map from the index in trace.calls of each such synchronization to the index of its first
 * cudaEventElapsedTime(). The caller frees the map by map_free(). */
struct map time_reads_find(const struct trace *trace);

/* Whether the trace has calls of cudaEventElapsedTime(). Without them the map is empty. */
bool time_reads_exist(const struct trace *trace);

#endif
