/*
 * Several devices, each by itself.
 */
#ifndef STREAMTRACE_RENDER_DEVICES_H
#define STREAMTRACE_RENDER_DEVICES_H

#include "findings/analysis.h"
#include "render/page.h"

/* A block a device: what the findings cost it, its engines, why it was idle. */
void print_devices(const struct page *page, const struct trace *trace,
		   const struct analysis *analysis);

#endif
