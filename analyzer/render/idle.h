/*
 * Why the GPU was idle, for people and for programs.
 */
#ifndef STREAMTRACE_RENDER_IDLE_H
#define STREAMTRACE_RENDER_IDLE_H

#include "findings/idle.h"
#include "render/page.h"

#include <jansson.h>

/* The causes with their shares, of all devices together. Nothing where the GPU was hardly idle. */
void print_idle_causes(const struct page *page, const struct analysis *analysis);

/* The same of one of several devices. */
void print_idle_causes_of(const struct page *page, const struct analysis *analysis,
			  uint32_t device_id);

/* The lines where the GPU, and each of several, was idle for longest. */
void print_idle_lines(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis);

/* The sentence of a report that estimates no saving: that nothing was lost, or, where the GPU was
 * idle, why that was. malloc'ed. */
char *idle_answer(const struct analysis *analysis);

/* For JSON: an array of causes; the one of a device. The caller owns them. */
json_t *idle_array(const struct idle_table *table);
json_t *idle_device_array(const struct idle *idle, uint32_t device_id);

#endif
