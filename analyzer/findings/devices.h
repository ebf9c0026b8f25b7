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
	const char *name;   /* belongs to the trace; NULL: not known */
	struct stated lost; /* how much shorter the device's time gets with all fixes */
};

/* Returns the model's devices, by index in model.device_ids, which the caller frees by free().
 * Loads are those of the whole run inside the windows of the recording; a copy between two devices
 * is work of both. `lost` is by the fixes of all findings that are not folded: of a single device
 * findings.lost; of each of several, how much shorter its time from first to last operation
 * becomes; without estimates, zeros. Call after analysis->findings is set. */
struct device *devices_measure(const struct analysis *analysis);

/* Returns for each of the model's devices the time in ns from its first operation's start to its
 * last operation's end; for a sample the weighted sum over its windows. The caller frees the array.
 * operations: times by index in model->trace->operations; NULL: the traced times. */
int64_t *devices_times(const struct model *model, const struct span *operations);

#endif
