/*
 * Prints the engines over time, each as a line of bars. Failures to write show in ferror(page->out). One thread.
 */
#ifndef STREAMTRACE_SPARK_H
#define STREAMTRACE_SPARK_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints a line for each engine, with how long the engine was busy, and a line for the idle GPU. device: the
 * device's id, or ACTIVITY_ALL for all devices together (findings/activity.h). load: the times of that device, or of
 * all devices. */
void print_sparks(const struct page *page, const struct trace *trace,
		  const struct analysis *analysis, int64_t device, const struct device_load *load);

#endif
