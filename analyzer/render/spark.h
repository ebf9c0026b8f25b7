/*
 * The engines over time, a line of bars each.
 */
#ifndef STREAMTRACE_SPARK_H
#define STREAMTRACE_SPARK_H

#include "findings/analysis.h"
#include "render/page.h"

/* The engines of the device (activity.h), with how long each was busy. load: its busy_ns, idle_ns
 * and overlapped_ns. */
void print_sparks(const struct page *page, const struct trace *trace,
		  const struct analysis *analysis, int64_t device, const struct device_load *load);

#endif
