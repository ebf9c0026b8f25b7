/*
 * Measures each device of a run by itself: its engines, and what the findings cost it. One thread.
 */
#ifndef STREAMTRACE_DEVICES_H
#define STREAMTRACE_DEVICES_H

#include "findings/headline.h"
#include "findings/range.h"
#include "model/span.h"

struct analysis;

struct device {
	uint32_t id;
	struct device_load load;
	const char *name;   /* NULL: not known */
	struct stated lost; /* what all findings save together, as findings.lost */
	struct interval *replayed;
};

/* The model's devices with their names and loads, inside the windows of the recording. A copy between
 * two devices is work of both. Free by devices_free(). */
struct device *devices_measure(const struct model *model, const struct trace *whole,
			       int64_t wall_ns);
void devices_free(struct device *devices, size_t count);

/* Returns for each of the model's devices the time from its first operation's start to its last one's
 * end, to be freed; for a sample the weighted sum over its windows. operations: times by index in
 * model->trace's operations; NULL: the traced ones. */
int64_t *devices_times(const struct model *model, const struct span *operations);

/* Fills in the range of what the shown findings cost each device: if there are several, how much
 * shorter its time from first to last operation gets. Call after findings are ranked, and what they
 * save together is known. */
void devices_weigh(struct analysis *analysis);

#endif
