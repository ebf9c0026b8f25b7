/*
 * Prints each device by itself. Failures to write show in ferror(page->out). One thread.
 */
#ifndef STREAMTRACE_DEVICE_TABLE_H
#define STREAMTRACE_DEVICE_TABLE_H

#include "findings/analysis.h"
#include "render/page.h"

/* Prints a block for each device: what the device's findings save, how busy its engines were over time, and why the
 * device was idle. Call only if the analysis has several devices: for one device the reasons would be missing. */
void print_devices(const struct page *page, const struct trace *trace,
		   const struct analysis *analysis);

#endif
