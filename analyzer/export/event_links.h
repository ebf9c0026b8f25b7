/*
 * Links each cudaEventSynchronize() and cudaStreamWaitEvent() to the cudaEventRecord() that it waits for. That is
 * the record that CUPTI names; if CUPTI names none, it is the event's last successful record before the call. One
 * thread. Out of memory ends the program.
 */
#ifndef STREAMTRACE_EXPORT_EVENT_LINKS_H
#define STREAMTRACE_EXPORT_EVENT_LINKS_H

#include "trace/trace.h"

#define NO_RECORD UINT32_MAX

/* Returns an element for each of trace->calls: the index in trace->calls of the call that recorded the event.
 * NO_RECORD: the call waits for no event, or the record is unknown. The caller frees the array. */
uint32_t *event_links_of(const struct trace *trace);

#endif
