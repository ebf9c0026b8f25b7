/*
 * Links each cudaEventSynchronize() and cudaStreamWaitEvent() to the cudaEventRecord() that it waits for: the
 * one that CUPTI names, else the event's last record before the call. One thread.
 */
#ifndef STREAMTRACE_EXPORT_EVENT_LINKS_H
#define STREAMTRACE_EXPORT_EVENT_LINKS_H

#include "trace/trace.h"

#define NO_RECORD UINT32_MAX

/* An element for each of trace.calls: the index of the call that recorded the event, or NO_RECORD. The caller frees
 * the array. */
uint32_t *event_links_of(const struct trace *trace);

#endif
