/*
 * Why the GPU was idle, for people and for programs.
 */
#ifndef STREAMTRACE_RENDER_IDLE_H
#define STREAMTRACE_RENDER_IDLE_H

#include "findings/idle.h"
#include "render/page.h"

#include <jansson.h>

/* The causes with their shares, then the lines where most was lost. Nothing where the GPU was
 * hardly idle. */
void print_idle(const struct page *page, const struct trace *trace,
		const struct analysis *analysis);

/* The sentence of a report that estimates no saving: that nothing was lost, or, where the GPU was
 * idle, why that was. */
void print_idle_answer(const struct page *page, const struct analysis *analysis);

/* For JSON: an array of causes; the one of a device. The caller owns them. */
json_t *idle_array(const struct idle_table *table);
json_t *idle_device_array(const struct idle *idle, uint32_t device_id);

#endif
