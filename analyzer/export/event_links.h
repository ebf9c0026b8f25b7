/*
 * Which record of an event a call waits for: cudaEventSynchronize and cudaStreamWaitEvent, with the
 * cudaEventRecord that was the event's last before them. One pass over the calls; one thread.
 */
#ifndef STREAMTRACE_EXPORT_EVENT_LINKS_H
#define STREAMTRACE_EXPORT_EVENT_LINKS_H

#include "trace/trace.h"

#define NO_RECORD UINT32_MAX

/* By index in trace.calls the index of the recording call, or NO_RECORD; freed with free(). */
uint32_t *event_links_of(const struct trace *trace);

#endif
