/*
 * Several devices, each by itself.
 */
#ifndef STREAMTRACE_RENDER_DEVICES_H
#define STREAMTRACE_RENDER_DEVICES_H

#include "findings/analysis.h"
#include "render/page.h"

/* A block a device: its engines, and what the findings cost it. False: out of memory. */
bool print_devices(const struct page *page, const struct analysis *analysis);

#endif
