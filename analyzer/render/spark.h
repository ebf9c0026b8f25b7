/*
 * Prints the engines over time, each as a line of bars. One thread.
 */
#ifndef STREAMTRACE_SPARK_H
#define STREAMTRACE_SPARK_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints a line for each engine of the device, or of all (device as in findings/activity.h), with how long it was
 * busy. load: the busy_ns, idle_ns and overlapped_ns of the same. */
void print_sparks(const struct page *page, const struct trace *trace,
		  const struct analysis *analysis, int64_t device, const struct device_load *load);

#endif
