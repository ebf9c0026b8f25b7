/*
 * Says why the GPU was idle, as text and as JSON. One thread.
 */
#ifndef STREAMTRACE_IDLE_TABLE_H
#define STREAMTRACE_IDLE_TABLE_H

#include "findings/analysis.h"
#include "render/page.h"

#include <jansson.h>

/* Prints the causes with their shares, of all devices together. Prints nothing if the GPU was hardly idle. */
void print_idle_causes(const struct page *page, const struct analysis *analysis);

/* Prints the causes of one of several devices likewise. */
void print_idle_causes_of(const struct page *page, const struct analysis *analysis,
			  uint32_t device_id);

/* Prints the lines during which the GPU was idle longest; of several GPUs, for each. */
void print_idle_lines(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis);

/* The answer of a report whose estimate is no saving: that no lost overlap was found, or why the GPU was idle. The
 * caller frees it. */
char *idle_answer(const struct analysis *analysis);

/* The causes as a JSON array; of the device, if the trace has several. The caller releases them. */
json_t *idle_array(const struct idle_table *table);
json_t *idle_device_array(const struct idle *idle, uint32_t device_id);

#endif
