/*
 * Measures each device of a run by itself: the load of its engines, and what the findings cost the
 * device. One thread.
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
	const char *name;	   /* belongs to the trace; NULL: not known */
	struct stated lost;	   /* how much shorter the device's time gets with all fixes */
	struct interval *replayed; /* the range that lost is made of; belongs to the device */
};

/* Returns the model's devices, by index in model.device_ids, with names and loads inside the
 * windows of the recording; lost and *replayed are zeros. whole: the run that the model's trace may
 * be a sample of. A copy between two devices is work of both. Free by devices_free(). */
struct device *devices_measure(const struct model *model, const struct trace *whole,
			       int64_t wall_ns);
void devices_free(struct device *devices, size_t count);

/* Returns for each of the model's devices the time in ns from its first operation's start to its
 * last operation's end; for a sample the weighted sum over its windows. The caller frees the array.
 * operations: times by index in model->trace->operations; NULL: the traced times. */
int64_t *devices_times(const struct model *model, const struct span *operations);

/* Sets *replayed of each device, by the fixes of all findings that are not folded. A single device
 * gets *findings.replayed. Of several devices, each gets how much shorter its time from first to
 * last operation becomes; without estimates, zeros. Call after the findings are ranked and
 * findings.replayed is set. */
void devices_weigh(struct analysis *analysis);

#endif
