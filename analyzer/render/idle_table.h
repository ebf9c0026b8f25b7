/*
 * Says why the GPU was idle, as text and as JSON. Failures to write show in ferror(page->out). One thread.
 */
#ifndef STREAMTRACE_IDLE_TABLE_H
#define STREAMTRACE_IDLE_TABLE_H

#include "findings/analysis.h"
#include "render/page.h"

#include <jansson.h>

/* Prints the causes with their shares of the idle time. With several devices the idle time is that during which all
 * of them were idle at once. Prints nothing if the idle time is below 1 % of the run. */
void print_idle_causes(const struct page *page, const struct analysis *analysis);

/* Prints the same for one of several devices. Prints nothing if the trace has only one device. */
void print_idle_causes_of(const struct page *page, const struct analysis *analysis,
			  uint32_t device_id);

/* Returns the causes as print_idle_causes() has them, of all devices: "waiting for augment.py:41 prepare (NumPy, main
 * thread) 58.0 %, ...". NULL: nobody looked at the host's threads, or the GPU was hardly idle. The caller frees it. */
char *idle_causes_of_host(const struct analysis *analysis);

/* Prints, for each device, up to 3 lines of the program during which the device was idle longest. Prints nothing for
 * a device that was idle for less than 1 % of the run. */
void print_idle_lines(const struct page *page, const struct analysis *analysis);

/* Returns the answer of a report that estimates no saving: a sentence that no lost overlap was found, or one that
 * says for how long and why the GPU was idle. Call only if the trace has GPU operations. The caller frees the
 * text. */
char *idle_answer(const struct analysis *analysis);

/* Both return the causes as a JSON array, which the caller releases; NULL: out of memory. idle_device_array()
 * returns the causes of the device; if the trace has only one device, those of idle->all. */
json_t *idle_array(const struct analysis *analysis, const struct idle_table *table);
json_t *idle_device_array(const struct analysis *analysis, uint32_t device_id);

#endif
